import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { RecentLog } from '#actions/operations/recent-log.ts'
import type { Engine } from '#db/engine.ts'
import type { SecretKey } from '#db/secrets.ts'

/** The work of one thread: delivering all due alerts, making the digests of a day, or exporting. */
export type ThreadWork = 'deliver' | 'remind' | 'export'
export type ThreadData = { work: ThreadWork; shared: Engine['forThread']; secretKey: SecretKey }

/** The work leaves much garbage and keeps little. */
const LIMITS = { maxYoungGenerationSizeMb: 4 }

export type Threads = ReturnType<typeof openThreads>
type ThreadDeps = { log: Logger; recentLog: RecentLog }

/**
 * Does work in threads of their own, so that requests do not wait for it. A thread ends with its work, and
 * costs no memory then.
 */
export function openThreads({ log, recentLog }: ThreadDeps, engine: Engine) {
  const { forThread: shared, secretKey } = engine
  // The program is beside this file, in the sources and in the build.
  const program = new URL(`./worker-thread${extname(import.meta.url)}`, import.meta.url)
  const stopping = new AbortController()

  /** Resolves when the thread has ended. Unfinished work is due again within a minute. */
  async function run(work: ThreadWork, signal: AbortSignal): Promise<void> {
    const workerData: ThreadData = { work, shared, secretKey }
    const thread = new Worker(program, { resourceLimits: LIMITS, workerData })
    thread.on('message', (line: string) => recentLog.write(line))
    thread.on('error', (err) => log.error({ err, work }, 'a thread that works beside has died'))
    const stop = () => thread.postMessage('stop')
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
    await new Promise((resolve) => thread.once('exit', resolve))
    signal.removeEventListener('abort', stop)
  }

  return {
    deliver: () => run('deliver', stopping.signal),
    remind: (signal: AbortSignal) => run('remind', signal),
    export: (signal: AbortSignal) => run('export', signal),
    /** Stops deliveries after the current one. */
    stop: () => stopping.abort(),
  }
}

/** One piece of work in a thread beside the answers. */
import { parentPort, workerData } from 'node:worker_threads'
import { pino } from 'pino'
import { remindOfDue } from '#actions/papers/digests.ts'
import { readConfig } from '#config.ts'
import { openForWork } from '#db/open-engine.ts'
import { openChannelLane } from '#mail/channel-lane.ts'
import { createMailer } from '#mail/mailer.ts'
import { openActions } from '#server/after-start.ts'
import type { ThreadData, ThreadWork } from '#server/thread.ts'
import { lookAtStorage } from '#storage/open-storage.ts'

if (!parentPort) throw new Error('This is the program of a thread')
const port = parentPort
const { work, shared, secretKey } = workerData as ThreadData

const config = readConfig()
const engine = await openForWork(config, shared)
const first = {
  config,
  clock: engine.clock ?? (() => new Date()),
  log: pino({}, { write: (line: string) => port.postMessage(line) }),
  mailer: createMailer(config),
  // A buffer arrives as plain bytes.
  secretKey: Buffer.from(secretKey),
  files: await lookAtStorage(config),
}
const deps = { ...first, ...(await openActions(first, engine)) }
const stopping = new AbortController()
// The only message says to stop.
port.once('message', () => stopping.abort())
const works: Record<ThreadWork, () => Promise<unknown>> = {
  async deliver() {
    const lane = openChannelLane(deps)
    stopping.signal.addEventListener('abort', () => lane.stop())
    lane.look()
    await lane.settled()
  },
  remind: () => remindOfDue(deps, stopping.signal),
}
await works[work]()
await engine.close()
port.close()

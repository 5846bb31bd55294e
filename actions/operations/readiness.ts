import type { Logger } from 'pino'
import { SCHEMA_VERSION } from '#db/schema-version.ts'
import type { FileStore } from '#storage/files.ts'

/** The parts that a server needs before it gets requests. */
const PARTS = ['database', 'migrations', 'storage'] as const
export type Part = (typeof PARTS)[number]
type Probed = Exclude<Part, 'migrations'>

export type Readiness = ReturnType<typeof watchReadiness>

/** Shorter than the time that proxies and Kubernetes wait. */
const MAX_WAIT_MS = 2_000
/** Load balancers that choose servers by the answers ask more often. */
const RECENT_MS = 10_000

type Answer = { status: 'ok' | 'leaving' } | { status: 'unavailable'; failing: Part[] }

type Needs = {
  /** Returns the schema version. Rejects while the database does not answer or cannot be written. */
  readVersion: () => Promise<number>
  files: Pick<FileStore, 'probe'>
  log: Logger
}

/** Checks whether this server can do its work. Logs a change once. */
export function watchReadiness({ readVersion, files, log }: Needs) {
  const probes: { [part in Probed]?: Promise<unknown> } = {}
  let lastFailing = ''
  let lastAskedAt = Number.NEGATIVE_INFINITY
  let isLeaving = false

  /**
   * Starts a probe, or waits for one of the same part that is still running: on a dead network disk each probe
   * occupies a thread of the process.
   */
  async function probe<T>(part: Probed, start: () => Promise<T>): Promise<T> {
    probes[part] ??= start().finally(() => delete probes[part])
    return within(probes[part] as Promise<T>)
  }

  /** Returns the parts that fail now, after two seconds at most. Caches nothing. */
  async function findFailing(): Promise<Part[]> {
    const [version, stored] = await Promise.allSettled([
      probe('database', readVersion),
      probe('storage', files.probe),
    ])
    const failing: Part[] = []
    if (version.status === 'rejected') failing.push('database')
    // A newer version may have migrated the database: this server continues until it is replaced.
    else if (version.value < SCHEMA_VERSION) failing.push('migrations')
    if (stored.status === 'rejected') failing.push('storage')
    const isChanged = failing.join() !== lastFailing
    lastFailing = failing.join()
    if (isChanged && failing.length === 0) log.info('ready again')
    else if (isChanged) {
      const causes = [version, stored].flatMap((each) =>
        each.status === 'rejected' ? [String(each.reason.message)] : [],
      )
      log.warn({ failing, causes }, 'not ready')
    }
    return failing
  }

  return {
    findFailing,
    /** Answers a proxy that asks whether to send this server requests. */
    async answerProxy(): Promise<Answer> {
      lastAskedAt = performance.now()
      const failing = isLeaving ? [] : await findFailing()
      if (isLeaving) return { status: 'leaving' }
      return failing.length > 0 ? { status: 'unavailable', failing } : { status: 'ok' }
    },
    /** Makes proxies send requests elsewhere from now on. Returns whether a proxy has asked lately. */
    leave(): boolean {
      isLeaving = true
      return performance.now() - lastAskedAt < RECENT_MS
    },
  }
}

async function within<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<never>((_, reject) => {
    const error = new Error(`no answer within ${MAX_WAIT_MS} ms`)
    timer = setTimeout(() => reject(error), MAX_WAIT_MS)
  })
  try {
    return await Promise.race([answer, tooLong])
  } finally {
    clearTimeout(timer)
  }
}

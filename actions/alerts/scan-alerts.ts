import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { alertOrigin, byAlert } from '#actions/alerts/alerting.ts'
import type { ActionDeps } from '#actions/deps.ts'
import {
  type AlertingCode,
  type CountedScans,
  listAlertingCodes,
  noteScans,
  releaseScans,
} from '#db/alerts/scan-alerts.ts'
import type { Notify } from '#db/outbox.ts'
import { afterCommit } from '#db/transaction.ts'
import type { RateLimits } from '#domain/rate-counters.ts'
import type { ScanCounter } from '#domain/scans/scan-counter.ts'
import { scanAlert } from '#mail/alerts.ts'

type Deps = Pick<ActionDeps, 'db' | 'clock' | 'config' | 'log' | 'outbox'>

/** Scans within this time are looked up together. */
const GATHER_MS = 200
const RELEASE_EVERY_MS = 5_000
/** Codes that are looked up by one statement. */
const CODES_AT_ONCE = 200
/**
 * Above this utilization of the thread (0 to 1), each step of the work is followed by a pause that is
 * `REST_FACTOR` times as long. Delivering an alert costs the thread a few times as much as writing it.
 */
const BUSY = 0.7
const REST_FACTOR = 150
/** A step's time contains its wait for the database. No lost code waits longer than this for a pause. */
const LONGEST_PAUSE_MS = 500
/** The longest time for alerts at a stop. The rest is dropped. */
const LONGEST_STOP_MS = 2_000

/** Alerts an account of the scans of its code, in the transaction that counts them. */
export function aboutScans(deps: Deps): Notify<CountedScans> {
  return byAlert(deps, ({ code, scans, since }: CountedScans) => {
    const now = deps.clock()
    return {
      accountId: code.accountId,
      ...(code.person && { shareId: code.person.shareId }),
      ...scanAlert({ code, scans, since, now }, alertOrigin(deps)),
    }
  })
}

function rulesOf({ clock, config, rateLimits }: Deps & { rateLimits: RateLimits }) {
  const mayAlert = (accountId: string) => !rateLimits.check('alert-scans', accountId, clock())
  return () => ({ now: clock(), timezone: config.timezone, mayAlert })
}

/** Counts each alert. Without a limit, an account with many codes could flood channels of other people. */
function limitedNotify(deps: Deps & { rateLimits: RateLimits }): Notify<CountedScans> {
  const alert = aboutScans(deps)
  return async (trx, about) => {
    await alert(trx, about)
    const count = () => deps.rateLimits.add('alert-scans', about.code.accountId, deps.clock())
    afterCommit(trx, count)
  }
}

/** Rests between pieces of work, for long while the thread is busy and not at all in a hurry. */
function openPace() {
  let hurrying = new AbortController()
  let isBusy = false
  const pause = (ms: number) => sleep(ms, undefined, { signal: hurrying.signal }).catch(() => {})
  return {
    async gather(): Promise<void> {
      const before = performance.eventLoopUtilization()
      await pause(GATHER_MS)
      isBusy = performance.eventLoopUtilization(before).utilization > BUSY
    },
    async withPause<T>(work: () => Promise<T>): Promise<T> {
      const begun = performance.now()
      const result = await work()
      const tookMs = performance.now() - begun
      await pause(isBusy ? Math.min(tookMs * REST_FACTOR, LONGEST_PAUSE_MS) : 0)
      return result
    },
    hurry: () => hurrying.abort(),
    calm() {
      hurrying = new AbortController()
    },
  }
}

type Pace = ReturnType<typeof openPace>

/** The steps of the work. A pause follows each, and then the alerts of lost codes, which wait for no step. */
function openSteps(deps: Deps & { rateLimits: RateLimits }, counter: ScanCounter, pace: Pace) {
  const { db } = deps
  const notify = limitedNotify(deps)
  const rules = rulesOf(deps)

  /** Alerts of some of the counted scans. */
  async function noteCounted(): Promise<void> {
    await noteLost()
    const scans = counter.takeOthers(CODES_AT_ONCE)
    if (scans.size === 0) return
    const codes = await withPause(() => listAlertingCodes(db, [...scans.keys()], deps.clock()))
    for (const code of codes) {
      await withPause(() => noteCode(code, scans))
    }
  }

  async function noteLost(): Promise<void> {
    for (;;) {
      const scans = counter.takeLost(CODES_AT_ONCE)
      if (scans.size === 0) return
      const codes = await listAlertingCodes(db, [...scans.keys()], deps.clock())
      for (const code of codes) await noteCode(code, scans)
    }
  }

  async function noteCode(code: AlertingCode, scans: Map<string, number>): Promise<void> {
    await noteScans(db, { code, scans: scans.get(code.qr_id) ?? 1 }, rules(), notify)
  }

  async function withPause<T>(work: () => Promise<T>): Promise<T> {
    const result = await pace.withPause(work)
    await noteLost()
    return result
  }

  /** Alerts of the scans of one code that were held back. Returns how many codes were looked at. */
  function releaseOne(): Promise<number> {
    return withPause(() => releaseScans(db, 1, rules(), notify))
  }

  return { noteCounted, releaseOne }
}

/**
 * Starts the background work that sends alerts of the scans in a counter, and of scans that were held back and
 * are due. While the server is busy, it works for a small part of the time only, so that the scan page stays
 * fast; scans of lost codes are alerted of between any two steps of that.
 */
export function startScanAlerts(deps: Deps & { rateLimits: RateLimits }, counter: ScanCounter) {
  const pace = openPace()
  const steps = openSteps(deps, counter, pace)
  let isStopped = false
  let isReleaseDue = true
  let running: Promise<void> | undefined

  function wake(): void {
    if (!isStopped) running ??= run()
  }

  async function run(): Promise<void> {
    try {
      await alertAll()
    } catch (error) {
      deps.log.error({ err: error }, 'scans were not alerted of')
    } finally {
      running = undefined
    }
    if (!counter.isEmpty()) wake()
  }

  async function alertAll(): Promise<void> {
    do {
      await pace.gather()
      await steps.noteCounted()
      // At least one, because scans without a pause would delay the counted ones forever.
      do {
        await releaseNext()
      } while (isReleaseDue && counter.isEmpty())
    } while (!counter.isEmpty())
  }

  async function releaseNext(): Promise<void> {
    if (!isReleaseDue) return
    isReleaseDue = false
    if ((await steps.releaseOne()) > 0) isReleaseDue = true
  }

  async function finish(): Promise<void> {
    while (running) await running
  }

  counter.watch(wake)
  const timer = setInterval(() => {
    isReleaseDue = true
    wake()
  }, RELEASE_EVERY_MS).unref()
  wake()
  return {
    /** Sends all alerts that are due without pauses, and resolves when they are queued. */
    async settled(): Promise<void> {
      pace.hurry()
      isReleaseDue = true
      wake()
      await finish()
      pace.calm()
    },
    /** Sends alerts of the counted scans for at most 2 s. */
    async stop(): Promise<void> {
      clearInterval(timer)
      pace.hurry()
      await Promise.race([finish(), sleep(LONGEST_STOP_MS, undefined, { ref: false })])
      isStopped = true
    },
  }
}

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
/** The longest time for alerts at a stop. The rest is dropped. */
const LONGEST_STOP_MS = 2_000

/** Alerts an account of the scans of its code, in the transaction that counts them. */
export function aboutScans(deps: Deps): Notify<CountedScans> {
  return byAlert(deps, ({ code, scans, since }: CountedScans) => {
    const now = deps.clock()
    return {
      accountId: code.accountId,
      ...scanAlert({ code, scans, since, now }, alertOrigin(deps)),
    }
  })
}

/**
 * Starts the background work that sends alerts of the scans in a counter, and of scans that were held back and
 * are due. While the server is busy, it works for a small part of the time only, so that the scan page stays
 * fast.
 */
export function startScanAlerts(deps: Deps & { rateLimits: RateLimits }, counter: ScanCounter) {
  const { db, clock, config, log, rateLimits } = deps
  const alert = aboutScans(deps)
  // Without this limit, an account with many codes could flood channels that belong to other people.
  const notify: Notify<CountedScans> = async (trx, about) => {
    await alert(trx, about)
    afterCommit(trx, () => rateLimits.add('alert-scans', about.code.accountId, clock()))
  }
  const mayAlert = (accountId: string) => !rateLimits.check('alert-scans', accountId, clock())
  let hurry = new AbortController()
  let isStopped = false
  let isReleaseDue = true
  let running: Promise<void> | undefined
  let isBusy = false

  const rules = () => ({ now: clock(), timezone: config.timezone, mayAlert })

  function look(): void {
    if (!isStopped) running ??= run()
  }

  async function run(): Promise<void> {
    try {
      await workOff()
    } catch (error) {
      log.error({ err: error }, 'scans were not alerted of')
    } finally {
      running = undefined
    }
    if (!counter.isEmpty()) look()
  }

  async function workOff(): Promise<void> {
    do {
      await gather()
      await noteCounted()
      // At least one, because scans without a pause would delay the counted ones forever.
      do {
        await releaseNext()
      } while (isReleaseDue && counter.isEmpty())
    } while (!counter.isEmpty())
  }

  async function noteCounted(): Promise<void> {
    const scans = counter.take(CODES_AT_ONCE)
    if (scans.size === 0) return
    const codes = await atRest(() => listAlertingCodes(db, [...scans.keys()]))
    const lost = codes.filter(({ event }) => event === 'lost_scan')
    const others = codes.filter(({ event }) => event !== 'lost_scan')
    for (const code of [...lost, ...others]) {
      await atRest(() => note(code, scans.get(code.qr_id) ?? 1))
    }
  }

  async function releaseNext(): Promise<void> {
    if (!isReleaseDue) return
    isReleaseDue = false
    const looked = await atRest(() => releaseScans(db, 1, rules(), notify))
    if (looked > 0) isReleaseDue = true
  }

  const note = (code: AlertingCode, scans: number) =>
    noteScans(db, { code, scans }, rules(), notify)

  async function gather(): Promise<void> {
    const before = performance.eventLoopUtilization()
    await pause(GATHER_MS)
    isBusy = performance.eventLoopUtilization(before).utilization > BUSY
  }

  async function atRest<T>(work: () => Promise<T>): Promise<T> {
    const begun = performance.now()
    const result = await work()
    await pause((performance.now() - begun) * (isBusy ? REST_FACTOR : 0))
    return result
  }

  const pause = (ms: number) => sleep(ms, undefined, { signal: hurry.signal }).catch(() => {})

  counter.watch(look)
  const timer = setInterval(() => {
    isReleaseDue = true
    look()
  }, RELEASE_EVERY_MS).unref()
  look()
  return {
    /** Sends all alerts that are due without pauses, and resolves when they are queued. */
    async settled(): Promise<void> {
      hurry.abort()
      isReleaseDue = true
      look()
      while (running) await running
      hurry = new AbortController()
    },
    /** Sends alerts of the counted scans for at most 2 s. */
    async stop(): Promise<void> {
      clearInterval(timer)
      hurry.abort()
      const done = async () => {
        while (running) await running
      }
      await Promise.race([done(), sleep(LONGEST_STOP_MS, undefined, { ref: false })])
      isStopped = true
    },
  }
}

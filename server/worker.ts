import { setTimeout as sleep } from 'node:timers/promises'
import { keepExporting } from '#actions/accounts/exports.ts'
import { startScanAlerts } from '#actions/alerts/scan-alerts.ts'
import { startTelegramBot } from '#actions/alerts/telegram.ts'
import type { ActionDeps } from '#actions/deps.ts'
import { keepReminding } from '#actions/reminders.ts'
import { hasAccounts } from '#db/admin/inspection.ts'
import type { Duty, WorkEngine } from '#db/engine.ts'
import type { RateLimits } from '#domain/rate-counters.ts'
import type { ScanCounter } from '#domain/scans/scan-counter.ts'
import type { Mailer } from '#mail/mailer.ts'
import { startSender } from '#mail/sender.ts'
import { keepSweeping, sweepFiles } from '#server/after-start.ts'
import type { Threads, ThreadWork } from '#server/thread.ts'
import type { NightlyBackups } from '#storage/backup/runner.ts'

type WorkerDeps = ActionDeps & { mailer: Mailer; rateLimits: RateLimits }

type WorkerOptions = {
  takeDuty: WorkEngine['takeDuty']
  openBackups: () => NightlyBackups
  /** the scans without an alert */
  counter: ScanCounter
  /** for exports, and for alerts and digests when there are many */
  threads?: Pick<Threads, ThreadWork>
  /** All running uploads began later. */
  noUploadBefore: Date
}

/** `wake` is called for each new entry of the outbox. */
export type Work = { stop(): Promise<void>; wake?: () => void }

/** The time after which another worker takes over the work of a dead process. */
const LOOK_FOR_DUTY_MS = 5_000

/**
 * Returns the background work: the sender, the alerts of scans and exports, which every worker has,
 * and the work of one worker only, for as long as this one has the duty to it.
 */
export function startWorker(deps: WorkerDeps, options: WorkerOptions): Work {
  const sender = startSender({ ...deps, deliverBeside: options.threads?.deliver })
  const scanAlerts = startScanAlerts(deps, options.counter)
  const stopExporting = keepExporting(deps, options.threads?.export)
  const duty = keepDuty(options.takeDuty, () => beginOnce(deps, options), deps.log)
  return {
    async stop() {
      await Promise.all([sender.stop(), scanAlerts.stop(), stopExporting(), duty.stop()])
    },
  }
}

/** Starts reminders, sweeps, the nightly backup, and the bot, of which Telegram allows only one. */
function beginOnce(deps: WorkerDeps, options: WorkerOptions): Work {
  const { openBackups, noUploadBefore, threads } = options
  const backups = openBackups()
  backups.keepNightly(() => hasAccounts(deps.db))
  const bot = startTelegramBot(deps)
  const stopSweeping = keepSweeping(deps)
  const stopReminding = keepReminding(deps, threads?.remind)
  const swept = sweepFiles(deps, noUploadBefore)
  return {
    async stop() {
      await Promise.all([bot?.stop(), backups.stop(), stopSweeping(), stopReminding(), swept])
    },
  }
}

/** Works while this process has the duty, and otherwise tries to get it. */
function keepDuty(take: WorkEngine['takeDuty'], begin: () => Work, log: ActionDeps['log']): Work {
  const stopping = new AbortController()
  let hasFailed = false
  const running = run()

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const duty = await tryToTake()
      if (duty) await serve(duty)
      else await sleep(LOOK_FOR_DUTY_MS, undefined, stopping).catch(() => {})
    }
  }

  async function tryToTake(): Promise<Duty | undefined> {
    try {
      const duty = await take()
      hasFailed = false
      return duty
    } catch (err) {
      if (!hasFailed) log.error({ err }, 'could not ask for the work that only one worker does')
      hasFailed = true
      return undefined
    }
  }

  async function serve(duty: Duty): Promise<void> {
    const work = begin()
    await firstOf(duty.lost, stopping.signal)
    await work.stop()
    duty.release()
  }

  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

function firstOf(...signals: AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of signals) {
      if (signal.aborted) resolve()
      signal.addEventListener('abort', () => resolve(), { once: true })
    }
  })
}

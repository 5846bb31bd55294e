import type { Engine } from '#db/engine.ts'
import type { Deps, FinderDeps } from '#routes/_http/deps.ts'
import type { Work } from '#server/worker.ts'
import type { NightlyBackups } from '#storage/backup/runner.ts'

/** Longer than the longest upload (`requestTimeout` in http-server.ts). */
const LONGEST_UPLOAD_MS = 30 * 60_000

type WorkOptions = {
  deps: FinderDeps
  complete: () => Promise<Deps>
  engine: Engine
  openBackups: () => NightlyBackups
  startedAt: Date
}

/**
 * Starts the background work of this server's role. `web` only writes the alerts of the scans that it
 * counted. `all` also answers requests, so its work has a connection of its own, and a thread while there is
 * much of it.
 */
export async function startWork(options: WorkOptions): Promise<Work> {
  const { deps, complete, engine, openBackups, startedAt } = options
  const { config, scanCounter: counter } = deps
  if (config.role === 'web') {
    const { startScanAlerts } = await import('#actions/alerts/scan-alerts.ts')
    return startScanAlerts(await complete(), counter)
  }
  // Another server of the same database may be receiving uploads.
  const othersMs = config.databaseUrl === undefined ? 0 : LONGEST_UPLOAD_MS
  const noUploadBefore = new Date(startedAt.getTime() - othersMs)
  const { startWorker } = await import('#server/worker.ts')
  await deps.mailer.load()
  const common = { takeDuty: engine.takeDuty, openBackups, counter, noUploadBefore }
  if (config.role === 'worker') return startWorker(await complete(), common)
  const { openActions } = await import('#server/after-start.ts')
  const { openThreads } = await import('#server/thread.ts')
  const own = await engine.forWork()
  const threads = openThreads(deps, engine)
  const late = await openActions(deps, own)
  const worker = startWorker({ ...deps, ...late }, { ...common, threads })
  return {
    wake: late.outbox.wake,
    async stop() {
      threads.stop()
      await worker.stop()
      await own.close()
    },
  }
}

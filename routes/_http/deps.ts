import type { ConversationWatch } from '#actions/conversations/watch.ts'
import type { ActionDeps } from '#actions/deps.ts'
import type { Health } from '#actions/operations/health.ts'
import type { Readiness } from '#actions/operations/readiness.ts'
import type { RecentLog } from '#actions/operations/recent-log.ts'
import type { PoolUse } from '#db/engine.ts'
import type { ScanPath } from '#db/scans/scan-path.ts'
import type { Metrics } from '#domain/metrics/metrics.ts'
import type { RateLimits } from '#domain/rate-counters.ts'
import type { ScanCounter } from '#domain/scans/scan-counter.ts'
import type { Mailer } from '#mail/mailer.ts'
import type { Assets } from '#routes/_http/assets.ts'
import type { Backups } from '#storage/backup/runner.ts'

/** The dependencies of the application. Tests use a fresh database and a fixed clock. */
export type Deps = ActionDeps & {
  conversationWatch: ConversationWatch
  scanPath: ScanPath
  /** the scans that need alerts */
  scanCounter: ScanCounter
  rateLimits: RateLimits
  backups: Backups
  mailer: Mailer
  assets: Assets
  recentLog: RecentLog
  health: Health
  metrics: Metrics
  readiness: Readiness
  /** the connections to a database server */
  listPools: () => PoolUse[]
}

/** The dependencies that the first request for them completes. */
type Late =
  | 'db'
  | 'sessions'
  | 'outbox'
  | 'channels'
  | 'domainProof'
  | 'telegram'
  | 'google'
  | 'conversationWatch'

/** The dependencies of a scan without a session, which are loaded before the server listens. */
export type FinderDeps = Omit<Deps, Late>

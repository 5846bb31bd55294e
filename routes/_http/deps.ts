import type { Context } from 'hono'
import type { Logger } from 'pino'
import type { GoogleSignIn } from '#actions/accounts/google.ts'
import type { Config } from '#config.ts'
import type { Session, Sessions } from '#db/accounts/sessions.ts'
import type { Db } from '#db/client.ts'
import type { Outbox } from '#db/outbox.ts'
import type { ScanPath } from '#db/scans/scan-path.ts'
import type { Account } from '#db/schema.ts'
import type { SecretKey } from '#db/secrets.ts'
import type { RateLimits } from '#domain/rate-counters.ts'
import type { Mailer } from '#mail/mailer.ts'
import type { Assets } from '#server/assets.ts'
import type { Health } from '#server/health.ts'
import type { RecentLog } from '#server/recent-log.ts'
import type { Backups } from '#storage/backup/runner.ts'
import type { FileStore } from '#storage/files.ts'

/** What the application is made from; tests make it from a fresh database and a fixed clock. */
export type Deps = {
  config: Config
  db: Db
  scanPath: ScanPath
  sessions: Sessions
  secretKey: SecretKey
  rateLimits: RateLimits
  files: FileStore
  backups: Backups
  mailer: Mailer
  outbox: Outbox
  /** undefined when it is not configured */
  google: GoogleSignIn | undefined
  assets: Assets
  clock: () => Date
  log: Logger
  recentLog: RecentLog
  health: Health
}

/** All that a stranger's scan asks for, which is what a start waits for. */
export type FinderDeps = Omit<Deps, 'db' | 'sessions' | 'outbox' | 'google'>

export type AppEnv = {
  Variables: {
    deps: Deps
    requestId: string
    session: Session | undefined
    account: Account | undefined
  }
}

export type AppContext = Context<AppEnv>

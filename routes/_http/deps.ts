import type { Context } from 'hono'
import type { ActionDeps } from '#actions/deps.ts'
import type { Credential } from '#db/accounts/credentials.ts'
import type { Session } from '#db/accounts/sessions.ts'
import type { ScanPath } from '#db/scans/scan-path.ts'
import type { Account } from '#db/schema.ts'
import type { RateLimits } from '#domain/rate-counters.ts'
import type { Mailer } from '#mail/mailer.ts'
import type { Assets } from '#server/assets.ts'
import type { Health } from '#server/health.ts'
import type { RecentLog } from '#server/recent-log.ts'
import type { Backups } from '#storage/backup/runner.ts'

/** What the application is made from; tests make it from a fresh database and a fixed clock. */
export type Deps = ActionDeps & {
  scanPath: ScanPath
  rateLimits: RateLimits
  backups: Backups
  mailer: Mailer
  assets: Assets
  recentLog: RecentLog
  health: Health
}

/** All that a stranger's scan asks for, which is what a start waits for. */
export type FinderDeps = Omit<Deps, 'db' | 'sessions' | 'outbox' | 'google'>

type Env<D> = {
  Variables: {
    deps: D
    requestId: string
    session: Session | undefined
    account: Account | undefined
    /** what the account was let in by */
    credential: Credential | undefined
  }
}

export type AppEnv = Env<Deps>
export type AppContext = Context<AppEnv>

/** For the scan page, which is answered before the rest of the application is loaded. */
export type FinderEnv = Env<FinderDeps>
/** What a stranger's scan goes through takes either context. */
export type FinderContext = AppContext | Context<FinderEnv>

/** For actions that log: what they write names the request. */
export function loggedDeps({ var: { deps, requestId } }: AppContext): Deps {
  return { ...deps, log: deps.log.child({ requestId }) }
}

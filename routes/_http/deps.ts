import type { Context } from 'hono'
import type { ActionDeps } from '#actions/deps.ts'
import type { Credential } from '#db/accounts/credentials.ts'
import type { Session } from '#db/accounts/sessions.ts'
import type { ScanPath, WearerRow } from '#db/scans/scan-path.ts'
import type { Account } from '#db/schema.ts'
import type { Brand } from '#domain/brands/brand.ts'
import type { Catalogue } from '#domain/languages/en.ts'
import type { RateLimits } from '#domain/rate-counters.ts'
import type { ScanCounter } from '#domain/scans/scan-counter.ts'
import type { Mailer } from '#mail/mailer.ts'
import type { ConversationWatch } from '#routes/_http/conversations/watch.ts'
import type { Assets } from '#server/assets.ts'
import type { Health } from '#server/health.ts'
import type { RecentLog } from '#server/recent-log.ts'
import type { Backups } from '#storage/backup/runner.ts'

/** The dependencies of the application. Tests use a fresh database and a fixed clock. */
export type Deps = ActionDeps & {
  conversationWatch: ConversationWatch
  scanPath: ScanPath
  /** the scans that are to be alerted of */
  scanCounter: ScanCounter
  rateLimits: RateLimits
  backups: Backups
  mailer: Mailer
  assets: Assets
  recentLog: RecentLog
  health: Health
}

/** What the first request that needs it completes. */
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

type Env<D> = {
  Variables: {
    deps: D
    requestId: string
    hasAllHeaders?: boolean
    /** of a page that speaks several languages: `speak` */
    words: Catalogue | undefined
    /** the same before they named a brand */
    ownWords: Catalogue | undefined
    /** what the page wears: `dress` */
    brand: Brand | undefined
    /** the account by whose own address the request came */
    ownHost: WearerRow | undefined
    session: Session | undefined
    account: Account | undefined
    /** the session or API key of the account */
    credential: Credential | undefined
  }
}

export type AppEnv = Env<Deps>
export type AppContext = Context<AppEnv>

/** For the scan page, which is answered before the rest of the application is loaded. */
export type FinderEnv = Env<FinderDeps>
/** For code that both applications use. */
export type FinderContext = AppContext | Context<FinderEnv>

/** The dependencies with a log that includes the request id. */
export function loggedDeps({ var: { deps, requestId } }: AppContext): Deps {
  return { ...deps, log: deps.log.child({ requestId }) }
}

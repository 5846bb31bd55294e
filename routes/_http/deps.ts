import type { Context } from 'hono'
import type { ActionDeps } from '#actions/deps.ts'
import type { Credential } from '#db/accounts/credentials.ts'
import type { Session } from '#db/accounts/sessions.ts'
import type { PoolUse } from '#db/engine.ts'
import type { ScanPath, WearerRow } from '#db/scans/scan-path.ts'
import type { Account } from '#db/schema.ts'
import type { Brand } from '#domain/brands/brand.ts'
import type { Catalogue } from '#domain/languages/en.ts'
import type { Metrics } from '#domain/metrics/metrics.ts'
import type { RateLimits } from '#domain/rate-counters.ts'
import type { ScanCounter } from '#domain/scans/scan-counter.ts'
import type { Mailer } from '#mail/mailer.ts'
import type { ConversationWatch } from '#routes/_http/conversations/watch.ts'
import type { Assets } from '#server/assets.ts'
import type { Health } from '#server/health.ts'
import type { Readiness } from '#server/readiness.ts'
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
  metrics: Metrics
  readiness: Readiness
  /** the connections to a database server */
  listPools: () => PoolUse[]
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

type Variables<D> = {
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
  /** who is signed in, and may do nothing before a second factor is set up */
  holder: Account | undefined
  /** the session or API key of the account */
  credential: Credential | undefined
}

type Env<D> = { Variables: Variables<D> }

export type AppEnv = Env<Deps>
export type AppContext = Context<AppEnv>

/** For the scan page, which is answered before the rest of the application is loaded. */
export type FinderEnv = Env<FinderDeps>
/** For code that both applications use. */
export type FinderContext = AppContext | Context<FinderEnv>

/** One variable of the request, on the path of a scan: `c.var` copies all of them each time. */
export function varOf<K extends keyof Variables<FinderDeps>>(
  c: FinderContext,
  name: K,
): Variables<FinderDeps>[K] {
  return (c as Context<FinderEnv>).get(name)
}

/** The dependencies with a log that includes the request id. */
export function loggedDeps({ var: { deps, requestId } }: AppContext): Deps {
  return { ...deps, log: deps.log.child({ requestId }) }
}

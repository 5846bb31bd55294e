import type { Context } from 'hono'
import type { Credential } from '#db/accounts/credentials.ts'
import type { Session } from '#db/accounts/sessions.ts'
import type { BrandOwnerRow } from '#db/scans/scan-path.ts'
import type { Account } from '#db/schema.ts'
import type { KeyScopes } from '#domain/accounts/api-key.ts'
import type { Brand } from '#domain/brands/brand.ts'
import type { Catalogue } from '#locales/catalogue.ts'
import type { Deps, FinderDeps } from '#routes/_http/deps.ts'

type Variables<D> = {
  deps: D
  requestId: string
  hasAllHeaders?: boolean
  /** of a page in several languages, with the product's name: `setLocale`, `wordsOf` */
  words: Catalogue | undefined
  /** the brand of the page: `setBranding` */
  brand: Brand | undefined
  /** the account whose domain the request names */
  domainOwner: BrandOwnerRow | undefined
  session: Session | undefined
  account: Account | undefined
  /** the signed-in account that may do nothing before it sets up a second factor */
  holder: Account | undefined
  /** the session or API key of the account */
  credential: Credential | undefined
  /** of an API key: `hasScope` */
  keyScopes: KeyScopes | undefined
}

type Env<D> = { Variables: Variables<D> }

export type AppEnv = Env<Deps>
export type AppContext = Context<AppEnv>

/** The scan page is answered before the rest of the application is loaded. */
export type FinderEnv = Env<FinderDeps>
/** The context of code that both applications use. */
export type FinderContext = AppContext | Context<FinderEnv>

/** Returns one variable of the request. On the path of a scan `c.var` is too slow: it copies all of them. */
export function varOf<K extends keyof Variables<FinderDeps>>(
  c: FinderContext,
  name: K,
): Variables<FinderDeps>[K] {
  return (c as Context<FinderEnv>).get(name)
}

/** Sets one variable of the request: the two kinds of context have the same variables. */
export function setVar<K extends keyof Variables<FinderDeps>>(
  c: FinderContext,
  name: K,
  value: Variables<FinderDeps>[K],
): void {
  ;(c as Context<FinderEnv>).set(name, value)
}

/** Returns the dependencies with a log that includes the request id. */
export function loggedDeps({ var: { deps, requestId } }: AppContext): Deps {
  return { ...deps, log: deps.log.child({ requestId }) }
}

/** Checks whether the path belongs to the API: answers are JSON, and bearer tokens are accepted. */
export function isApi(c: FinderContext): boolean {
  return c.req.path === '/api' || c.req.path.startsWith('/api/')
}

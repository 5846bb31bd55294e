import { type OpenAPIHono, z } from '@hono/zod-openapi'
import { matchedRoutes } from 'hono/route'
import { makeApiKey } from '#actions/accounts/api-keys.ts'
import { findByApiKey } from '#db/accounts/api-keys.ts'
import type { Account } from '#db/schema.ts'
import {
  assertApiAccess,
  hasScope,
  KEY_PREFIX,
  type KeyScopes,
  keyNameProblem,
  keyScopesProblem,
  SCOPES,
  type Scope,
} from '#domain/accounts/api-key.ts'
import { DomainError, NotSignedIn } from '#domain/error.ts'
import { RATE_LIMITS } from '#domain/rate-limits.ts'
import { LENGTHS } from '#domain/text.ts'
import { type AppContext, type AppEnv, isApi } from '#routes/_http/context.ts'
import { isToken } from '#routes/_http/cookies.ts'
import { requireCaller } from '#routes/_http/guards.ts'
import { setRateLimit } from '#routes/_http/problems.ts'
import { limit, limitChanges } from '#routes/_http/rate-limits.ts'
import { follows, mustBe, oneOf, payload, requires, text } from '#routes/_http/schema.ts'

/** Returns the API key of an API call, if it has one. Pages accept only sessions. */
export function readApiKey(c: AppContext): string | undefined {
  const sent = c.req.header('Authorization')?.match(/^Bearer +(dqk_\S*)$/i)?.[1]
  return isApi(c) ? sent : undefined
}

export function readBearerToken(header: string | undefined): string | undefined {
  const token = header?.match(/^Bearer +(\S+)$/i)?.[1]
  return token && isToken(token) ? token : undefined
}

/**
 * Finds the account of an API key. Returns undefined for a public call, which ignores the account. Throws
 * unauthenticated for an unknown or revoked key or a blocked account, forbidden for a call that
 * needs a session or another scope, or a plan without API access, and too_many. A call that is open to everybody
 * ignores the account of a key without its scope.
 */
export async function findKeyAccount(
  c: AppContext,
  app: OpenAPIHono<AppEnv>,
  key: string,
): Promise<{ id: string; scopes: KeyScopes; account: Account } | undefined> {
  const { db, clock, rateLimits } = c.var.deps
  const found = isToken(key.slice(KEY_PREFIX.length)) && (await findByApiKey(db, key, clock()))
  if (!found) throw new NotSignedIn()
  limit(c, ['api-key', found.id])
  const left = rateLimits.left('api-key', found.id, clock())
  if (left) setRateLimit(c, { name: 'api-key', ...RATE_LIMITS['api-key'] }, left)
  const security = securityOfCall(app, c)
  if (!security?.length) return undefined
  assertApiAccess(found.account)
  const scopes = security.flatMap(({ api_key = [] }) => api_key) as Scope[]
  if (scopes.some((scope) => hasScope(found.scopes, scope))) return found
  if (security.some((each) => Object.keys(each).length === 0)) return undefined
  const [scope] = scopes
  throw new DomainError(
    scope ? { code: 'forbidden.scope', values: { scope } } : 'forbidden.api_key',
  )
}

/** The payload of the form and of the API call. */
export const newApiKey = requires(
  payload({
    name: text('Name', Number.POSITIVE_INFINITY).openapi({ maxLength: LENGTHS.name }),
    scopes: z
      .array(oneOf(SCOPES, 'Scopes'), mustBe('Scopes', 'a list'))
      .nullish()
      .openapi({ description: 'what the key may do; a key without them may all but messages' }),
  }),
  { name: 1 },
)
  .superRefine(
    follows(({ name, scopes = null }) => keyNameProblem(name) ?? keyScopesProblem(scopes)),
  )
  .transform(({ name, scopes }) => ({
    name: name as string,
    scopes: scopes ? SCOPES.filter((scope) => scopes.includes(scope)) : null,
  }))

/** Creates a key for the caller's account. Throws too_many. */
export function makeOwnKey(c: AppContext, made: z.infer<typeof newApiKey>, formKey?: string) {
  const caller = requireCaller(c)
  limitChanges(c, caller.accountId, 'api-key')
  return makeApiKey(c.var.deps, caller, made, formKey)
}

type Security = Record<string, string[]>[]

/** The security of the matched call, as its route declares it. */
function securityOfCall(app: OpenAPIHono<AppEnv>, c: AppContext): Security | undefined {
  const described = describedSecurity(app)
  return matchedRoutes(c)
    .map(({ method, path }) => described.get(`${method} ${path}`))
    .find((security) => security !== undefined)
}

const known = new WeakMap<OpenAPIHono<AppEnv>, Map<string, Security>>()

function describedSecurity(app: OpenAPIHono<AppEnv>): Map<string, Security> {
  const made = known.get(app) ?? new Map<string, Security>()
  if (known.has(app)) return made
  for (const definition of app.openAPIRegistry.definitions) {
    if (definition.type !== 'route') continue
    const { method, path, security = [] } = definition.route
    made.set(`${method.toUpperCase()} ${path.replaceAll(/{(\w+)}/g, ':$1')}`, security)
  }
  known.set(app, made)
  return made
}

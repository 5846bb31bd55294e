import type { OpenAPIHono } from '@hono/zod-openapi'
import { matchedRoutes } from 'hono/route'
import { findByApiKey } from '#db/accounts/api-keys.ts'
import type { Account } from '#db/schema.ts'
import { assertApiAccess, KEY_PREFIX } from '#domain/accounts/api-key.ts'
import { DomainError } from '#domain/error.ts'
import { isToken } from '#routes/_http/cookies.ts'
import type { AppContext, AppEnv } from '#routes/_http/deps.ts'
import { limit } from '#routes/_http/rate-limits.ts'

/** The key that an API call carries, if it carries one. Pages know sessions alone. */
export function readApiKey(c: AppContext): string | undefined {
  const sent = c.req.header('Authorization')?.match(/^Bearer +(dqk_\S*)$/i)?.[1]
  return c.req.path.startsWith('/api/') ? sent : undefined
}

/**
 * The account that a key acts for. Throws unauthenticated for a key that opens nothing, forbidden
 * for a call that keys may not make and while the plan has no API access, and too_many.
 */
export async function requireKeyAccount(
  c: AppContext,
  app: OpenAPIHono<AppEnv>,
  key: string,
): Promise<Account> {
  const { db, clock } = c.var.deps
  const found = isToken(key.slice(KEY_PREFIX.length)) && (await findByApiKey(db, key, clock()))
  if (!found) throw new DomainError('unauthenticated', 'Not authenticated')
  limit(c, ['api-key', found.id])
  assertApiAccess(found.account)
  if (!mayBeMadeByKeys(app, c)) {
    throw new DomainError('forbidden', 'API keys may not make this call')
  }
  return found.account
}

/** What a call's own description says: keys are let in where it names them, and nowhere else. */
function mayBeMadeByKeys(app: OpenAPIHono<AppEnv>, c: AppContext): boolean {
  const asked = matchedRoutes(c).filter(({ method }) => method !== 'ALL')
  const calls = keyCallsOf(app)
  // What is not there is answered as such.
  return asked.length === 0 || asked.some(({ method, path }) => calls.has(`${method} ${path}`))
}

const keyCalls = new WeakMap<OpenAPIHono<AppEnv>, Set<string>>()

function keyCallsOf(app: OpenAPIHono<AppEnv>): Set<string> {
  const known = keyCalls.get(app)
  if (known) return known
  const calls = new Set<string>()
  for (const definition of app.openAPIRegistry.definitions) {
    if (definition.type !== 'route') continue
    const { method, path, security = [] } = definition.route
    if (!security.some((each) => 'api_key' in each)) continue
    calls.add(`${method.toUpperCase()} ${path.replaceAll(/{(\w+)}/g, ':$1')}`)
  }
  keyCalls.set(app, calls)
  return calls
}

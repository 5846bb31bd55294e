import { createMiddleware } from 'hono/factory'
import { readApiKey } from '#routes/_http/accounts/api-keys.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import type { Deps } from '#routes/_http/deps.ts'

const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key',
  // The longest that browsers keep.
  'Access-Control-Max-Age': '7200',
}

/** The headers of answers that scripts of other sites may read, besides those that all may. */
const EXPOSED = [
  'Content-Disposition',
  'ETag',
  'Label-Warning',
  'Link',
  'RateLimit',
  'RateLimit-Policy',
  'Refusal',
  'Retry-After',
  'X-Request-Id',
  'X-Total-Count',
].join(', ')

/**
 * Lets browsers hand answers to calls with an API key to the pages of `API_ORIGINS`, and no answers to calls with a
 * cookie or without a credential. It answers their preflights.
 */
export function shareWithOrigins({ config: { apiOrigins } }: Deps) {
  return createMiddleware<AppEnv>(async function shareWithOrigins(c, next) {
    if (apiOrigins.length === 0) return next()
    // Set before the handler runs: changing a finished response would build it a second time.
    c.header('Vary', 'Origin', { append: true })
    const origin = c.req.header('Origin')
    if (origin === undefined || !apiOrigins.includes(origin)) return next()
    const isAsked = isPreflight(c)
    if (!isAsked && readApiKey(c) === undefined) return next()
    c.header('Access-Control-Allow-Origin', origin)
    if (isAsked) return c.body(null, 204, PREFLIGHT)
    c.header('Access-Control-Expose-Headers', EXPOSED)
    await next()
  })
}

/** Checks whether a browser asks before a request that may have an API key. */
function isPreflight(c: AppContext): boolean {
  const asked = c.req
    .header('Access-Control-Request-Headers')
    ?.toLowerCase()
    .split(/[\s,]+/)
  const method = c.req.header('Access-Control-Request-Method')
  return c.req.method === 'OPTIONS' && Boolean(method && asked?.includes('authorization'))
}

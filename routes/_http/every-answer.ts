import { createMiddleware } from 'hono/factory'
import { randomId } from '#db/secrets.ts'
import type { FinderContext, FinderEnv } from '#routes/_http/context.ts'
import type { FinderDeps } from '#routes/_http/deps.ts'
import { commonHeaders } from '#routes/_http/headers.ts'

export const READING_METHODS = ['GET', 'HEAD']

/**
 * Sets the dependencies and the id of each request. Counts it when it is done, and logs one line.
 * `routeOf` names its route by a template.
 */
export function requestLog(deps: FinderDeps, routeOf: (c: FinderContext) => string) {
  return createMiddleware<FinderEnv>(async function requestLog(c, next) {
    const startedAt = performance.now()
    const requestId = randomId()
    c.set('deps', deps)
    c.set('requestId', requestId)
    await next()
    const route = routeOf(c)
    const ms = performance.now() - startedAt
    deps.metrics.noteRequest(route, c.res.status, ms / 1000)
    const level = READING_METHODS.includes(c.req.method) ? 'debug' : 'info'
    if (!deps.log.isLevelEnabled(level)) return
    deps.log[level]({
      requestId,
      method: c.req.method,
      route,
      status: c.res.status,
      ms: Math.round(ms),
    })
  })
}

/** Sets the headers of every answer. The scan page and files override some of them. */
export function secureHeaders(deps: FinderDeps) {
  const headers = Object.entries(commonHeaders(deps.config))
  return createMiddleware<FinderEnv>(function secureHeaders(c, next) {
    // Set before the handler runs: changing a finished response would build it a second time.
    for (const [name, value] of headers) c.header(name, value)
    c.header('X-Request-Id', c.var.requestId)
    return next()
  })
}

/** Sets the headers of `secureHeaders` at no cost for answers that `hasAllHeaders` marks. */
export function missingHeaders(deps: FinderDeps) {
  const headers = Object.entries(commonHeaders(deps.config))
  return createMiddleware<FinderEnv>(async function missingHeaders(c, next) {
    await next()
    if (c.get('hasAllHeaders')) return
    for (const [name, value] of headers) if (!c.res.headers.has(name)) c.header(name, value)
    c.header('X-Request-Id', c.get('requestId'))
  })
}

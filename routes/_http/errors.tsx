import type { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { ErrorPage } from '#components/site/error-page.tsx'
import { asDatabaseRefusal } from '#db/errors.ts'
import { SET_UP_FACTOR, SET_UP_HREF } from '#domain/accounts/second-factor.ts'
import { DomainError, type ErrorKind } from '#domain/error.ts'
import { formatRefusal } from '#locales/format.ts'
import type { AppEnv, FinderContext } from '#routes/_http/context.ts'
import { readSessionCookie, rememberPage } from '#routes/_http/cookies.ts'
import { keptQuery, wordsOf } from '#routes/_http/language.ts'
import { Redirect } from '#routes/_http/redirect.ts'
import { renderPage } from '#routes/_http/render.tsx'
import { asRefusal } from '#storage/files.ts'

export const STATUS: Record<ErrorKind, ContentfulStatusCode> = {
  invalid: 400,
  unauthenticated: 401,
  plan_limit: 402,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  unsupported: 415,
  too_many: 429,
  unavailable: 503,
}

/** Turns every error into an answer: JSON under /api, a page elsewhere. */
export function onError(thrown: Error, c: FinderContext): Response | Promise<Response> {
  if (thrown instanceof Redirect) return c.redirect(thrown.href)
  const error = asDatabaseRefusal(asRefusal(thrown)) as Error
  const { status, message, body } = describe(error, c)
  if (error !== thrown) logFailure(c, thrown)
  if (error instanceof DomainError && error.retryAfter !== undefined) {
    c.header('Retry-After', String(error.retryAfter))
  }
  if (isApi(c)) return c.json(body, status)
  if (status === 401) {
    rememberPage(c)
    return c.redirect(readSessionCookie(c) ? '/login?expired=1' : '/login', 303)
  }
  if (message === SET_UP_FACTOR) return c.redirect(SET_UP_HREF, 303)
  const words = wordsOf(c)
  const said = formatRefusal(words, message)
  const page = { title: said, description: said, sheet: 'public', status } as const
  const query = c.var.words && keptQuery(c)
  return renderPage(c, page, <ErrorPage words={words} query={query} message={said} />)
}

/** Hono says these of a body in words that are not for people. */
const UNREAD: Record<number, string> = {
  400: 'The request is not valid JSON',
  415: 'The request must be sent as application/json',
}

function describe(error: Error, c: FinderContext) {
  if (error instanceof DomainError) {
    const { kind, message, retryAfter, planLimit, confirm } = error
    const detail = planLimit ? { message, ...planLimit } : message
    const wait = retryAfter === undefined ? {} : { retry_after: retryAfter }
    const ask = confirm ? { confirm } : {}
    return { status: STATUS[kind], message, body: { detail, ...wait, ...ask } }
  }
  if (error instanceof HTTPException && error.status < 500) {
    const message = UNREAD[error.status] ?? error.message
    return { status: error.status as ContentfulStatusCode, message, body: { detail: message } }
  }
  if (isCutOff(error)) {
    const message = 'The request ended before it was complete'
    return { status: 400 as const, message, body: { detail: message } }
  }
  logFailure(c, error)
  const message = 'Something went wrong'
  return { status: 500 as const, message, body: { detail: message } }
}

/** Node's error for a body whose sender is gone, as a phone is that loses its network: no failure of this server. */
function isCutOff(error: Error): boolean {
  return error.message === 'aborted' && 'code' in error && error.code === 'ECONNRESET'
}

export function logFailure(c: FinderContext, err: Error): void {
  c.var.deps.log.error({ requestId: c.var.requestId, err }, 'request failed')
  c.var.deps.health.noteFailure()
}

/**
 * Redirects unknown pages to the home page, or to the page without the final slash. Answers 404 to unknown
 * API paths and 405 to wrong methods. Unknown well-known paths get 404 too: password managers request one that
 * never exists, and trust the redirect of /.well-known/change-password only if that one is missing.
 */
export function notFound(app: Hono<AppEnv>) {
  return function notFound(c: FinderContext): Response {
    const allowed = allowedMethods(app, c)
    if (allowed.length > 0) {
      c.header('Allow', allowed.join(', '))
      return isApi(c)
        ? c.json({ detail: 'Method not allowed' }, 405)
        : c.text('Method not allowed', 405)
    }
    if (isApi(c)) return c.json({ detail: 'Not found' }, 404)
    if (c.req.path.startsWith('/.well-known/')) return c.text('Not found', 404)
    return c.redirect(withoutSlash(app, c) ?? '/', 302)
  }
}

/** The page that a path is of without the slash that some programs put behind a link. */
function withoutSlash(app: Hono<AppEnv>, c: FinderContext): string | undefined {
  const { pathname, search } = new URL(c.req.url)
  const path = pathname.replace(/(?<!\/)\/+$/, '')
  return path !== pathname && isRouted(app, 'GET', path) ? path + search : undefined
}

/**
 * Answers 405 for a call such as `PUT /api/qr/create`, which otherwise would be one for the code `create`.
 * A `HEAD` is routed as a `GET`.
 */
export function refuseWrongMethods(app: Hono<AppEnv>) {
  return createMiddleware<AppEnv>(async function refuseWrongMethods(c, next) {
    const method = c.req.method === 'HEAD' ? 'GET' : c.req.method
    const known = wholePaths(app).get(c.req.path)
    if (known && !known.includes(method)) return c.notFound()
    await next()
  })
}

/** Answers for a path that leads nowhere before a guard asks who wants to see it. */
export function passKnown(app: Hono<AppEnv>) {
  return createMiddleware<AppEnv>(async function passKnown(c, next) {
    if (!METHODS.some((method) => isRouted(app, method, c.req.path))) return c.notFound()
    await next()
  })
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

const read = new WeakMap<Hono<AppEnv>, Map<string, string[]>>()

/** The methods of each path without parameters. */
function wholePaths(app: Hono<AppEnv>): Map<string, string[]> {
  const paths = read.get(app) ?? new Map<string, string[]>()
  if (read.has(app)) return paths
  for (const { method, path } of app.routes) {
    if (!METHODS.includes(method) || /[:*]/.test(path)) continue
    paths.set(path, [...(paths.get(path) ?? []), method])
  }
  read.set(app, paths)
  return paths
}

function allowedMethods(app: Hono<AppEnv>, c: FinderContext): string[] {
  const known = wholePaths(app).get(c.req.path)
  if (known) return METHODS.filter((method) => known.includes(method))
  return METHODS.filter((method) => method !== c.req.method && isRouted(app, method, c.req.path))
}

function isRouted(app: Hono<AppEnv>, method: string, path: string): boolean {
  const [handlers] = app.router.match(method, path)
  return handlers.some(([[, route]]) => route.method === method)
}

/** Checks whether the path belongs to the API: answers are JSON, and bearer tokens are accepted. */
export function isApi(c: FinderContext): boolean {
  return c.req.path === '/api' || c.req.path.startsWith('/api/')
}

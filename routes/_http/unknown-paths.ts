import type { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { type AppEnv, type FinderContext, isApi } from '#routes/_http/context.ts'

/**
 * Programs follow a redirect to a page without a word. Password managers request a path that never exists, and
 * trust the redirect of /.well-known/change-password only if that one is missing.
 */
const FOR_PROGRAMS = ['/.well-known/', '/assets/', '/internal/']

/**
 * Redirects unknown pages to the home page, or to the page without the final slash. Answers 404 to unknown
 * paths for programs, and 405 to wrong methods.
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
    if (FOR_PROGRAMS.some((start) => c.req.path.startsWith(start))) return c.text('Not found', 404)
    return c.redirect(withoutSlash(app, c) ?? '/', 302)
  }
}

/** Returns the path without the final slash that some programs add to a link, if it is a page. */
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

/** Answers for an unknown path before a guard requires an account. */
export function passKnown(app: Hono<AppEnv>) {
  return createMiddleware<AppEnv>(async function passKnown(c, next) {
    if (!METHODS.some((method) => isRouted(app, method, c.req.path))) return c.notFound()
    await next()
  })
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

const read = new WeakMap<Hono<AppEnv>, Map<string, string[]>>()

/** Returns the methods of each path without parameters. */
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

import type { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { DomainError } from '#domain/error.ts'
import { type AppEnv, type FinderContext, isApi } from '#routes/_http/context.ts'
import { answerProblem, wantsJson } from '#routes/_http/problems.ts'

/**
 * Paths for programs, which would take the home page for the file that they request. Password managers also request
 * a path that never exists, and trust /.well-known/change-password only if that path answers 404.
 */
const PROGRAM_PATHS = ['/.well-known/', '/assets/', '/internal/']

/**
 * Redirects unknown pages to the home page, or to the page without the trailing slash. Answers 404 to unknown
 * paths for programs and to clients that ask for JSON, and 405 to wrong methods.
 */
export function notFound(app: Hono<AppEnv>) {
  return function notFound(c: FinderContext): Response | Promise<Response> {
    const allowed = allowedMethods(app, c)
    if (allowed.length > 0) {
      c.header('Allow', allowed.join(', '))
      if (isForProgram(c)) return answerProblem(c, new DomainError('not_allowed.method'))
      return c.text('Method not allowed', 405)
    }
    if (isForProgram(c)) return answerProblem(c, new DomainError('not_found.path'))
    if (PROGRAM_PATHS.some((start) => c.req.path.startsWith(start))) return c.text('Not found', 404)
    return c.redirect(withoutTrailingSlash(app, c) ?? '/', 302)
  }
}

/** Answers every path of a worker but those of monitoring. */
export function noPages(c: FinderContext): Promise<Response> {
  return answerProblem(c, new DomainError('not_found.worker'))
}

function isForProgram(c: FinderContext): boolean {
  return isApi(c) || wantsJson(c)
}

/** Returns the path without the trailing slash that some programs add to a link, if it is a page. */
function withoutTrailingSlash(app: Hono<AppEnv>, c: FinderContext): string | undefined {
  const { pathname, search } = new URL(c.req.url)
  const path = pathname.replace(/(?<!\/)\/+$/, '')
  return path !== pathname && isRouted(app, 'GET', path) ? path + search : undefined
}

/**
 * Answers 405 for a call such as `PUT /api/qr/create`, which the route of a code would otherwise take for a call
 * about the code `create`. A `HEAD` is routed as a `GET`.
 */
export function refuseWrongMethods(app: Hono<AppEnv>) {
  return createMiddleware<AppEnv>(async function refuseWrongMethods(c, next) {
    const method = c.req.method === 'HEAD' ? 'GET' : c.req.method
    const known = fixedPaths(app).get(c.req.path)
    if (known && !known.includes(method)) return c.notFound()
    await next()
  })
}

/** Answers an unknown path as `notFound` does, before a guard requires an account. */
export function refuseUnknownPaths(app: Hono<AppEnv>) {
  return createMiddleware<AppEnv>(async function refuseUnknownPaths(c, next) {
    if (!METHODS.some((method) => isRouted(app, method, c.req.path))) return c.notFound()
    await next()
  })
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

const pathsOf = new WeakMap<Hono<AppEnv>, Map<string, string[]>>()

/** Returns the methods of each path without parameters. Reads the routes once per application. */
function fixedPaths(app: Hono<AppEnv>): Map<string, string[]> {
  const paths = pathsOf.get(app) ?? new Map<string, string[]>()
  if (pathsOf.has(app)) return paths
  for (const { method, path } of app.routes) {
    if (!METHODS.includes(method) || /[:*]/.test(path)) continue
    paths.set(path, [...(paths.get(path) ?? []), method])
  }
  pathsOf.set(app, paths)
  return paths
}

function allowedMethods(app: Hono<AppEnv>, c: FinderContext): string[] {
  const known = fixedPaths(app).get(c.req.path)
  if (known) return METHODS.filter((method) => known.includes(method))
  return METHODS.filter((method) => method !== c.req.method && isRouted(app, method, c.req.path))
}

function isRouted(app: Hono<AppEnv>, method: string, path: string): boolean {
  const [handlers] = app.router.match(method, path)
  return handlers.some(([[, route]]) => route.method === method)
}

import { matchedRoutes } from 'hono/route'
import { METHOD_NAME_ALL } from 'hono/router'
import type { FinderContext } from '#routes/_http/context.ts'

/** Served by a middleware, so that it has no route of its own. */
export const ASSETS = '/assets/*'

/** Of every request that no route is for. */
const UNMATCHED = 'unmatched'

/** The route that a request is for, as the URL table has it, also when it was refused before. */
export function templateOf(c: FinderContext): string {
  const route = matchedRoutes(c).findLast(
    ({ method, path }) => method !== METHOD_NAME_ALL || path === ASSETS,
  )
  return route?.path ?? UNMATCHED
}

import type { IncomingMessage } from 'node:http'
import { Hono } from 'hono'
import type { FinderEnv } from '#routes/_http/context.ts'
import type { FinderDeps } from '#routes/_http/deps.ts'
import { onError } from '#routes/_http/errors.tsx'
import { missingHeaders, requestLog } from '#routes/_http/every-answer.ts'
import { scanPage } from '#routes/scan/index.tsx'

/** The only route here, as it is in the URL table. */
const SCAN_ROUTE = '/scan/:qr_id'

/**
 * The scan page by itself, for strangers: it is ready long before the rest of the application is
 * loaded, and its short table of routes is the quicker one to search.
 */
export function createFinderApp(deps: FinderDeps) {
  const app = new Hono<FinderEnv>({ strict: true })
  app.onError(onError)
  app.use(
    requestLog(deps, () => SCAN_ROUTE),
    missingHeaders(deps),
  )
  app.route('/scan', scanPage)
  return app
}

type Asked = Pick<IncomingMessage, 'method' | 'url' | 'headers'>

const SCAN_PAGE = /^\/scan\/[^/?#]+(?:\?|$)/

const LANGUAGE_ALONE = /^(?:lang=[a-z]*)?$/

/** Whether the request is for a scan page, without a token or a cookie but that of the language. */
export function isStrangersScan({ method, url = '', headers }: Asked): boolean {
  const { cookie = '', authorization } = headers
  return method === 'GET' && SCAN_PAGE.test(url) && LANGUAGE_ALONE.test(cookie) && !authorization
}

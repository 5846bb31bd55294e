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
 * Creates the application of the scan page alone, for strangers. It is ready long before the rest of the
 * application is loaded, and its short table of routes is quicker to search.
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

type RequestHead = Pick<IncomingMessage, 'method' | 'url' | 'headers'>

const SCAN_PAGE = /^\/scan\/[^/?#]+(?:\?|$)/

const LANGUAGE_ALONE = /^(?:lang=[a-z]*)?$/

/** Checks whether the request is for a scan page, without a token or any cookie but that of the language. */
export function isStrangersScan({ method, url = '', headers }: RequestHead): boolean {
  const { cookie = '', authorization } = headers
  return method === 'GET' && SCAN_PAGE.test(url) && LANGUAGE_ALONE.test(cookie) && !authorization
}

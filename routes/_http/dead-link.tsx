import { ErrorPage } from '#components/site/error-page.tsx'
import { DEAD_LINK } from '#domain/error.ts'
import { formatRefusal } from '#locales/format.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { isToken } from '#routes/_http/cookies.ts'
import { keptQuery, wordsOf } from '#routes/_http/language.ts'
import { limit } from '#routes/_http/rate-limits.ts'
import { renderPage } from '#routes/_http/render.tsx'

/** Returns the link away from a dead end: to the dashboard, or to the login for signed-out visitors. */
export function exitLink(c: AppContext): { href: string; label: string } {
  const { page, scan } = wordsOf(c)
  if (c.var.account) return { href: '/dashboard', label: scan.dashboard }
  return { href: '/login', label: page.login }
}

/** Returns the token of a link in the path, or an empty text for a malformed one. */
export function readPathToken(c: AppContext): string {
  const token = c.req.param('token') ?? ''
  return isToken(token) ? token : ''
}

/** Renders the page of a link that is used, expired or made up; `message` explains the possible causes. */
export function renderDeadLink(c: AppContext, message: string): Response {
  limit(c, 'link')
  const words = wordsOf(c)
  const title = formatRefusal(words, DEAD_LINK)
  const query = c.var.words && keptQuery(c)
  return renderPage(
    c,
    { title, description: title, sheet: 'public', status: 404 },
    <ErrorPage {...{ words, query, title, message }} links={[exitLink(c)]} />,
  )
}

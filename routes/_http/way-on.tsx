import { ErrorPage } from '#components/site/error-page.tsx'
import { DEAD_LINK } from '#domain/error.ts'
import { formatRefusal } from '#locales/format.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { isToken } from '#routes/_http/cookies.ts'
import { keptQuery, wordsOf } from '#routes/_http/language.ts'
import { limit } from '#routes/_http/rate-limits.ts'
import { renderPage } from '#routes/_http/render.tsx'

/** Where a page leads that has nothing for its visitor: the dashboard, or the login for who is signed out. */
export function wayOn(c: AppContext): { href: string; label: string } {
  const { page, scan } = wordsOf(c)
  if (c.var.account) return { href: '/dashboard', label: scan.dashboard }
  return { href: '/login', label: page.login }
}

/** The token of a link, which is in the path; empty for what cannot be one. */
export function readPathToken(c: AppContext): string {
  const token = c.req.param('token') ?? ''
  return isToken(token) ? token : ''
}

/** The page of a link that is used up, too late or made up; `message` says why that may be. */
export function renderDeadLink(c: AppContext, message: string): Response {
  limit(c, 'link')
  const words = wordsOf(c)
  const title = formatRefusal(words, DEAD_LINK)
  const query = c.var.words && keptQuery(c)
  return renderPage(
    c,
    { title, description: title, sheet: 'public', status: 404 },
    <ErrorPage {...{ words, query, title, message }} links={[wayOn(c)]} />,
  )
}

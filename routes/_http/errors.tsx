import { HTTPException } from 'hono/http-exception'
import { ErrorPage } from '#components/site/error-page.tsx'
import { asDatabaseRefusal } from '#db/errors.ts'
import { SET_UP_HREF } from '#domain/accounts/second-factor.ts'
import { DomainError } from '#domain/error.ts'
import { formatRefusal, type Refusal } from '#locales/refusal.ts'
import { type AppContext, type FinderContext, isApi } from '#routes/_http/context.ts'
import { isToken, readSessionCookie, rememberPage } from '#routes/_http/cookies.ts'
import { keptQuery, wordsOf } from '#routes/_http/language.ts'
import { Redirect } from '#routes/_http/lists.ts'
import { answerProblem, STATUS } from '#routes/_http/problems.ts'
import { limit } from '#routes/_http/rate-limits.ts'
import { renderPage } from '#routes/_http/render.tsx'
import { asRefusal } from '#storage/files.ts'

/** Turns every error into an answer: JSON under /api, a page elsewhere. */
export function onError(thrown: Error, c: FinderContext): Response | Promise<Response> {
  if (thrown instanceof Redirect) return c.redirect(thrown.href)
  const known = asDatabaseRefusal(asRefusal(thrown)) as Error
  if (known !== thrown) logFailure(c, thrown)
  const error = toRefusal(known, c)
  if (error.retryAfter !== undefined) c.header('Retry-After', String(error.retryAfter))
  if (isApi(c)) return answerProblem(c, error)
  const status = STATUS[error.kind]
  if (status === 401) {
    rememberPage(c)
    return c.redirect(readSessionCookie(c) ? '/login?expired=1' : '/login', 303)
  }
  if (error.code === 'forbidden.second_factor') return c.redirect(SET_UP_HREF, 303)
  const words = wordsOf(c)
  const said = formatRefusal(words, error.refusal)
  const page = { title: said, description: said, sheet: 'public', status } as const
  const query = c.var.words && keptQuery(c)
  const ways = error.code === 'forbidden.other_address' ? { links: [siteLink(c)] } : {}
  return renderPage(c, page, <ErrorPage words={words} query={query} message={said} {...ways} />)
}

/** Returns the link to the same page at the address of this site. */
function siteLink(c: FinderContext): { href: string; label: string } {
  const { publicUrl } = c.var.deps.config
  return { href: publicUrl + c.req.path, label: new URL(publicUrl).host }
}

/** Hono says these of a body in words that are not for people. */
const UNREAD: Record<number, Refusal> = { 400: 'invalid.json', 415: 'unsupported.json' }

function toRefusal(error: Error, c: FinderContext): DomainError {
  if (error instanceof DomainError) return error
  const unread = error instanceof HTTPException && UNREAD[error.status]
  if (unread) return new DomainError(unread)
  if (isCutOff(error)) return new DomainError('invalid.cut_off')
  logFailure(c, error)
  return new DomainError('fault.server')
}

/** Node's error for a body whose sender is gone, as a phone is that loses its network: no failure of this server. */
function isCutOff(error: Error): boolean {
  return error.message === 'aborted' && 'code' in error && error.code === 'ECONNRESET'
}

export function logFailure(c: FinderContext, err: Error): void {
  c.var.deps.log.error({ requestId: c.var.requestId, err }, 'request failed')
  c.var.deps.health.noteFailure()
}

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
  const title = formatRefusal(words, 'not_found.dead_link')
  const query = c.var.words && keptQuery(c)
  return renderPage(
    c,
    { title, description: title, sheet: 'public', status: 404 },
    <ErrorPage {...{ words, query, title, message }} links={[exitLink(c)]} />,
  )
}

import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { ErrorPage } from '#components/site/error-page.tsx'
import { asDatabaseRefusal } from '#db/errors.ts'
import { SET_UP_HREF } from '#domain/accounts/second-factor.ts'
import { offeredBy } from '#domain/codes/phones.ts'
import { DomainError, type ErrorKind } from '#domain/error.ts'
import { formatRefusal } from '#locales/refusal.ts'
import { type AppContext, type FinderContext, isApi } from '#routes/_http/context.ts'
import { isToken, readSessionCookie, rememberPage } from '#routes/_http/cookies.ts'
import { keptQuery, wordsOf } from '#routes/_http/language.ts'
import { Redirect } from '#routes/_http/lists.ts'
import { limit } from '#routes/_http/rate-limits.ts'
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
  if (isApi(c)) {
    // RFC 9110 wants it with every 401. Browsers ask nobody for a password because of this scheme.
    if (status === 401) c.header('WWW-Authenticate', 'Bearer')
    // Scripts of pages find the field of a refusal by its code.
    if (error instanceof DomainError) c.header('Refusal', error.code)
    return c.json(body, status)
  }
  if (status === 401) {
    rememberPage(c)
    return c.redirect(readSessionCookie(c) ? '/login?expired=1' : '/login', 303)
  }
  if (error instanceof DomainError && error.code === 'forbidden.second_factor')
    return c.redirect(SET_UP_HREF, 303)
  const words = wordsOf(c)
  const other = words.lang === 'en' ? message : words.otherwise.failed
  const said = error instanceof DomainError ? formatRefusal(words, error.refusal) : other
  const page = { title: said, description: said, sheet: 'public', status } as const
  const query = c.var.words && keptQuery(c)
  const ways = isOtherAddress(error) ? { links: [siteLink(c)] } : {}
  return renderPage(c, page, <ErrorPage words={words} query={query} message={said} {...ways} />)
}

function isOtherAddress(error: Error): boolean {
  return error instanceof DomainError && error.code === 'forbidden.other_address'
}

/** Returns the link to the same page at the address of this site. */
function siteLink(c: FinderContext): { href: string; label: string } {
  const { publicUrl } = c.var.deps.config
  return { href: publicUrl + c.req.path, label: new URL(publicUrl).host }
}

/** Hono says these of a body in words that are not for people. */
const UNREAD: Record<number, string> = {
  400: 'The request is not valid JSON',
  415: 'The request must be sent as application/json',
}

function describe(error: Error, c: FinderContext) {
  if (error instanceof DomainError) {
    const { kind, code, message, retryAfter, planLimit, confirm } = error
    const detail = planLimit ? { message, ...planLimit } : message
    const wait = retryAfter === undefined ? {} : { retry_after: retryAfter }
    const ask = confirm ? { confirm } : {}
    const anyway = offeredBy(code) ? { anyway: true } : {}
    return { status: STATUS[kind], message, body: { detail, ...wait, ...ask, ...anyway } }
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

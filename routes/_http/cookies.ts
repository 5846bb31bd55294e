import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { NewSession } from '#db/accounts/sessions.ts'
import { LONGEST_SESSION_DAYS } from '#domain/accounts/session.ts'
import { type Appearance, readAppearance } from '#domain/appearance.ts'
import type { FinderContext } from '#routes/_http/context.ts'

const TOKEN = /^[A-Za-z0-9_-]{43}$/

/** Returns undefined also when the cookie is sent twice, because one of the two may be planted. */
export function readSessionCookie(c: FinderContext): string | undefined {
  return readToken(c, sessionCookieName(c))
}

function readToken(c: FinderContext, name: string): string | undefined {
  const prefix = `${name}=`
  const values = (c.req.header('Cookie') ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix))
    .map((pair) => pair.slice(prefix.length))
  return values.length === 1 && TOKEN.test(values[0] ?? '') ? values[0] : undefined
}

/** Checks whether the text has the form of a token. */
export function isToken(text: string): boolean {
  return TOKEN.test(text)
}

export function setSessionCookie(c: FinderContext, session: NewSession): void {
  setCookie(c, sessionCookieName(c), session.cookieToken, {
    ...cookieAttributes(c),
    maxAge: LONGEST_SESSION_DAYS * 86_400,
  })
}

export function clearSessionCookie(c: FinderContext): void {
  deleteCookie(c, sessionCookieName(c), cookieAttributes(c))
}

const YEAR_SECONDS = 31_536_000

const APPEARANCE_COOKIE = 'driveqr_appearance'

export function appearanceOf(c: FinderContext): Appearance {
  return readAppearance(getCookie(c, APPEARANCE_COOKIE))
}

export function keepAppearance(c: FinderContext, appearance: Appearance): void {
  keepPreference(c, APPEARANCE_COOKIE, appearance, '/')
}

/** Stores a preference in this browser, for the pages under `path`. */
export function keepPreference(c: FinderContext, name: string, value: string, path: string): void {
  setCookie(c, name, value, { ...cookieAttributes(c), path, maxAge: YEAR_SECONDS })
}

/** Makes the functions of a cookie that keeps a secret of the browser for some seconds. */
function secretCookie(suffix: string, maxAge: number) {
  const nameOf = (c: FinderContext) => `${sessionCookieName(c)}-${suffix}`
  return {
    read: (c: FinderContext) => readToken(c, nameOf(c)),
    set(c: FinderContext, secret: string) {
      setCookie(c, nameOf(c), secret, { ...cookieAttributes(c), maxAge })
    },
    clear(c: FinderContext) {
      deleteCookie(c, nameOf(c), cookieAttributes(c))
    },
  }
}

/** One-time codes are bound to it. It lasts longer than a form for a code stays open. */
export const browserCookie = secretCookie('browser', 86_400)
/** A sign-in at the provider, which takes less time. */
export const signInCookie = secretCookie('sign-in', 1_800)

/** Longer than a registration takes. */
const LINK_SECONDS = 3_600
/** The link of a claimed code, which admits its holder where people need an invitation. */
export const takeCookie = secretCookie('take', LINK_SECONDS)
/** The link of an invitation, which admits the invited address. */
export const inviteCookie = secretCookie('invite', LINK_SECONDS)

/** The pages of links that a person opens before logging in: `/take/{token}`, `/transfer/{token}`, `/invite/{token}`. */
export const LINK_PAGES = ['take', 'transfer', 'invite'] as const
export type LinkPage = (typeof LINK_PAGES)[number]

/** Returns the token of a link that the dashboard redirects to after a login. Only the dashboard gets the cookie. */
export function readLinkCookie(c: FinderContext, page: LinkPage): string | undefined {
  return readToken(c, `driveqr_${page}`)
}

export function setLinkCookie(c: FinderContext, page: LinkPage, token: string): void {
  const attributes = { ...cookieAttributes(c), path: '/dashboard', maxAge: LINK_SECONDS }
  setCookie(c, `driveqr_${page}`, token, attributes)
}

export function clearLinkCookie(c: FinderContext, page: LinkPage): void {
  deleteCookie(c, `driveqr_${page}`, { ...cookieAttributes(c), path: '/dashboard' })
}

const CONTACT_COOKIE = 'driveqr_contact'
const CONTACT_SECONDS = 600

/** Keeps the contact of a registration for the login after it, which fills it in; no address has it. */
export function keepNewContact(c: FinderContext, contact: string): void {
  const attributes = { ...cookieAttributes(c), path: '/login', maxAge: CONTACT_SECONDS }
  setCookie(c, CONTACT_COOKIE, contact.trim(), attributes)
}

export function readNewContact(c: FinderContext): string | undefined {
  return getCookie(c, CONTACT_COOKIE)
}

const PAGE_COOKIE = 'driveqr_page'
/** Not the dashboard itself, to which a login leads anyway. Mails about tickets link to pages of admins. */
const OWN_PAGE = /^(\/settings|\/(admin-)?dashboard\?)[\w/?&=%.~+-]{0,500}$/

/** Remembers a page that was requested without a session, for after the login. */
export function rememberPage(c: FinderContext): void {
  const { pathname, search, searchParams } = new URL(c.req.url)
  const page = pathname + search
  // A script that asks for a part of a page shows another one.
  const isPage = c.req.method === 'GET' && !searchParams.has('part')
  if (!isPage || !OWN_PAGE.test(page)) return
  const attributes = { ...cookieAttributes(c), path: '/dashboard', maxAge: LINK_SECONDS }
  setCookie(c, PAGE_COOKIE, page, attributes)
}

/** Returns the page that was requested before the login, once. */
export function takeRememberedPage(c: FinderContext): string | undefined {
  const page = getCookie(c, PAGE_COOKIE)
  if (page === undefined) return undefined
  deleteCookie(c, PAGE_COOKIE, { ...cookieAttributes(c), path: '/dashboard' })
  return OWN_PAGE.test(page) ? page : undefined
}

function isHttps(c: FinderContext): boolean {
  return c.var.deps.config.publicUrl.startsWith('https:')
}

export function sessionCookieName(c: FinderContext): string {
  return isHttps(c) ? '__Host-driveqr' : 'driveqr'
}

export function cookieAttributes(c: FinderContext) {
  return { path: '/', httpOnly: true, secure: isHttps(c), sameSite: 'Lax' } as const
}

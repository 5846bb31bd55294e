import { deleteCookie, setCookie } from 'hono/cookie'
import { type NewSession, SESSION_COOKIE_SECONDS } from '#db/sessions.ts'
import type { AppContext } from '#routes/_deps.ts'

const TOKEN = /^[A-Za-z0-9_-]{43}$/

/** Undefined also when the cookie comes twice: one of the two was planted, and nobody knows which. */
export function readSessionCookie(c: AppContext): string | undefined {
  const prefix = `${sessionCookieName(c)}=`
  const values = (c.req.header('Cookie') ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix))
    .map((pair) => pair.slice(prefix.length))
  return values.length === 1 && TOKEN.test(values[0] ?? '') ? values[0] : undefined
}

export function readBearerToken(header: string | undefined): string | undefined {
  const token = header?.match(/^Bearer +(\S+)$/i)?.[1]
  return token && TOKEN.test(token) ? token : undefined
}

export function setSessionCookie(c: AppContext, session: NewSession): void {
  setCookie(c, sessionCookieName(c), session.cookieToken, {
    ...cookieAttributes(c),
    maxAge: SESSION_COOKIE_SECONDS,
  })
}

export function clearSessionCookie(c: AppContext): void {
  deleteCookie(c, sessionCookieName(c), cookieAttributes(c))
}

const YEAR_SECONDS = 31_536_000

/** Remembers on this device what somebody chose, for the pages under `path`. */
export function keepPreference(c: AppContext, name: string, value: string, path: string): void {
  setCookie(c, name, value, { ...cookieAttributes(c), path, maxAge: YEAR_SECONDS })
}

function isHttps(c: AppContext): boolean {
  return c.var.deps.config.publicUrl.startsWith('https:')
}

export function sessionCookieName(c: AppContext): string {
  return isHttps(c) ? '__Host-driveqr' : 'driveqr'
}

function cookieAttributes(c: AppContext) {
  return { path: '/', httpOnly: true, secure: isHttps(c), sameSite: 'Lax' } as const
}

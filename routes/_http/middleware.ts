import type { OpenAPIHono } from '@hono/zod-openapi'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { endDuePermissions } from '#db/accounts/permission-types.ts'
import type { Session } from '#db/accounts/sessions.ts'
import { DomainError } from '#domain/error.ts'
import { findKeyAccount, readApiKey } from '#routes/_http/accounts/api-keys.ts'
import { readBearerToken, readSessionCookie } from '#routes/_http/cookies.ts'
import type { AppContext, AppEnv } from '#routes/_http/deps.ts'
import { isApi } from '#routes/_http/errors.tsx'
import { READING_METHODS } from '#routes/_http/every-answer.ts'
import { limit } from '#routes/_http/rate-limits.ts'

const JSON_LIMIT_BYTES = 64 * 1024

const limitSentBody = bodyLimit({
  maxSize: JSON_LIMIT_BYTES,
  onError: () => {
    throw new DomainError('too_large', 'The request is larger than 64 KB')
  },
})

/** Read as streams, under limits of their own: `withUpload` in `storage/uploads.ts`. */
const UPLOADS = [
  /^\/api\/documents\/upload\/[^/]+$/,
  /^\/api\/popup-images\/upload$/,
  /^\/dashboard\/(?:documents|popup-images)\/upload$/,
  /^\/(?:api\/subscription|dashboard)\/upgrade\/[^/]+\/screenshot$/,
]

/** Only asking a GET for its body makes the server build a whole `Request` for it, each time. */
export const limitBody = createMiddleware<AppEnv>(async function limitBody(c, next) {
  const { method, path } = c.req
  const isLimited = !READING_METHODS.includes(method) && !UPLOADS.some((each) => each.test(path))
  return isLimited ? limitSentBody(c, next) : next()
})

/**
 * What was given for a time ends on time: before somebody who signs in, is signed in or changes
 * something could go by it. What strangers read is the same either way, and does not wait.
 */
export const endPermissions = createMiddleware<AppEnv>(async function endPermissions(c, next) {
  const isStranger = !c.req.header('Cookie') && !c.req.header('Authorization')
  if (!isStranger || !READING_METHODS.includes(c.req.method)) {
    const { db, clock } = c.var.deps
    await endDuePermissions(db, clock())
  }
  await next()
})

/** Whatever it is that an admin changes, it counts alike. Strangers are refused elsewhere. */
export const limitAdminWrites = createMiddleware<AppEnv>(async function limitAdminWrites(c, next) {
  if (c.var.account && !READING_METHODS.includes(c.req.method)) limit(c, 'admin-write')
  await next()
})

/**
 * Finds who asks and refuses what another site makes a browser send. The API goes by API key, bearer
 * token or cookie; pages and their forms by the cookie alone, which no script can read. `app` knows
 * which of its calls keys may make.
 */
export function findCaller(app: OpenAPIHono<AppEnv>) {
  return createMiddleware<AppEnv>(async function findCaller(c, next) {
    const key = readApiKey(c)
    if (key) {
      const found = await findKeyAccount(c, app, key)
      c.set('account', found?.account)
      c.set('credential', found && { kind: 'api key', id: found.id })
    } else await findSession(c)
    await next()
  })
}

async function findSession(c: AppContext): Promise<void> {
  const byBearer = isApi(c) ? await findBearerSession(c) : undefined
  if (!byBearer) refuseCrossSite(c)
  const session = byBearer ?? (await findCookieSession(c))
  c.set('session', session)
  c.set('account', session?.account)
  c.set('credential', session && { kind: 'session', id: session.id })
}

async function findBearerSession(c: AppContext): Promise<Session | undefined> {
  const token = readBearerToken(c.req.header('Authorization'))
  return token ? c.var.deps.sessions.findByBearer(token) : undefined
}

/** The session of the browser's cookie, whoever a bearer token beside it says is asking. */
export async function findCookieSession(c: AppContext): Promise<Session | undefined> {
  const token = readSessionCookie(c)
  return token ? c.var.deps.sessions.findByCookie(token) : undefined
}

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']

/**
 * No cookie opens what these forms open, and a page that tells nobody its address makes browsers
 * send `Origin: null`, with no `Sec-Fetch-Site` beside it where the service runs without https.
 */
const PIN_FORMS = '/scan/'

/**
 * Their pages tell nobody their address either, and what they do anybody may do: at most a claim
 * goes to the wrong account.
 */
const OPEN_FORMS = /^\/(?:claim|child-register|reset-password|take\/[^/]+)$/

/**
 * Browsers say where an unsafe request comes from. `Sec-Fetch-Site` is believed first, the exact
 * `Origin` is the fallback, and a cookie without either is refused; without a cookie there is no
 * browser to protect.
 */
function refuseCrossSite(c: AppContext): void {
  if (SAFE_METHODS.includes(c.req.method) || c.req.path.startsWith(PIN_FORMS)) return
  const site = c.req.header('Sec-Fetch-Site')
  const origin = c.req.header('Origin')
  const sameOrigin = site
    ? site === 'same-origin' || site === 'none'
    : origin
      ? origin === c.var.deps.config.publicUrl || (origin === 'null' && OPEN_FORMS.test(c.req.path))
      : !c.req.header('Cookie')
  if (!sameOrigin) throw new DomainError('forbidden', 'This request came from another site')
}

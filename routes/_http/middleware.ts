import type { OpenAPIHono } from '@hono/zod-openapi'
import { createMiddleware } from 'hono/factory'
import { hasFactor } from '#db/accounts/factor-state.ts'
import { endDuePermissions } from '#db/accounts/permission-types.ts'
import type { Session } from '#db/accounts/sessions.ts'
import type { Account } from '#db/schema.ts'
import { mustHaveFactor } from '#domain/accounts/second-factor.ts'
import { resolveBrand } from '#domain/brands/brand.ts'
import { DomainError } from '#domain/error.ts'
import { findKeyAccount, readApiKey, readBearerToken } from '#routes/_http/accounts/api-keys.ts'
import { applyParentsBrand, findDomainOwner } from '#routes/_http/brands/page-brand.ts'
import { type AppContext, type AppEnv, isApi } from '#routes/_http/context.ts'
import { readSessionCookie } from '#routes/_http/cookies.ts'
import { refuseCrossSite } from '#routes/_http/cross-site.ts'
import { READING_METHODS } from '#routes/_http/every-answer.ts'
import { ownersDomainHeaders } from '#routes/_http/headers.ts'
import { limit } from '#routes/_http/rate-limits.ts'

/**
 * Ends expired temporary permissions before each request that could use them. Requests without
 * credentials that only read are not affected, and do not wait.
 */
export const endPermissions = createMiddleware<AppEnv>(async function endPermissions(c, next) {
  const isStranger = !c.req.header('Cookie') && !c.req.header('Authorization')
  if (!isStranger || !READING_METHODS.includes(c.req.method)) {
    const { db, clock } = c.var.deps
    await endDuePermissions(db, clock())
  }
  await next()
})

/** Counts all changes by an admin together. Callers without an account are refused elsewhere. */
export const limitAdminWrites = createMiddleware<AppEnv>(async function limitAdminWrites(c, next) {
  if (c.var.account && !READING_METHODS.includes(c.req.method)) limit(c, 'admin-write')
  await next()
})

/**
 * Sets the caller's account and refuses cross-site requests. The API accepts an API key, a bearer
 * token or the cookie. Pages and their forms accept only the cookie, which no script can read. The
 * routes of `app` declare which calls accept API keys.
 */
export function setCaller(app: OpenAPIHono<AppEnv>) {
  return createMiddleware<AppEnv>(async function setCaller(c, next) {
    const key = readApiKey(c)
    if (key) {
      const found = await findKeyAccount(c, app, key)
      await setAccount(c, found?.account)
      c.set('credential', found && { kind: 'api key', id: found.id })
      c.set('keyScopes', found?.scopes)
    } else await setSession(c)
    await next()
  })
}

async function setSession(c: AppContext): Promise<void> {
  const token = isApi(c) ? readBearerToken(c.req.header('Authorization')) : undefined
  const byBearer = token ? await c.var.deps.sessions.findByBearer(token) : undefined
  const session = byBearer ?? (await findCookieSession(c))
  c.set('session', session)
  await setAccount(c, session?.account)
  c.set('credential', session && { kind: 'session', id: session.id })
  // After the account is known, because the page of the refusal has its brand.
  if (!byBearer) refuseCrossSite(c)
}

/** Sets the account of the request. One that must set up a second factor is only its `holder` until then. */
async function setAccount(c: AppContext, account: Account | undefined): Promise<void> {
  const { config, db } = c.var.deps
  if (account) await applyParentsBrand(c, account)
  const isRequired = account && mustHaveFactor(config.requireSecondFactor, account.role)
  const isComplete = !isRequired || (await hasFactor(db, account.id))
  c.set(isComplete ? 'account' : 'holder', account)
}

/** Finds the session of the cookie, even if a bearer token identifies another account. */
export async function findCookieSession(c: AppContext): Promise<Session | undefined> {
  const token = readSessionCookie(c)
  return token ? c.var.deps.sessions.findByCookie(token) : undefined
}

/**
 * The paths that an owner's domain serves: the finder's pages, with the files and calls that they need, and the proof of the domain.
 * PUBLIC_URL alone serves everything else, the product's icons too.
 */
const FINDERS =
  /^\/(?:\.well-known\/driveqr-domain$|(?:scan|c|police|api\/scan|api\/files)\/|assets\/(?!icon|apple|favicon)|(?:claim|child-register|api\/qr\/(?:claim|child-register|forgot-password))$)/
/** The pages that the finder's pages link to for people who have or make an account. */
const ELSEWHERE = /^\/(?:(?:login|privacy)$|(?:take|transfer)\/)/

/** Refuses a request whose `Host` is not valid in a URL, such as `999.1`. */
export const requireHost = createMiddleware<AppEnv>(async function requireHost(c, next) {
  if (!URL.canParse(c.req.url)) throw new DomainError('invalid.host')
  await next()
})

/** Limits an owner's domain to the finder's pages of its codes. */
export const limitOwnersDomain = createMiddleware<AppEnv>(
  async function limitOwnersDomain(c, next) {
    const host = await findDomainOwner(c)
    if (!host) return next()
    c.set('domainOwner', host)
    const { config, clock } = c.var.deps
    for (const [name, value] of Object.entries(ownersDomainHeaders(config))) c.header(name, value)
    if (FINDERS.test(c.req.path)) return next()
    const { pathname, search } = new URL(c.req.url)
    if (ELSEWHERE.test(pathname)) return c.redirect(config.publicUrl + pathname + search, 302)
    c.set('brand', resolveBrand(host, clock()).brand)
    throw new DomainError('not_found.host')
  },
)

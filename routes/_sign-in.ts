import type { z } from '@hono/zod-openapi'
import { findAccountByContact } from '#db/accounts.ts'
import { fromFlag } from '#db/cast.ts'
import { forgetLoginFailures, takeLoginTry } from '#db/login-failures.ts'
import { isCurrentPassword } from '#db/passwords.ts'
import type { Account } from '#db/schema.ts'
import { hashToken, verifyPassword } from '#db/secrets.ts'
import { contactText, normalizeEmail, parseContact } from '#domain/contact.ts'
import { DomainError } from '#domain/error.ts'
import type { loginForm } from '#routes/_account-forms.ts'
import { clearSessionCookie, setSessionCookie } from '#routes/_cookies.ts'
import type { AppContext } from '#routes/_deps.ts'
import { rememberDevice } from '#routes/_known-device.ts'
import { findCookieSession } from '#routes/_middleware.ts'
import { limitRefusals, noteReached, refuse } from '#routes/_rate-limits.ts'

export type SignedIn = { account: Account; bearerToken: string }

export async function login(
  c: AppContext,
  { contact: typed, password }: z.output<typeof loginForm>,
): Promise<SignedIn> {
  const contact = parseContact(typed)
  return limitRefusals(c, ['login-address'], async () => {
    const account = await findAccountByContact(c.var.deps.db, contact)
    let waitAfter = 0
    const matches = await verifyPassword(account?.password_hash ?? null, password, async () => {
      waitAfter = await countTry(c, contact ? contactText(contact) : normalizeEmail(typed))
    })
    if (account && matches) return signIn(c, account)
    if (waitAfter > 0) noteReached(c, 'login')
    throw wrongPair()
  })
}

/** Answers for how long the contact waits after this try, if it fails. Throws too_many. */
async function countTry(c: AppContext, contact: string): Promise<number> {
  const { db, secretKey, clock, config } = c.var.deps
  if (!config.rateLimits) return 0
  const { retryAfter, waitAfter } = await takeLoginTry(db, secretKey, contact, clock())
  if (retryAfter > 0) refuse(c, { retryAfter })
  return waitAfter
}

/** Opens a new session for an account that has proven itself; the browser's earlier one ends. */
export async function signIn(c: AppContext, account: Account): Promise<SignedIn> {
  const { db, secretKey, sessions } = c.var.deps
  await forgetLoginFailures(db, secretKey, account.id)
  if (!fromFlag(account.is_active)) {
    throw new DomainError('forbidden', 'Your account has been blocked. Please contact support.')
  }
  const earlier = await findCookieSession(c)
  const session = await sessions.start(account.id)
  // A reset may have ended all sessions while this one's password was being verified.
  if (!(await isCurrentPassword(db, account.id, account.password_hash))) {
    await sessions.end(hashToken(session.cookieToken))
    throw wrongPair()
  }
  if (earlier) await sessions.end(earlier.id)
  setSessionCookie(c, session)
  rememberDevice(c, account.id)
  return { account, bearerToken: session.bearerToken }
}

/** Ends the sessions that the request carries, which may be two: a cookie's and a bearer's. */
export async function signOut(c: AppContext): Promise<void> {
  const { sessions } = c.var.deps
  for (const session of [c.var.session, await findCookieSession(c)]) {
    if (session) await sessions.end(session.id)
  }
  clearSessionCookie(c)
}

function wrongPair(): DomainError {
  return new DomainError('unauthenticated', 'Invalid email or password')
}

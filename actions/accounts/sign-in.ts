import type { z } from '@hono/zod-openapi'
import { findAccountByContact } from '#db/accounts/accounts.ts'
import { isCurrentPassword } from '#db/accounts/passwords.ts'
import {
  endGuessRow,
  type Guesser,
  type TakenGuess,
  takeGuess,
} from '#db/accounts/wrong-guesses.ts'
import { fromFlag } from '#db/cast.ts'
import type { Account } from '#db/schema.ts'
import { hashToken, verifyPassword } from '#db/secrets.ts'
import { contactText, normalizeEmail, parseContact } from '#domain/accounts/contact.ts'
import { DomainError } from '#domain/error.ts'
import type { loginForm } from '#routes/_http/account-forms.ts'
import { clearSessionCookie, setSessionCookie } from '#routes/_http/cookies.ts'
import type { AppContext } from '#routes/_http/deps.ts'
import { guesserOf, guessSource, passwordTurn, unlessKnown } from '#routes/_http/guesser.ts'
import { rememberDevice } from '#routes/_http/known-device.ts'
import { findCookieSession } from '#routes/_http/middleware.ts'
import { limit, limitRefusals, noteReached, refuse } from '#routes/_http/rate-limits.ts'

export type SignedIn = { account: Account; bearerToken: string }

export async function login(
  c: AppContext,
  { contact: typed, password }: z.output<typeof loginForm>,
): Promise<SignedIn> {
  const parsed = parseContact(typed)
  const account = await findAccountByContact(c.var.deps.db, parsed)
  const contact = parsed ? contactText(parsed) : normalizeEmail(typed)
  const guesser = guesserOf(c, account, contact)
  return limitRefusals(c, unlessKnown(guesser, 'login-address'), async () => {
    const hash = account?.password_hash ?? null
    let guess: TakenGuess | undefined
    const matches = await verifyPassword(hash, password, passwordTurn(c, contact), async () => {
      guess = await countGuess(c, guesser)
    })
    if (account && matches) return signIn(c, account, guess?.n)
    if (guess?.next) noteReached(c, guess.next.limit)
    throw wrongPair()
  })
}

/** Counts a password as a wrong one until it is found to be right. Throws too_many. */
async function countGuess(c: AppContext, guesser: Guesser): Promise<TakenGuess | undefined> {
  const { db, clock } = c.var.deps
  const source = guessSource(c, guesser, 'password')
  if (!source) return undefined
  const guess = await takeGuess(db, source, clock())
  if ('n' in guess) return guess
  refuse(c, guess.wait)
}

/**
 * Opens a new session for an account that has proven itself; the browser's earlier one ends.
 * `guess` is what the right password was counted as.
 */
export async function signIn(c: AppContext, account: Account, guess?: number): Promise<SignedIn> {
  const { db, secretKey, sessions } = c.var.deps
  await endGuessRow(db, secretKey, guesserOf(c, account), guess)
  if (!fromFlag(account.is_active)) {
    throw new DomainError('forbidden', 'Your account has been blocked. Please contact support.')
  }
  limit(c, ['sign-in', account.id])
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

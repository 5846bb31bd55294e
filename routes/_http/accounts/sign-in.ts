import type { z } from '@hono/zod-openapi'
import { signInByPasskey } from '#actions/accounts/passkeys.ts'
import { assertNotRegistered, register } from '#actions/accounts/registration.ts'
import { signInByFactor, trustOwnDevice } from '#actions/accounts/second-factors.ts'
import {
  admitAccount,
  askSecondFactor,
  findLogin,
  findLostLogin,
  type HalfSignedIn,
  startSession,
  tryPassword,
} from '#actions/accounts/sign-in.ts'
import type { Caller } from '#db/accounts/credentials.ts'
import { type Use, wrongCredentials } from '#db/accounts/sessions.ts'
import { findTicketAccount } from '#db/accounts/sign-in-tickets.ts'
import type { AuthenticationResponseJSON } from '#db/passkeys/ceremonies.ts'
import type { Account } from '#db/schema.ts'
import { deadTicket } from '#domain/accounts/second-factor.ts'
import { DomainError } from '#domain/error.ts'
import { admissionOf, assertMayRegister } from '#routes/_http/accounts/admission.ts'
import {
  currentDevice,
  deviceOf,
  guesserOf,
  knownDevice,
  passwordQueueKeys,
  programHash,
  rememberDevice,
  unlessKnown,
} from '#routes/_http/accounts/device.ts'
import type { secondFactor } from '#routes/_http/accounts/factor-forms.ts'
import type { loginForm, registrationForm } from '#routes/_http/accounts/forms.ts'
import { codeUse, limitOtpTry } from '#routes/_http/accounts/one-time-codes.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { clearSessionCookie, setSessionCookie } from '#routes/_http/cookies.ts'
import { findCookieSession } from '#routes/_http/middleware.ts'
import { limit, limitRefusals, noteReached } from '#routes/_http/rate-limits.ts'

export type SignedIn = { account: Account; bearerToken: string }
export type { HalfSignedIn }

export async function login(
  c: AppContext,
  { contact: typed, password }: z.output<typeof loginForm>,
): Promise<SignedIn | HalfSignedIn> {
  const { deps } = c.var
  const { account, contact } = await findLogin(deps, typed)
  const guesser = guesserOf(c, account, contact)
  return limitRefusals(c, unlessKnown(guesser, 'login-address'), async () => {
    const queueKeys = passwordQueueKeys(c, contact)
    const tried = await tryPassword(deps, account, { password, guesser, queueKeys })
    if (tried.account) return signIn(c, tried.account)
    if (tried.next) noteReached(c, tried.next.limit)
    const login_id = await findLostLogin(deps, contact, { password, queueKeys })
    if (login_id) throw new DomainError({ code: 'unauthenticated.login_id', values: { login_id } })
    throw wrongCredentials()
  })
}

/** Signs an account in after its password or code was checked, or asks for its second factor. */
export async function signIn(c: AppContext, account: Account): Promise<SignedIn | HalfSignedIn> {
  const device = currentDevice(c, account)
  const half = await askSecondFactor(c.var.deps, account, device?.id)
  if (!half) return completeSignIn(c, account)
  limit(c, ['sign-in', account.id])
  return half
}

/** Signs an account in on this browser after all checks, and consumes `use`. */
export async function completeSignIn(
  c: AppContext,
  account: Account,
  use?: Use,
): Promise<SignedIn & { deviceId: string; caller: Caller }> {
  const { deps } = c.var
  await admitAccount(deps, account, guesserOf(c, account))
  limit(c, ['sign-in', account.id])
  const isKnown = knownDevice(c, account.id) !== undefined
  const session = await startSession(deps, account, {
    earlier: await findCookieSession(c),
    from: deviceOf(c),
    isKnown,
    programHash: isKnown ? undefined : programHash(c, account.id),
    use,
  })
  setSessionCookie(c, session)
  const deviceId = rememberDevice(c, account)
  const credential = { kind: 'session', id: session.sessionId } as const
  const caller = { accountId: account.id, credential }
  return { account, bearerToken: session.bearerToken, deviceId, caller }
}

/** Ends the sessions of the request's cookie and bearer token, which may differ. */
export async function signOut(c: AppContext): Promise<void> {
  const { sessions } = c.var.deps
  for (const session of [c.var.session, await findCookieSession(c)]) {
    if (session) await sessions.end(session.id)
  }
  clearSessionCookie(c)
}

/** Completes the second step of a sign-in. A trusted device skips it for 30 days. */
export async function passSecondFactor(
  c: AppContext,
  { ticket, typed, trust }: z.output<typeof secondFactor>,
): Promise<SignedIn> {
  const { deps } = c.var
  const held = await findTicketAccount(deps.db, ticket, deps.clock())
  if (!held) throw deadTicket()
  const guesser = guesserOf(c, held)
  const account = await limitRefusals(c, unlessKnown(guesser, 'login-address'), () =>
    signInByFactor(deps, ticket, { typed, guesser, from: deviceOf(c) }),
  )
  const signedIn = await completeSignIn(c, account)
  if (trust) await trustOwnDevice(deps, signedIn.caller, signedIn.deviceId, deviceOf(c))
  return signedIn
}

/** Signs in with a passkey, which is password and second factor in one. */
export async function signInWithPasskey(
  c: AppContext,
  answer: AuthenticationResponseJSON,
): Promise<SignedIn> {
  return limitRefusals(c, ['login-address'], async () => {
    const { account, use } = await signInByPasskey(c.var.deps, answer)
    return completeSignIn(c, account, use)
  })
}

/** Creates the account and signs in. */
export async function registerAndSignIn(
  c: AppContext,
  { otp, ...form }: z.output<typeof registrationForm>,
): Promise<SignedIn> {
  const { email } = form
  const use = codeUse(c, 'register', email)
  await assertNotRegistered(c.var.deps, use, otp)
  await assertMayRegister(c, email)
  // The OTP is checked first, because hashing is expensive.
  const code = await limitOtpTry(c, use, otp, guesserOf(c, undefined, email))
  const queueKeys = passwordQueueKeys(c, email)
  return completeSignIn(
    c,
    await register(c.var.deps, code, { ...form, queueKeys, admission: admissionOf(c) }),
  )
}

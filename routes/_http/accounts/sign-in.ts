import type { z } from '@hono/zod-openapi'
import {
  admitAccount,
  askSecondFactor,
  findLogin,
  type HalfSignedIn,
  startSession,
  tryPassword,
} from '#actions/accounts/sign-in.ts'
import type { Caller } from '#db/accounts/credentials.ts'
import { type Use, wrongPair } from '#db/accounts/sessions.ts'
import type { Account } from '#db/schema.ts'
import type { loginForm } from '#routes/_http/accounts/forms.ts'
import { guesserOf, passwordTurn, unlessKnown } from '#routes/_http/accounts/guesser.ts'
import {
  currentDevice,
  deviceOf,
  knownDevice,
  programHash,
  rememberDevice,
} from '#routes/_http/accounts/known-device.ts'
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
    const turn = passwordTurn(c, contact)
    const tried = await tryPassword(deps, account, { password, guesser, turn })
    if (tried.account) return signIn(c, tried.account)
    if (tried.next) noteReached(c, tried.next.limit)
    throw wrongPair()
  })
}

/** After the password or code of an account was checked, signs in on this browser or asks for more. */
export async function signIn(c: AppContext, account: Account): Promise<SignedIn | HalfSignedIn> {
  const device = currentDevice(c, account)
  const half = await askSecondFactor(c.var.deps, account, device?.id)
  if (!half) return enter(c, account)
  limit(c, ['sign-in', account.id])
  return half
}

/** Signs an account in on this browser, after everything was checked; `use` is used up by it. */
export async function enter(
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

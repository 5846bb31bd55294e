import type { z } from '@hono/zod-openapi'
import {
  beginAuthenticator,
  confirmAuthenticator,
  makeRecoveryCodes,
  signInByFactor,
  trustOwnDevice,
} from '#actions/accounts/second-factors.ts'
import { assertMayChangeContact } from '#db/accounts/profile.ts'
import { findTicketAccount } from '#db/accounts/sign-in-tickets.ts'
import { deadTicket } from '#domain/accounts/second-factor.ts'
import type { secondFactor } from '#routes/_http/accounts/forms.ts'
import { guesserOf, unlessKnown } from '#routes/_http/accounts/guesser.ts'
import { deviceOf, isKnownDeviceFrom } from '#routes/_http/accounts/known-device.ts'
import { enter, type SignedIn } from '#routes/_http/accounts/sign-in.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { requireHolder, requireHoldersCaller } from '#routes/_http/guards.ts'
import { limitChanges, limitRefusals } from '#routes/_http/rate-limits.ts'

/** The second step of a sign-in. A trusted device skips it for 30 days. */
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
  const signedIn = await enter(c, account)
  if (trust) await trustOwnDevice(deps, signedIn.caller, signedIn.deviceId, deviceOf(c))
  return signedIn
}

/**
 * A factor would shut a child user out, and let in whoever added it after the next reset too. So where an e-mail is
 * not changed after a reset, none is added, except by who may do nothing else before. Throws forbidden.
 */
export async function assertMayAddFactor(c: AppContext): Promise<void> {
  const { account, deps } = c.var
  if (!account) return
  await assertMayChangeContact(deps.db, account.id, (before) =>
    isKnownDeviceFrom(c, account.id, before),
  )
}

/** Begins the set-up of the holder's authenticator app. */
export async function beginOwnApp(c: AppContext): Promise<{ secret: string; url: string }> {
  await assertMayAddFactor(c)
  return beginAuthenticator(c.var.deps, requireHolder(c), requireHoldersCaller(c))
}

/** Turns the holder's authenticator app on. Returns the recovery codes. */
export async function turnOnApp(c: AppContext, code: string): Promise<string[]> {
  const account = requireHolder(c)
  await assertMayAddFactor(c)
  const guesser = guesserOf(c, account)
  return limitRefusals(c, unlessKnown(guesser, 'login-address'), () =>
    confirmAuthenticator(c.var.deps, requireHoldersCaller(c), { code, guesser, from: deviceOf(c) }),
  )
}

export async function renewCodes(c: AppContext): Promise<string[]> {
  const caller = requireHoldersCaller(c)
  limitChanges(c, caller.accountId, 'recovery-codes')
  return makeRecoveryCodes(c.var.deps, caller, deviceOf(c))
}

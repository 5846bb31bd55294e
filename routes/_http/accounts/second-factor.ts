import type { z } from '@hono/zod-openapi'
import {
  confirmAuthenticator,
  makeRecoveryCodes,
  signInByFactor,
} from '#actions/accounts/second-factors.ts'
import { trustDevice } from '#db/accounts/second-factors.ts'
import { findTicketAccount } from '#db/accounts/sign-in-tickets.ts'
import { secondsAfter } from '#db/cast.ts'
import { deadTicket, TRUST_DAYS } from '#domain/accounts/second-factor.ts'
import type { secondFactor } from '#routes/_http/accounts/forms.ts'
import { guesserOf, unlessKnown } from '#routes/_http/accounts/guesser.ts'
import { deviceOf } from '#routes/_http/accounts/known-device.ts'
import { enter, type SignedIn } from '#routes/_http/accounts/sign-in.ts'
import type { AppContext } from '#routes/_http/deps.ts'
import { requireHolder, requireHoldersCaller } from '#routes/_http/guards.ts'
import { limitRefusals } from '#routes/_http/rate-limits.ts'

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
    signInByFactor(deps, ticket, { typed, guesser }),
  )
  const signedIn = await enter(c, account)
  if (trust) {
    const now = deps.clock()
    const until = secondsAfter(now, TRUST_DAYS * 86_400)
    await trustDevice(deps.db, account.id, signedIn.deviceId, { now, until })
  }
  return signedIn
}

/** Turns the holder's authenticator app on. Returns the recovery codes. */
export async function turnOnApp(c: AppContext, code: string): Promise<string[]> {
  const account = requireHolder(c)
  const guesser = guesserOf(c, account)
  return limitRefusals(c, unlessKnown(guesser, 'login-address'), () =>
    confirmAuthenticator(c.var.deps, requireHoldersCaller(c), { code, guesser, from: deviceOf(c) }),
  )
}

export function renewCodes(c: AppContext): Promise<string[]> {
  return makeRecoveryCodes(c.var.deps, requireHoldersCaller(c), deviceOf(c))
}

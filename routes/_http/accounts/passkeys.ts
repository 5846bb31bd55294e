import type { z } from '@hono/zod-openapi'
import {
  askNewPasskey,
  makePasskey,
  requirePasskey,
  signInByPasskey,
} from '#actions/accounts/passkeys.ts'
import type { AuthenticationResponseJSON } from '#db/passkeys/ceremonies.ts'
import { guesserOf, unlessKnown } from '#routes/_http/accounts/guesser.ts'
import { deviceOf } from '#routes/_http/accounts/known-device.ts'
import type { newPasskey } from '#routes/_http/accounts/passkey-forms.ts'
import { assertMayAddFactor } from '#routes/_http/accounts/second-factor.ts'
import { enter, type SignedIn } from '#routes/_http/accounts/sign-in.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { requireHolder, requireHoldersCaller } from '#routes/_http/guards.ts'
import { limitChanges, limitRefusals } from '#routes/_http/rate-limits.ts'

/** What a browser is asked for a new passkey of the holder's account. */
export async function askOwnNewPasskey(c: AppContext) {
  await assertMayAddFactor(c)
  return askNewPasskey(c.var.deps, requireHolder(c))
}

/** Adds a passkey to the holder's account. */
export async function addOwnPasskey(c: AppContext, made: z.output<typeof newPasskey>) {
  await assertMayAddFactor(c)
  const caller = requireHoldersCaller(c)
  limitChanges(c, caller.accountId, 'passkey')
  return limitRefusals(c, unlessKnown(guesserOf(c, requireHolder(c)), 'login-address'), () =>
    makePasskey(c.var.deps, caller, { ...made, from: deviceOf(c) }),
  )
}

/** A passkey is password and second factor in one. */
export async function signInWithPasskey(
  c: AppContext,
  answer: AuthenticationResponseJSON,
): Promise<SignedIn> {
  return limitRefusals(c, ['login-address'], async () => {
    const { account, use } = await signInByPasskey(c.var.deps, answer)
    return enter(c, account, use)
  })
}

/** Checks a passkey of the signed-in account, under the limits of a sign-in. */
export function requireOwnPasskey(
  c: AppContext,
  answer: AuthenticationResponseJSON,
): Promise<void> {
  const account = requireHolder(c)
  return limitRefusals(c, unlessKnown(guesserOf(c, account), 'login-address'), () =>
    requirePasskey(c.var.deps, account.id, answer),
  )
}

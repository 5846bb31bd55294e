import type { z } from '@hono/zod-openapi'
import { newPasskeyOptions, registerPasskey } from '#actions/accounts/passkeys.ts'
import {
  beginAuthenticator,
  confirmAuthenticator,
  makeRecoveryCodes,
} from '#actions/accounts/second-factors.ts'
import { assertMayChangeContact } from '#db/accounts/profile.ts'
import {
  deviceOf,
  guesserOf,
  isKnownDeviceFrom,
  unlessKnown,
} from '#routes/_http/accounts/device.ts'
import type { newPasskey } from '#routes/_http/accounts/passkey-forms.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { requireHolder, requireHoldersCaller } from '#routes/_http/guards.ts'
import { limitChanges, limitRefusals } from '#routes/_http/rate-limits.ts'

/**
 * Refuses a new factor where the account may not change its e-mail after a reset: the factor would shut a child
 * user out, and would survive the next reset. A holder who must set up a factor first may add one. Throws
 * forbidden.
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

/** Returns the options with which a browser makes a new passkey of the holder's account. */
export async function askOwnNewPasskey(c: AppContext) {
  await assertMayAddFactor(c)
  return newPasskeyOptions(c.var.deps, requireHolder(c))
}

/** Adds a passkey to the holder's account. */
export async function addOwnPasskey(c: AppContext, made: z.output<typeof newPasskey>) {
  await assertMayAddFactor(c)
  const caller = requireHoldersCaller(c)
  limitChanges(c, caller.accountId, 'passkey')
  return limitRefusals(c, unlessKnown(guesserOf(c, requireHolder(c)), 'login-address'), () =>
    registerPasskey(c.var.deps, caller, { ...made, from: deviceOf(c) }),
  )
}

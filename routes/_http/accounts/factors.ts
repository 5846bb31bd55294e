import type { z } from '@hono/zod-openapi'
import { newPasskeyOptions, registerPasskey, requirePasskey } from '#actions/accounts/passkeys.ts'
import { requirePassword } from '#actions/accounts/password.ts'
import {
  beginAuthenticator,
  confirmAuthenticator,
  makeRecoveryCodes,
  requireFactor,
} from '#actions/accounts/second-factors.ts'
import { assertMayChangeContact } from '#db/accounts/profile.ts'
import type { AuthenticationResponseJSON } from '#db/passkeys/ceremonies.ts'
import type { Account } from '#db/schema.ts'
import { stripOtp } from '#domain/accounts/registration.ts'
import { DomainError } from '#domain/error.ts'
import {
  deviceOf,
  guesserOf,
  isKnownDeviceFrom,
  passwordQueueKeys,
  unlessKnown,
} from '#routes/_http/accounts/device.ts'
import type { newPasskey, shownForm } from '#routes/_http/accounts/factor-forms.ts'
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

/** The proofs of a confirmation, of which the first present one counts. */
export type Shown = z.output<typeof shownForm>

/** Checks that the holder uses the session. Throws invalid, unauthenticated and too_many. */
export async function requireShown(
  c: AppContext,
  account: Account,
  { password, code, passkey }: Shown,
): Promise<void> {
  if (password) return requireOwnPassword(c, account, password)
  if (passkey) return requireOwnPasskey(c, passkey)
  if (!code) throw new DomainError('invalid.password_or_code')
  const guesser = guesserOf(c, account)
  await limitRefusals(c, unlessKnown(guesser, 'login-address'), () =>
    requireFactor(c.var.deps, account.id, { code: stripOtp(code), guesser }),
  )
}

/** Checks the password of the signed-in account, under the limits of a sign-in. */
async function requireOwnPassword(
  c: AppContext,
  account: Account,
  password: string,
): Promise<void> {
  const guesser = guesserOf(c, account)
  const queueKeys = passwordQueueKeys(c, account.id)
  await limitRefusals(c, unlessKnown(guesser, 'login-address'), () =>
    requirePassword(c.var.deps, account, { password, guesser, queueKeys }),
  )
}

/** Checks a passkey of the signed-in account, under the limits of a sign-in. */
function requireOwnPasskey(c: AppContext, answer: AuthenticationResponseJSON): Promise<void> {
  const account = requireHolder(c)
  return limitRefusals(c, unlessKnown(guesserOf(c, account), 'login-address'), () =>
    requirePasskey(c.var.deps, account.id, answer),
  )
}

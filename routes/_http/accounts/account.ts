import type { z } from '@hono/zod-openapi'
import { type DeletionBegun, deleteAccount } from '#actions/accounts/deletion.ts'
import { changeEmail, sendEmailOtp } from '#actions/accounts/email-change.ts'
import { invalidOtp } from '#actions/accounts/one-time-codes.ts'
import { changePassword } from '#actions/accounts/password.ts'
import { editProfile } from '#actions/accounts/profile.ts'
import { emailCodeUse, findNewEmail } from '#db/accounts/email-changes.ts'
import type { Account } from '#db/schema.ts'
import { ownPasswordProblem } from '#domain/accounts/password-strength.ts'
import { OTP_VALID_SECONDS } from '#domain/accounts/registration.ts'
import { DomainError } from '#domain/error.ts'
import {
  deviceOf,
  guesserOf,
  isKnownDeviceFrom,
  passwordQueueKeys,
  rememberDevice,
} from '#routes/_http/accounts/device.ts'
import { requireShown } from '#routes/_http/accounts/factors.ts'
import type { ownPassword, profileChange } from '#routes/_http/accounts/forms.ts'
import {
  assertOtpCanBeSent,
  browserHash,
  limitOtpTry,
  otpDelivery,
} from '#routes/_http/accounts/one-time-codes.ts'
import { showsOneTimeCodes } from '#routes/_http/client-address.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { clearSessionCookie } from '#routes/_http/cookies.ts'
import { requireAccount, requireCaller } from '#routes/_http/guards.ts'
import { limitChanges, limitRefusals } from '#routes/_http/rate-limits.ts'

/**
 * Sets the password of the signed-in account after checking the present one, or a second factor in its place.
 * An account without a password has confirmed its holder before.
 */
export async function setOwnPassword(
  c: AppContext,
  { current, code, passkey, ...typed }: z.output<typeof ownPassword>,
): Promise<void> {
  const account = requireAccount(c)
  const problem = ownPasswordProblem(account.role, typed)
  if (problem) throw new DomainError(problem)
  if (account.password_hash !== null) {
    if (!current && !code && !passkey) {
      throw new DomainError('invalid.present_password')
    }
    await requireShown(c, account, { password: current, code, passkey })
  }
  limitChanges(c, account.id, 'password')
  const wanted = {
    password: typed.password,
    queueKeys: passwordQueueKeys(c, account.id),
    from: deviceOf(c),
  }
  const changed = await changePassword(c.var.deps, account, requireCaller(c), wanted)
  rememberDevice(c, changed)
}

export async function editOwnProfile(
  c: AppContext,
  change: z.output<typeof profileChange>,
): Promise<Account> {
  const { id, mobile } = requireAccount(c)
  const device = { isKnownSince: knownSince(c, id), from: deviceOf(c) }
  return limitRefusals(c, [['taken-mobile', id]], () => {
    if (change.mobile !== undefined && change.mobile !== mobile) limitChanges(c, id, 'mobile')
    return editProfile(c.var.deps, requireCaller(c), change, device)
  })
}

function knownSince(c: AppContext, accountId: string) {
  return (before: string) => isKnownDeviceFrom(c, accountId, before)
}

/** Mails an OTP to the address that the account changes to. In test mode the answer contains it. */
export async function askEmailOtp(
  c: AppContext,
  email: string,
): Promise<{ secondsLeft: number; testOtp: string | undefined }> {
  assertOtpCanBeSent(c)
  const account = requireAccount(c)
  const use = emailCodeUse(account.id, email, browserHash(c))
  // Counted as for a stranger: a known device must not get more codes mailed to other people's addresses.
  const delivery = otpDelivery(c, guesserOf(c, undefined, email))
  const change = { account, caller: requireCaller(c), email, use }
  const isKnownSince = knownSince(c, account.id)
  const otp = await sendEmailOtp(c.var.deps, { ...change, isKnownSince }, delivery)
  return { secondsLeft: OTP_VALID_SECONDS, testOtp: showsOneTimeCodes(c) ? otp : undefined }
}

/** Changes the address of the account to the one that a code was mailed to. */
export async function verifyNewEmail(c: AppContext, otp: string): Promise<Account> {
  const { deps } = c.var
  const account = requireAccount(c)
  const email = await findNewEmail(deps.db, account.id, deps.clock())
  if (!email) throw invalidOtp()
  const use = emailCodeUse(account.id, email, browserHash(c))
  // Counted for this account, so that it does not use up the guesses of the address's owner.
  const code = await limitOtpTry(c, use, otp, guesserOf(c, account, use.contact))
  return changeEmail(deps, requireCaller(c), code, { email, from: deviceOf(c) })
}

/** Begins to delete the signed-in account and signs it out. */
export async function deleteOwnAccount(c: AppContext, typed: string): Promise<DeletionBegun> {
  const begun = await deleteAccount(c.var.deps, requireCaller(c), { typed, from: deviceOf(c) })
  clearSessionCookie(c)
  return begun
}

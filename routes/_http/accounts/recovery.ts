import type { z } from '@hono/zod-openapi'
import { invalidOtp } from '#actions/accounts/one-time-codes.ts'
import {
  findRecoveryContact,
  loginByOtp,
  type RecoveryPurpose,
  resetByOtp,
  sendRecoveryOtp,
} from '#actions/accounts/recovery.ts'
import { requireLiveLink, resetByLink } from '#actions/families/reset-links.ts'
import type { OneTimeCode } from '#db/accounts/one-time-codes.ts'
import type { Account } from '#db/schema.ts'
import { deviceOf, guesserOf, passwordQueueKeys } from '#routes/_http/accounts/device.ts'
import type { contactForm, loginOtpForm, resetPasswordForm } from '#routes/_http/accounts/forms.ts'
import {
  assertOtpCanBeSent,
  codeUse,
  limitOtpTry,
  otpDelivery,
} from '#routes/_http/accounts/one-time-codes.ts'
import { type HalfSignedIn, type SignedIn, signIn } from '#routes/_http/accounts/sign-in.ts'
import { showsOneTimeCodes } from '#routes/_http/client-address.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { limitFailures } from '#routes/_http/rate-limits.ts'

/** Mails an OTP to the account of the contact. In test mode the answer contains it. */
export async function askRecoveryOtp(
  c: AppContext,
  purpose: RecoveryPurpose,
  { contact: typed }: z.output<typeof contactForm>,
): Promise<{ testOtp?: string | undefined }> {
  assertOtpCanBeSent(c)
  const { deps } = c.var
  const contact = await findRecoveryContact(deps, typed)
  if (!contact) return {}
  const delivery = otpDelivery(c, guesserOf(c, contact.account, contact.typed))
  const use = codeUse(c, purpose, contact.address)
  const otp = await sendRecoveryOtp(deps, use, contact, delivery)
  return showsOneTimeCodes(c) ? { testOtp: otp } : {}
}

export async function signInByOtp(
  c: AppContext,
  form: z.output<typeof loginOtpForm>,
): Promise<SignedIn | HalfSignedIn> {
  const { code, account } = await requireOwnCode(c, 'login', form)
  return signIn(c, await loginByOtp(c.var.deps, code, account.id))
}

export async function setPasswordByOtp(
  c: AppContext,
  form: Omit<z.output<typeof resetPasswordForm>, 'token'>,
): Promise<void> {
  const { code, account } = await requireOwnCode(c, 'reset', form)
  const queueKeys = passwordQueueKeys(c, account.id)
  const wanted = { password: form.password, queueKeys, from: deviceOf(c) }
  await resetByOtp(c.var.deps, code, { account, ...wanted })
}

async function requireOwnCode(
  c: AppContext,
  purpose: RecoveryPurpose,
  { contact: typed, otp }: { contact: string; otp: string },
): Promise<{ code: OneTimeCode; account: Account }> {
  const contact = await findRecoveryContact(c.var.deps, typed)
  if (!contact) throw invalidOtp()
  const { account, address } = contact
  const guesser = guesserOf(c, account, contact.typed)
  const code = await limitOtpTry(c, codeUse(c, purpose, address), otp, guesser)
  if (!account?.email) throw invalidOtp()
  return { code, account }
}

/** Sets a password by a link. Throws invalid and too_many. */
export async function setPasswordByLink(
  c: AppContext,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const { deps } = c.var
  // The token is checked first, because hashing is expensive.
  const tokenHash = await limitFailures(c, ['link'], () => requireLiveLink(deps, token))
  const queueKeys = passwordQueueKeys(c, tokenHash)
  await resetByLink(deps, tokenHash, { password, queueKeys, from: deviceOf(c) })
}

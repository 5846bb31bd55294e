import type { z } from '@hono/zod-openapi'
import {
  assertNotRegistered,
  register,
  sendRegistrationOtp,
} from '#actions/accounts/registration.ts'
import { findAccountByContact } from '#db/accounts/accounts.ts'
import { OTP_VALID_SECONDS } from '#domain/accounts/registration.ts'
import type { registrationForm, sendOtpForm } from '#routes/_http/accounts/forms.ts'
import { guesserOf, passwordTurn } from '#routes/_http/accounts/guesser.ts'
import {
  assertOtpCanBeSent,
  codeUse,
  limitOtpTry,
  otpDelivery,
} from '#routes/_http/accounts/one-time-codes.ts'
import { enter, type SignedIn } from '#routes/_http/accounts/sign-in.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { showsOneTimeCodes } from '#routes/_http/local-request.ts'

/** Mails an OTP to an address. In test mode the answer contains it. */
export async function askRegistrationOtp(
  c: AppContext,
  { email }: z.output<typeof sendOtpForm>,
): Promise<{ secondsLeft: number; testOtp: string | undefined }> {
  assertOtpCanBeSent(c)
  const { deps } = c.var
  const account = await findAccountByContact(deps.db, { kind: 'email', email })
  const delivery = otpDelivery(c, guesserOf(c, account, email))
  const use = codeUse(c, 'register', email)
  const otp = await sendRegistrationOtp(deps, use, account, delivery)
  return { secondsLeft: OTP_VALID_SECONDS, testOtp: showsOneTimeCodes(c) ? otp : undefined }
}

/** Creates the account and signs in. */
export async function registerAndSignIn(
  c: AppContext,
  { otp, ...form }: z.output<typeof registrationForm>,
): Promise<SignedIn> {
  const { email } = form
  const use = codeUse(c, 'register', email)
  await assertNotRegistered(c.var.deps, use, otp)
  // The OTP is checked first, because hashing is expensive.
  const code = await limitOtpTry(c, use, otp, guesserOf(c, undefined, email))
  const turn = passwordTurn(c, email)
  return enter(c, await register(c.var.deps, code, { ...form, turn }))
}

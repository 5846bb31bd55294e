import type { z } from '@hono/zod-openapi'
import { type OtpDelivery, requireRightOtp } from '#actions/accounts/one-time-codes.ts'
import { sendRegistrationOtp } from '#actions/accounts/registration.ts'
import { assertMailCanBeSent } from '#actions/mail.ts'
import { findProvenAccount } from '#db/accounts/address-proof.ts'
import type { CodeUse, OneTimeCode } from '#db/accounts/one-time-codes.ts'
import type { Guesser } from '#db/accounts/wrong-guesses.ts'
import { hashToken, randomToken } from '#db/secrets.ts'
import { mailboxOf } from '#domain/accounts/contact.ts'
import { OTP_VALID_SECONDS } from '#domain/accounts/registration.ts'
import { assertMayRegister } from '#routes/_http/accounts/admission.ts'
import { guesserOf, unlessKnown } from '#routes/_http/accounts/device.ts'
import type { sendOtpForm } from '#routes/_http/accounts/forms.ts'
import { showsOneTimeCodes } from '#routes/_http/client-address.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { browserCookie } from '#routes/_http/cookies.ts'
import {
  assertMailInBudget,
  checkTry,
  countMail,
  type Limited,
  limit,
  limitRefusals,
} from '#routes/_http/rate-limits.ts'

/** Sets the cookie that one-time codes are bound to, keeping its value if the browser has one. */
export function keepBrowser(c: AppContext): void {
  browserCookie.set(c, browserCookie.read(c) ?? randomToken())
}

/** Returns the hash of that secret, or '' for callers without the cookie, who count as one browser. */
export function browserHash(c: AppContext): string {
  const secret = browserCookie.read(c)
  return secret ? hashToken(secret) : ''
}

/** Returns the purpose, contact and browser that a code is bound to. */
export function codeUse<P extends CodeUse['purpose']>(c: AppContext, purpose: P, contact: string) {
  return { purpose, contact, browser_hash: browserHash(c) }
}

/**
 * Returns the delivery of a code to this caller. Limits count the contact as typed, so that they do not
 * reveal which two contacts belong to one account.
 */
export function otpDelivery(c: AppContext, asker: Guesser): OtpDelivery {
  return {
    isShown: showsOneTimeCodes(c),
    begin(isMailed) {
      const sender = asker.device?.accountId ?? asker.network
      assertMailInBudget(c, sender)
      limit(c, ...mailLimits(c, asker))
      if (isMailed) countMail(c, sender)
    },
  }
}

/**
 * Requests from elsewhere must not use up the limit of the account's known devices, nor keep new ones out: a network
 * has some codes of its own.
 */
function mailLimits(
  c: AppContext,
  { contacts: [typed = ''], network, device }: Guesser,
): Limited[] {
  if (device) return [['otp-mail-known', device.accountId]]
  const pair = JSON.stringify([mailboxOf(typed), network])
  const ofAll: Limited = ['otp-mail-contact', mailboxOf(typed)]
  const ofContact: Limited = checkTry(c, ofAll) ? ['otp-mail-own', pair] : ofAll
  return [ofContact, ['otp-mail-network', pair], 'otp-mail']
}

/** Checks a typed OTP under the limits and returns its code. Throws invalid or too_many. */
export async function limitOtpTry(
  c: AppContext,
  use: CodeUse,
  otp: string,
  guesser: Guesser,
): Promise<OneTimeCode> {
  return limitRefusals(c, unlessKnown(guesser, 'otp'), () =>
    requireRightOtp(c.var.deps, use, otp, guesser),
  )
}

/** Throws unavailable without a mail server, unless the answer shows the OTP. */
export function assertOtpCanBeSent(c: AppContext): void {
  if (!showsOneTimeCodes(c)) assertMailCanBeSent(c.var.deps)
}

/** Mails an OTP to an address. In test mode the answer contains it. Throws forbidden where the operator's rule refuses. */
export async function askRegistrationOtp(
  c: AppContext,
  { email }: z.output<typeof sendOtpForm>,
): Promise<{ secondsLeft: number; testOtp: string | undefined }> {
  await assertMayRegister(c, email)
  assertOtpCanBeSent(c)
  const { deps } = c.var
  const owner = await findProvenAccount(deps.db, email)
  const delivery = otpDelivery(c, guesserOf(c, owner, email))
  const use = codeUse(c, 'register', email)
  const otp = await sendRegistrationOtp(deps, use, owner, delivery)
  return { secondsLeft: OTP_VALID_SECONDS, testOtp: showsOneTimeCodes(c) ? otp : undefined }
}

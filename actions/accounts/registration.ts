import type { z } from '@hono/zod-openapi'
import {
  assertOtpCanBeSent,
  invalidOtp,
  issueOtp,
  requireRightOtp,
} from '#actions/accounts/one-time-codes.ts'
import { type SignedIn, signIn } from '#actions/accounts/sign-in.ts'
import { mailOrigin } from '#actions/mail.ts'
import { findAccountByContact } from '#db/accounts/accounts.ts'
import { registerAccount } from '#db/accounts/registrations.ts'
import { secondsUntil } from '#db/cast.ts'
import { hashPassword } from '#db/secrets.ts'
import { OTP_VALID_SECONDS, resendWaitMessage } from '#domain/accounts/registration.ts'
import { DomainError } from '#domain/error.ts'
import { accountExistsMail, registrationOtpMail } from '#mail/texts.ts'
import type { registrationForm, sendOtpForm } from '#routes/_http/account-forms.ts'
import type { AppContext } from '#routes/_http/deps.ts'
import { guesserOf, passwordTurn } from '#routes/_http/guesser.ts'
import { showsOneTimeCodes } from '#routes/_http/local-request.ts'

export type SentOtp = { secondsLeft: number; testOtp?: string }

/** Sends an OTP to an address, or to one that has an account a mail that says so. */
export async function sendRegistrationOtp(
  c: AppContext,
  { email }: z.output<typeof sendOtpForm>,
): Promise<SentOtp> {
  assertOtpCanBeSent(c)
  const { db, clock } = c.var.deps
  const account = await findAccountByContact(db, { kind: 'email', email })
  const asker = guesserOf(c, account, email)
  const asked = { purpose: 'register', contact: email, asker } as const
  const { otp, isNew, expiresAt } = await issueOtp(c, asked, (issued) => ({
    to: email,
    ...(account
      ? accountExistsMail({ ...mailOrigin(c), askedAt: clock() })
      : registrationOtpMail({ ...mailOrigin(c), ...issued })),
  }))
  if (!isNew) {
    const retryAfter = secondsUntil(expiresAt, clock())
    throw new DomainError('too_many', resendWaitMessage(retryAfter), { retryAfter })
  }
  return { secondsLeft: OTP_VALID_SECONDS, testOtp: showsOneTimeCodes(c) ? otp : undefined }
}

export function sentOtpMessage({ testOtp }: SentOtp): string {
  return testOtp
    ? `OTP Generated: ${testOtp} (Test Mode - No email sent)`
    : 'OTP sent to your email! Please check your inbox.'
}

/** Makes the account that the OTP allows, and signs in. */
export async function register(
  c: AppContext,
  { email, name, password, otp }: z.output<typeof registrationForm>,
): Promise<SignedIn> {
  const { db, clock } = c.var.deps
  const asked = {
    purpose: 'register',
    contact: email,
    asker: guesserOf(c, undefined, email),
  } as const
  // Before the password is hashed: guessing must not be what the processor is busy with.
  const code = await requireRightOtp(c, asked, otp)
  const password_hash = await hashPassword(password, passwordTurn(c, email))
  const account = await registerAccount(db, code, { name, email, password_hash }, clock())
  if (account === 'void') throw invalidOtp()
  if (account === 'taken') {
    const message = 'An account with this email already exists. Please log in.'
    throw new DomainError('conflict', message)
  }
  return signIn(c, account)
}

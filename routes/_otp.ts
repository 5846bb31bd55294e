import {
  type OneTimeCode,
  storeOneTimeCode,
  toOneTimeCode,
  withdrawOneTimeCode,
} from '#db/one-time-codes.ts'
import type { Instant, OneTimeCodePurpose } from '#db/schema.ts'
import { randomOtp } from '#db/secrets.ts'
import { DomainError } from '#domain/error.ts'
import { OTP_LENGTH } from '#domain/registration.ts'
import type { Mail } from '#mail/mailer.ts'
import type { AppContext } from '#routes/_deps.ts'
import { logMailFailure } from '#routes/_mail.ts'

/** `isNew` is false when the contact has an earlier code, which then is the one that counts. */
export type IssuedOtp = { otp: string; code: OneTimeCode; isNew: boolean; expiresAt: Instant }

export async function issueOtp(
  c: AppContext,
  purpose: OneTimeCodePurpose,
  contact: string,
): Promise<IssuedOtp> {
  const { db, secretKey, clock } = c.var.deps
  const otp = randomOtp(OTP_LENGTH)
  const code = toOneTimeCode(secretKey, purpose, contact, otp)
  const { stored, expiresAt } = await storeOneTimeCode(db, code, clock())
  return { otp, code, isNew: stored, expiresAt }
}

export function assertOtpCanBeSent(c: AppContext): void {
  const { config, mailer } = c.var.deps
  if (config.testMode || mailer.configured) return
  throw new DomainError('unavailable', 'Email is not configured')
}

/** Delivers the mail of a code, or takes the code back and throws. */
export async function deliverOtp(c: AppContext, code: OneTimeCode, mail: Mail): Promise<void> {
  const { db, mailer } = c.var.deps
  await mailer.send(mail).catch(async (error) => {
    await withdrawOneTimeCode(db, code)
    logMailFailure(c, error)
    throw new DomainError('unavailable', 'Failed to send OTP')
  })
}

export function invalidOtp(): DomainError {
  return new DomainError('invalid', 'Invalid or expired OTP')
}

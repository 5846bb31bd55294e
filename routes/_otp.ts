import { storeOneTimeCode, toOneTimeCode } from '#db/one-time-codes.ts'
import type { Instant, OneTimeCodePurpose } from '#db/schema.ts'
import { randomOtp } from '#db/secrets.ts'
import { DomainError } from '#domain/error.ts'
import type { Mail } from '#domain/mail.ts'
import { OTP_LENGTH } from '#domain/registration.ts'
import type { AppContext } from '#routes/_deps.ts'
import { assertMailCanBeSent, byMail } from '#routes/_mail.ts'
import { assertMayTry, countTry } from '#routes/_rate-limits.ts'

/** Counted when a code is new, whether or not there is an account for the mail to go to. */
const MAILED = ['otp-mail', 'otp-mail-all'] as const

/** `isNew` is false when the contact has an earlier code, which then is the one that counts. */
export type IssuedOtp = { otp: string; isNew: boolean; expiresAt: Instant }

/** Makes an OTP and puts the mail with it into the outbox, unless test mode shows it instead. */
export async function issueOtp(
  c: AppContext,
  { purpose, contact }: { purpose: OneTimeCodePurpose; contact: string },
  write: (issued: { otp: string; expiresAt: Instant }) => Mail | undefined,
): Promise<IssuedOtp> {
  const { db, secretKey, clock, config } = c.var.deps
  const otp = randomOtp(OTP_LENGTH)
  const code = toOneTimeCode(secretKey, purpose, contact, otp)
  const tell = byMail(c, (expiresAt: Instant) => {
    const mail = config.testMode ? undefined : write({ otp, expiresAt })
    return mail && { ...mail, expiresAt }
  })
  const { stored, expiresAt } = await storeOneTimeCode(db, code, clock(), tell)
  if (stored && !config.testMode) for (const each of MAILED) countTry(c, each)
  return { otp, isNew: stored, expiresAt }
}

/** Throws unavailable without a mail server, and too_many; test mode mails nothing. */
export function assertOtpCanBeSent(c: AppContext): void {
  if (c.var.deps.config.testMode) return
  assertMailCanBeSent(c)
  for (const each of MAILED) assertMayTry(c, each)
}

export function invalidOtp(): DomainError {
  return new DomainError('invalid', 'Invalid or expired OTP')
}

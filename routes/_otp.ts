import { storeOneTimeCode, toOneTimeCode } from '#db/one-time-codes.ts'
import type { Instant, OneTimeCodePurpose } from '#db/schema.ts'
import { randomOtp } from '#db/secrets.ts'
import { DomainError } from '#domain/error.ts'
import type { Mail } from '#domain/mail.ts'
import { OTP_LENGTH } from '#domain/registration.ts'
import type { AppContext } from '#routes/_deps.ts'
import { showsOneTimeCodes } from '#routes/_local-request.ts'
import { assertMailCanBeSent, byMail } from '#routes/_mail.ts'
import { limit } from '#routes/_rate-limits.ts'

/** `isNew` is false when the contact has an earlier code, which then is the one that counts. */
export type IssuedOtp = { otp: string; isNew: boolean; expiresAt: Instant }

/**
 * Makes an OTP and puts the mail with it into the outbox, unless test mode shows it instead. Only a
 * new code counts, whether or not there is an account for the mail to go to, and by the contact as
 * it was typed: nobody learns which two are one account's. Throws too_many.
 */
export async function issueOtp(
  c: AppContext,
  { purpose, contact, typedAs }: { purpose: OneTimeCodePurpose; contact: string; typedAs: string },
  write: (issued: { otp: string; expiresAt: Instant }) => Mail | undefined,
): Promise<IssuedOtp> {
  const { db, secretKey, clock } = c.var.deps
  const otp = randomOtp(OTP_LENGTH)
  const code = toOneTimeCode(secretKey, purpose, contact, otp)
  const tell = byMail(c, (expiresAt: Instant) => {
    if (showsOneTimeCodes(c)) return undefined
    limit(c, ['otp-mail-contact', typedAs], 'otp-mail', 'otp-mail-all')
    const mail = write({ otp, expiresAt })
    return mail && { ...mail, expiresAt }
  })
  const { stored, expiresAt } = await storeOneTimeCode(db, code, clock(), tell)
  return { otp, isNew: stored, expiresAt }
}

/** Throws unavailable without a mail server; test mode mails nothing. */
export function assertOtpCanBeSent(c: AppContext): void {
  if (!showsOneTimeCodes(c)) assertMailCanBeSent(c)
}

export function invalidOtp(): DomainError {
  return new DomainError('invalid', 'Invalid or expired OTP')
}

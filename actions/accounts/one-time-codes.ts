import type { ActionDeps } from '#actions/deps.ts'
import { byMail } from '#actions/mail.ts'
import {
  type CodeUse,
  type OneTimeCode,
  storeOneTimeCode,
  toOneTimeCode,
  tryOneTimeCode,
} from '#db/accounts/one-time-codes.ts'
import { type Guesser, toGuessSource } from '#db/accounts/wrong-guesses.ts'
import type { Instant } from '#db/schema.ts'
import { randomOtp } from '#db/secrets.ts'
import { OTP_LENGTH } from '#domain/accounts/registration.ts'
import { DomainError } from '#domain/error.ts'
import type { Mail } from '#domain/mail.ts'
import { tooMany } from '#domain/rate-counters.ts'

/** `isNew` is false when the contact has an earlier code, which then is the one that counts. */
type IssuedOtp = { otp: string; isNew: boolean; expiresAt: Instant }

/** How an OTP reaches the person who asked for it. */
export type OtpDelivery = {
  /** test mode: the answer shows it, and nothing is mailed */
  isShown: boolean
  /** is called when a new code is stored, with whether it is mailed, and may still refuse it */
  begin: (isMailed: boolean) => void
}

/**
 * Makes an OTP for this browser and puts the mail with it into the outbox, unless the answer shows
 * it instead. Only a new code counts, whether or not there is an account for the mail to go to.
 */
export async function issueOtp(
  deps: ActionDeps,
  use: CodeUse,
  { isShown, begin }: OtpDelivery,
  write: (issued: { otp: string; expiresAt: Instant }) => Mail | undefined,
): Promise<IssuedOtp> {
  const { db, secretKey, clock } = deps
  const otp = randomOtp(OTP_LENGTH)
  const code = toOneTimeCode(secretKey, use, otp)
  let hasBegun = false
  const notify = byMail(deps, (expiresAt: Instant) => {
    if (isShown) return undefined
    const mail = write({ otp, expiresAt })
    // The transaction may be repeated, and counts once.
    if (!hasBegun) begin(mail !== undefined)
    hasBegun = true
    return mail && { ...mail, expiresAt }
  })
  const { stored, expiresAt } = await storeOneTimeCode(db, code, clock(), notify)
  return { otp, isNew: stored, expiresAt }
}

/** The code that was typed, once it was found to be right. Throws invalid or too_many. */
export async function requireRightOtp(
  { config, db, secretKey, clock }: ActionDeps,
  use: CodeUse,
  otp: string,
  guesser: Guesser,
): Promise<OneTimeCode> {
  const code = toOneTimeCode(secretKey, use, otp)
  const source = config.rateLimits ? toGuessSource(secretKey, guesser, 'code') : undefined
  const tried = await tryOneTimeCode(db, code, source, clock())
  if (tried === true) return code
  throw tried ? tooMany(tried.retryAfter) : invalidOtp()
}

export function invalidOtp(): DomainError {
  return new DomainError('invalid', 'Invalid or expired OTP')
}

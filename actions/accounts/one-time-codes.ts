import type { ActionDeps } from '#actions/deps.ts'
import { byMail, once } from '#actions/mail.ts'
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
import { NOBODY, type WaitingMail } from '#domain/mail.ts'
import { tooMany } from '#domain/rate-counters.ts'

/** `isNew` is false when an earlier code is still valid, which then stays in force. */
type IssuedOtp = { otp: string; isNew: boolean; expiresAt: Instant }

/** The delivery of an OTP to the person who requested it. */
export type OtpDelivery = {
  /** test mode: the OTP is in the answer, and nothing is mailed */
  isShown: boolean
  /** called inside the transaction that stores a new code; may throw to refuse it */
  begin: (isMailed: boolean) => void
}

/**
 * Creates an OTP for this browser and queues its mail, unless the answer shows it instead. A code
 * is stored even when the mail is to nobody, so that both cases take the same time.
 */
export async function issueOtp(
  deps: ActionDeps,
  use: CodeUse,
  { isShown, begin }: OtpDelivery,
  write: (issued: { otp: string; expiresAt: Instant }) => WaitingMail | undefined,
): Promise<IssuedOtp> {
  const { db, secretKey, clock } = deps
  const otp = randomOtp(OTP_LENGTH)
  const code = toOneTimeCode(secretKey, use, otp)
  const beginOnce = once(begin)
  const notify = byMail(deps, (expiresAt: Instant) => {
    if (isShown) return undefined
    const mail = write({ otp, expiresAt })
    beginOnce(mail !== undefined && mail.to !== NOBODY)
    return mail && { ...mail, expiresAt }
  })
  const { stored, expiresAt } = await storeOneTimeCode(db, code, clock(), notify)
  return { otp, isNew: stored, expiresAt }
}

/** Checks a typed OTP and returns the code it matches. Throws invalid or too_many. */
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
  return new DomainError('invalid.otp')
}

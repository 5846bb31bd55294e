import { assertMailCanBeSent, byMail } from '#actions/mail.ts'
import {
  type OneTimeCode,
  storeOneTimeCode,
  toOneTimeCode,
  tryOneTimeCode,
} from '#db/accounts/one-time-codes.ts'
import type { Guesser } from '#db/accounts/wrong-guesses.ts'
import type { Instant, OneTimeCodePurpose } from '#db/schema.ts'
import { randomOtp } from '#db/secrets.ts'
import { OTP_LENGTH } from '#domain/accounts/registration.ts'
import { DomainError } from '#domain/error.ts'
import type { Mail } from '#domain/mail.ts'
import type { AppContext } from '#routes/_http/deps.ts'
import { browserHash, guessSource, unlessKnown } from '#routes/_http/guesser.ts'
import { showsOneTimeCodes } from '#routes/_http/local-request.ts'
import {
  assertMailInBudget,
  countMail,
  type Limited,
  limit,
  limitRefusals,
  refuse,
} from '#routes/_http/rate-limits.ts'

/** `isNew` is false when the contact has an earlier code, which then is the one that counts. */
export type IssuedOtp = { otp: string; isNew: boolean; expiresAt: Instant }

type Asked = { purpose: OneTimeCodePurpose; contact: string; asker: Guesser }

/**
 * Makes an OTP for this browser and puts the mail with it into the outbox, unless test mode shows it
 * instead. Only a new code counts, whether or not there is an account for the mail to go to, and by
 * the contact as it was typed: nobody learns which two are one account's. Throws too_many.
 */
export async function issueOtp(
  c: AppContext,
  { purpose, contact, asker }: Asked,
  write: (issued: { otp: string; expiresAt: Instant }) => Mail | undefined,
): Promise<IssuedOtp> {
  const { db, secretKey, clock } = c.var.deps
  const otp = randomOtp(OTP_LENGTH)
  const use = { purpose, contact, browser_hash: browserHash(c) }
  const code = toOneTimeCode(secretKey, use, otp)
  const notify = byMail(c, (expiresAt: Instant) => {
    if (showsOneTimeCodes(c)) return undefined
    const sender = asker.device?.accountId ?? asker.network
    assertMailInBudget(c, sender)
    limit(c, ...mailLimits(asker))
    const mail = write({ otp, expiresAt })
    if (mail) countMail(c, sender)
    return mail && { ...mail, expiresAt }
  })
  const { stored, expiresAt } = await storeOneTimeCode(db, code, clock(), notify)
  return { otp, isNew: stored, expiresAt }
}

/** What strangers ask for must not use up what known devices of the account may ask for. */
function mailLimits({ contacts: [typed = ''], network, device }: Guesser): Limited[] {
  if (device) return [['otp-mail-known', device.accountId]]
  const pair = JSON.stringify([typed, network])
  return [['otp-mail-contact', typed], ['otp-mail-network', pair], 'otp-mail']
}

/** The code that was typed, once it was found to be right. Throws invalid or too_many. */
export async function requireRightOtp(
  c: AppContext,
  { purpose, contact, asker }: Asked,
  otp: string,
): Promise<OneTimeCode> {
  const { db, secretKey, clock } = c.var.deps
  return limitRefusals(c, unlessKnown(asker, 'otp'), async () => {
    const use = { purpose, contact, browser_hash: browserHash(c) }
    const code = toOneTimeCode(secretKey, use, otp)
    const tried = await tryOneTimeCode(db, code, guessSource(c, asker, 'code'), clock())
    if (tried === true) return code
    if (tried) refuse(c, tried)
    throw invalidOtp()
  })
}

/** Throws unavailable without a mail server; test mode mails nothing. */
export function assertOtpCanBeSent(c: AppContext): void {
  if (!showsOneTimeCodes(c)) assertMailCanBeSent(c)
}

export function invalidOtp(): DomainError {
  return new DomainError('invalid', 'Invalid or expired OTP')
}

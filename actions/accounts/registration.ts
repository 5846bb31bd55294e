import { invalidOtp, issueOtp, type OtpDelivery } from '#actions/accounts/one-time-codes.ts'
import type { ActionDeps } from '#actions/deps.ts'
import { mailOrigin } from '#actions/mail.ts'
import { isTypedAddress } from '#db/accounts/address-proof.ts'
import {
  type CodeUse,
  type OneTimeCode,
  toOneTimeCode,
  wasCodeUsed,
} from '#db/accounts/one-time-codes.ts'
import { registerAccount } from '#db/accounts/registrations.ts'
import { secondsUntil } from '#db/cast.ts'
import type { Admission } from '#db/invitations/admission.ts'
import type { Account, Instant } from '#db/schema.ts'
import { hashPassword } from '#db/secrets.ts'
import { earlierOtp } from '#domain/accounts/registration.ts'
import { DomainError } from '#domain/error.ts'
import { accountExistsMail, registrationOtpMail } from '#mail/texts.ts'

/**
 * Mails an OTP to an address, or, if `owner` is the account that has verified it, that the account exists. Returns
 * the OTP. Throws too_many while an earlier one is valid.
 */
export async function sendRegistrationOtp(
  deps: ActionDeps,
  use: CodeUse,
  owner: Account | undefined,
  delivery: OtpDelivery,
): Promise<string> {
  const { db, clock } = deps
  const isTyped = await isTypedAddress(db, use.contact)
  const { otp, isNew, expiresAt } = await issueOtp(deps, use, delivery, (issued) => ({
    to: use.contact,
    ...(owner
      ? accountExistsMail({ ...mailOrigin(deps), requestedAt: clock() })
      : registrationOtpMail({ ...mailOrigin(deps), ...issued, isTyped })),
  }))
  if (isNew) return otp
  throw resendRefusal(expiresAt, clock())
}

/** Returns the refusal while an earlier OTP is valid. */
export function resendRefusal(expiresAt: Instant, now: Date): DomainError {
  return earlierOtp(secondsUntil(expiresAt, now))
}

type Registration = {
  email: string
  name: string
  password: string
  queueKeys: string[]
  admission: Admission
}

/**
 * Creates an account by an OTP. `queueKeys` are the keys of the queue for hashing. Throws invalid for a wrong or
 * expired OTP, conflict for a taken address, and forbidden where the operator's rule refuses.
 */
export async function register(
  { db, clock, config }: ActionDeps,
  code: OneTimeCode,
  { email, name, password, queueKeys, admission }: Registration,
): Promise<Account> {
  const password_hash = await hashPassword(password, queueKeys)
  const { noticeVersion: notice } = config
  const wish = { name, email, password_hash, notice, admission }
  const account = await registerAccount(db, code, wish, clock())
  if (account === 'void') throw invalidOtp()
  if (account === 'taken') throw accountExists()
  return account
}

/** Throws conflict for an OTP by which this browser has already registered: its answer may have been lost. */
export async function assertNotRegistered(
  { db, clock, secretKey }: ActionDeps,
  use: CodeUse,
  otp: string,
): Promise<void> {
  const code = toOneTimeCode(secretKey, use, otp)
  if (await wasCodeUsed(db, code, clock())) throw accountExists()
}

function accountExists(): DomainError {
  return new DomainError('conflict.email_taken')
}

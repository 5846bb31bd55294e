import { invalidOtp, issueOtp, type OtpDelivery } from '#actions/accounts/one-time-codes.ts'
import { assertFitsRole, type PasswordChange } from '#actions/accounts/password.ts'
import { aboutPassword } from '#actions/accounts/security-alerts.ts'
import type { ActionDeps } from '#actions/deps.ts'
import { mailOrigin } from '#actions/mail.ts'
import { findAccountByContact } from '#db/accounts/accounts.ts'
import { acceptLoginCode, resetPassword } from '#db/accounts/address-proof.ts'
import type { CodeUse, OneTimeCode } from '#db/accounts/one-time-codes.ts'
import type { Account } from '#db/schema.ts'
import { hashPassword } from '#db/secrets.ts'
import { contactText, parseContact } from '#domain/accounts/contact.ts'
import { NOBODY } from '#domain/mail.ts'
import { loginOtpMail, resetOtpMail } from '#mail/texts.ts'

export type RecoveryPurpose = 'login' | 'reset'

/**
 * A typed contact: `typed` in normal form, `address` that its codes are bound to, and its account,
 * if any.
 */
type RecoveryContact = { typed: string; address: string; account: Account | undefined }

const MAILS = { login: loginOtpMail, reset: resetOtpMail }

/** Finds the account of a contact. Its codes are bound to its e-mail, also when its mobile number was typed. */
export async function findRecoveryContact(
  { db }: ActionDeps,
  text: string,
): Promise<RecoveryContact | undefined> {
  const contact = parseContact(text)
  if (!contact) return undefined
  const account = await findAccountByContact(db, contact)
  const typed = (contact.kind === 'mobile' && account?.mobile) || contactText(contact)
  return { typed, address: account?.email ?? typed, account }
}

/**
 * Mails an OTP to the account of a contact, and returns it if it is new. Without an account the
 * observable behaviour is the same: a code is stored, and the answer never waits for the mail
 * server.
 */
export async function sendRecoveryOtp(
  deps: ActionDeps,
  use: CodeUse & { purpose: RecoveryPurpose },
  { account }: RecoveryContact,
  delivery: OtpDelivery,
): Promise<string | undefined> {
  const to = account?.email
  const { otp, isNew } = await issueOtp(deps, use, delivery, (issued) => {
    // Written and stored without an account too, so that the answer takes the same time.
    const mail = MAILS[use.purpose]({ ...mailOrigin(deps), ...issued })
    return { to: to ?? NOBODY, accountId: account?.id, ...mail }
  })
  return isNew && to ? otp : undefined
}

/** Logs in to an account by a code. Throws invalid when the code is no longer valid. */
export async function loginByOtp(
  deps: ActionDeps,
  code: OneTimeCode,
  accountId: string,
): Promise<Account> {
  const { db, secretKey, clock } = deps
  const notify = aboutPassword(deps, 'code')
  const admitted = await acceptLoginCode(db, secretKey, code, accountId, clock(), notify)
  if (!admitted) throw invalidOtp()
  return admitted
}

/** Sets a password by a code. `queueKeys` are the keys of the queue for hashing. Throws invalid. */
export async function resetByOtp(
  deps: ActionDeps,
  code: OneTimeCode,
  { account, password, queueKeys, from }: PasswordChange & { account: Account },
): Promise<void> {
  const { db, secretKey, clock } = deps
  assertFitsRole(account, password)
  const passwordHash = await hashPassword(password, queueKeys)
  const notify = aboutPassword(deps, 'code', from)
  const set = { accountId: account.id, passwordHash }
  const reset = await resetPassword(db, secretKey, code, set, clock(), notify)
  if (!reset) throw invalidOtp()
}

import { invalidOtp, issueOtp, type OtpDelivery } from '#actions/accounts/one-time-codes.ts'
import type { ActionDeps } from '#actions/deps.ts'
import { aboutPassword, mailOrigin } from '#actions/mail.ts'
import { findAccountByContact } from '#db/accounts/accounts.ts'
import { acceptLoginCode, resetPassword } from '#db/accounts/address-proof.ts'
import type { CodeUse, OneTimeCode } from '#db/accounts/one-time-codes.ts'
import type { Account } from '#db/schema.ts'
import { hashPassword } from '#db/secrets.ts'
import { contactText, parseContact } from '#domain/accounts/contact.ts'
import { loginOtpMail, resetOtpMail } from '#mail/texts.ts'

export type RecoveryPurpose = 'login' | 'reset'

/** A contact that was typed: as it counts, where its codes go, and the account that has it. */
export type RecoveryContact = { typed: string; address: string; account: Account | undefined }

const MAILS = { login: loginOtpMail, reset: resetOtpMail }

/** An account's codes are bound to its e-mail, by whichever of its contacts they are asked for. */
export async function findRecoveryContact(
  { db }: ActionDeps,
  text: string,
): Promise<RecoveryContact | undefined> {
  const contact = parseContact(text)
  if (!contact) return undefined
  const account = await findAccountByContact(db, contact)
  const typed = contactText(contact)
  return { typed, address: account?.email ?? typed, account }
}

/**
 * Mails an OTP to the account that the contact belongs to, and answers a new one. What can be
 * observed of it is the same without such an account: a code is stored for it too, and nobody
 * waits for the mail server.
 */
export async function sendRecoveryOtp(
  deps: ActionDeps,
  use: CodeUse & { purpose: RecoveryPurpose },
  { account }: RecoveryContact,
  delivery: OtpDelivery,
): Promise<string | undefined> {
  const to = account?.email
  const { otp, isNew } = await issueOtp(deps, use, delivery, (issued) => {
    // Written for nobody too: that takes time.
    const mail = MAILS[use.purpose]({ ...mailOrigin(deps), ...issued })
    return to ? { to, ...mail } : undefined
  })
  return isNew && to ? otp : undefined
}

/** The account that a login code lets in. Throws invalid when the code is no longer live. */
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

/** Sets the password that a code allows to set. `turn` is whose turn it is to have one hashed. */
export async function resetByOtp(
  deps: ActionDeps,
  code: OneTimeCode,
  { accountId, password, turn }: { accountId: string; password: string; turn: string[] },
): Promise<void> {
  const { db, secretKey, clock } = deps
  const passwordHash = await hashPassword(password, turn)
  const notify = aboutPassword(deps, 'code')
  const set = { accountId, passwordHash }
  const reset = await resetPassword(db, secretKey, code, set, clock(), notify)
  if (!reset) throw invalidOtp()
}

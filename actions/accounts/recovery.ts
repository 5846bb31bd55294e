import type { z } from '@hono/zod-openapi'
import {
  assertOtpCanBeSent,
  invalidOtp,
  issueOtp,
  requireRightOtp,
} from '#actions/accounts/one-time-codes.ts'
import { type SignedIn, signIn } from '#actions/accounts/sign-in.ts'
import { aboutPassword, mailOrigin } from '#actions/mail.ts'
import { findAccountByContact } from '#db/accounts/accounts.ts'
import { acceptLoginCode, resetPassword } from '#db/accounts/address-proof.ts'
import type { OneTimeCode } from '#db/accounts/one-time-codes.ts'
import type { Guesser } from '#db/accounts/wrong-guesses.ts'
import type { Account } from '#db/schema.ts'
import { hashPassword } from '#db/secrets.ts'
import { contactText, parseContact } from '#domain/accounts/contact.ts'
import { loginOtpMail, resetOtpMail } from '#mail/texts.ts'
import type { contactForm, loginOtpForm, resetPasswordForm } from '#routes/_http/account-forms.ts'
import type { AppContext } from '#routes/_http/deps.ts'
import { guesserOf, passwordTurn } from '#routes/_http/guesser.ts'
import { showsOneTimeCodes } from '#routes/_http/local-request.ts'

type Purpose = 'login' | 'reset'

const MAILS = { login: loginOtpMail, reset: resetOtpMail }

/**
 * Mails an OTP to the account that the contact belongs to. What can be observed of it is the same
 * without such an account: a code is stored for it too, and nobody waits for the mail server.
 */
export async function sendRecoveryOtp(
  c: AppContext,
  purpose: Purpose,
  { contact }: z.output<typeof contactForm>,
): Promise<{ testOtp?: string }> {
  assertOtpCanBeSent(c)
  const known = await findContact(c, contact)
  if (!known) return {}
  const to = known.account?.email
  const asked = { purpose, contact: known.address, asker: known.asker }
  const { otp, isNew } = await issueOtp(c, asked, (issued) => {
    // Written for nobody too: that takes time.
    const mail = MAILS[purpose]({ ...mailOrigin(c), ...issued })
    return to ? { to, ...mail } : undefined
  })
  return isNew && to && showsOneTimeCodes(c) ? { testOtp: otp } : {}
}

export async function loginByOtp(
  c: AppContext,
  form: z.output<typeof loginOtpForm>,
): Promise<SignedIn> {
  const { code, account } = await requireOwnCode(c, 'login', form)
  const { db, secretKey, clock } = c.var.deps
  const notify = aboutPassword(c, 'code')
  const admitted = await acceptLoginCode(db, secretKey, code, account.id, clock(), notify)
  if (!admitted) throw invalidOtp()
  return signIn(c, admitted)
}

export async function resetByOtp(
  c: AppContext,
  form: Omit<z.output<typeof resetPasswordForm>, 'token'>,
): Promise<void> {
  const { code, account } = await requireOwnCode(c, 'reset', form)
  const { db, secretKey, clock } = c.var.deps
  const passwordHash = await hashPassword(form.password, passwordTurn(c, account.id))
  const password = { accountId: account.id, passwordHash }
  const notify = aboutPassword(c, 'code')
  const reset = await resetPassword(db, secretKey, code, password, clock(), notify)
  if (!reset) throw invalidOtp()
}

async function requireOwnCode(
  c: AppContext,
  purpose: Purpose,
  { contact, otp }: { contact: string; otp: string },
): Promise<{ code: OneTimeCode; account: Account }> {
  const known = await findContact(c, contact)
  if (!known) throw invalidOtp()
  const asked = { purpose, contact: known.address, asker: known.asker }
  const code = await requireRightOtp(c, asked, otp)
  if (!known.account?.email) throw invalidOtp()
  return { code, account: known.account }
}

/** An account's codes are bound to its e-mail, by whichever of its contacts they are asked for. */
async function findContact(
  c: AppContext,
  typed: string,
): Promise<{ address: string; asker: Guesser; account: Account | undefined } | undefined> {
  const contact = parseContact(typed)
  if (!contact) return undefined
  const account = await findAccountByContact(c.var.deps.db, contact)
  const typedAs = contactText(contact)
  return { address: account?.email ?? typedAs, asker: guesserOf(c, account, typedAs), account }
}

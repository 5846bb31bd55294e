import { invalidOtp, issueOtp, type OtpDelivery } from '#actions/accounts/one-time-codes.ts'
import { resendRefusal } from '#actions/accounts/registration.ts'
import {
  aboutPassword,
  asSecurityAlert,
  byMailOrDashboard,
} from '#actions/accounts/security-alerts.ts'
import { alertOrigin } from '#actions/alerts/alerting.ts'
import type { ActionDeps } from '#actions/deps.ts'
import { mailOrigin } from '#actions/mail.ts'
import { findProvenAccount } from '#db/accounts/address-proof.ts'
import type { Caller } from '#db/accounts/credentials.ts'
import {
  acceptNewEmail,
  type EmailChanged,
  noteNewEmail,
  type TakenBack,
  takeEmailBack,
  WAY_BACK_HOURS,
} from '#db/accounts/email-changes.ts'
import type { CodeUse, OneTimeCode } from '#db/accounts/one-time-codes.ts'
import type { KnownSince } from '#db/accounts/profile.ts'
import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Notify } from '#db/outbox.ts'
import type { Account } from '#db/schema.ts'
import { hashToken, randomToken } from '#db/secrets.ts'
import { DomainError } from '#domain/error.ts'
import {
  type Device,
  emailChangedMail,
  emailMovedMail,
  emailTakenBackMail,
} from '#mail/account-notices.ts'
import { emailInUseMail, newEmailOtpMail } from '#mail/texts.ts'

type EmailChange = {
  account: Account
  caller: Caller
  email: string
  use: CodeUse
  isKnownSince: KnownSince
}

/**
 * Mails an OTP to the address that an account changes to. An address that has an account is mailed that fact
 * instead, and the answer is the same. Throws too_many while an earlier code is valid.
 */
export async function sendEmailOtp(
  deps: ActionDeps,
  { account, caller, email, use, isKnownSince }: EmailChange,
  delivery: OtpDelivery,
): Promise<string> {
  const { db, clock } = deps
  if (account.email === email && account.email_verified_at) {
    throw new DomainError('invalid.same_email')
  }
  const owner = await findProvenAccount(db, email)
  const isTaken = owner !== undefined && owner.id !== account.id
  await noteNewEmail(db, caller, email, isKnownSince, clock())
  const { otp, isNew, expiresAt } = await issueOtp(deps, use, delivery, (issued) => ({
    to: email,
    ...(isTaken
      ? emailInUseMail({ ...mailOrigin(deps), requestedAt: clock() })
      : { accountId: account.id, ...newEmailOtpMail({ ...mailOrigin(deps), ...issued }) }),
  }))
  if (isNew) return otp
  throw resendRefusal(expiresAt, clock())
}

/** Changes the address by a code. The earlier one is mailed how to take it back. Throws invalid and conflict. */
export async function changeEmail(
  deps: ActionDeps,
  caller: Caller,
  code: OneTimeCode,
  { email, from }: { email: string; from: Device },
): Promise<Account> {
  const { db, secretKey, clock } = deps
  const token = randomToken()
  const moved = { email, wayBackHash: hashToken(token) }
  const notify = aboutEmail(deps, token, from)
  const changed = await acceptNewEmail(db, secretKey, caller, code, moved, clock(), notify)
  if (!changed) throw invalidOtp()
  return changed
}

function aboutEmail(deps: ActionDeps, token: string, from: Device): Notify<EmailChanged> {
  const { config, clock, outbox } = deps
  return async (trx, { before, email, ended }) => {
    const now = clock()
    const change = { ...mailOrigin(deps), now, email, ...from }
    const letter = emailChangedMail({ ...change, ...alertOrigin(deps) })
    await outbox.alert(trx, { accountId: before.id, ...asSecurityAlert(deps, letter) })
    if (ended) await aboutPassword(deps, 'code')(trx, ended)
    if (!before.email || !before.email_verified_at || before.email === email) return
    const url = `${config.publicUrl}/way-back/${token}`
    const { reason: _, ...mail } = emailMovedMail({ ...change, url, hours: WAY_BACK_HOURS })
    const expiresAt = toInstant(secondsAfter(now, WAY_BACK_HOURS * 3600))
    await outbox.put(trx, { to: before.email, accountId: before.id, ...mail, expiresAt })
  }
}

/** Gives an account its earlier address back; `token` is that of the link. Returns the address. Throws invalid. */
export async function takeBack(deps: ActionDeps, token: string): Promise<string> {
  const { db, secretKey, clock } = deps
  const notify = byMailOrDashboard(deps, (set: TakenBack, now) =>
    emailTakenBackMail({ ...alertOrigin(deps), ...set, now }),
  )
  const email = await takeEmailBack(db, secretKey, hashToken(token), clock(), notify)
  if (!email) throw new DomainError('invalid.dead_link')
  return email
}

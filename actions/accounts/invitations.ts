import type { ActionDeps } from '#actions/deps.ts'
import { byMail, mailOrigin, once } from '#actions/mail.ts'
import type { Actor } from '#db/admin/audit-events.ts'
import { acceptInvitation } from '#db/invitations/acceptance.ts'
import { findInvitation, invite, type NewInvitation } from '#db/invitations/invitations.ts'
import type { Account } from '#db/schema.ts'
import { hashPassword } from '#db/secrets.ts'
import { assertAdmitted } from '#domain/accounts/admission.ts'
import { passOfInvitation } from '#domain/accounts/invitation.ts'
import { DomainError } from '#domain/error.ts'
import { invitationMail } from '#mail/invitations.ts'

/** Returns the path of the page on which an invitation is accepted. */
export function invitePath(token: string): string {
  return `/invite/${token}`
}

type Wish = {
  email: string
  by: Actor
  /** the name of the admin; undefined for the operator */
  from?: string | undefined
  /** whether the answer has the link though it could be mailed */
  isShown?: boolean | undefined
}

/** An invitation as its maker sees it. `url` is null when the link was mailed. */
export type MadeInvitation = Omit<NewInvitation, 'token'> & { url: string | null }

/**
 * Invites an address, by mail where there is a mail server. `count` throws above the limits of invitations, which undoes
 * it. Throws the errors of `invite`, and forbidden where the operator's rule would refuse the account.
 */
export async function inviteAddress(
  { db, clock, config, outbox }: Pick<ActionDeps, 'db' | 'clock' | 'config' | 'outbox'>,
  { email, by, from, isShown = false }: Wish,
  count: () => void = () => {},
): Promise<MadeInvitation> {
  assertAdmitted(config.registration, passOfInvitation({ account_id: by.actor_id }), email)
  const wasMailed = outbox.isOpen && !isShown
  const urlOf = (token: string) => config.publicUrl + invitePath(token)
  const countOnce = once(count)
  const notify = byMail({ outbox }, ({ token, expires_at: expiresAt }: NewInvitation) => {
    countOnce()
    if (!wasMailed) return undefined
    const letter = { ...mailOrigin({ config }), from, url: urlOf(token), expiresAt }
    return { to: email, expiresAt, ...invitationMail(letter) }
  })
  const { token, ...made } = await invite(db, { email, wasMailed }, by, clock(), notify)
  return { ...made, url: wasMailed ? null : urlOf(token) }
}

type Accepting = {
  token: string
  name: string
  password: string
  /** the keys of the queue for hashing, of the invited address */
  queueKeysOf: (email: string) => string[]
}

/** Creates the account of an invitation. Throws the errors of `acceptInvitation`. */
export async function accept(
  { db, clock, config }: ActionDeps,
  { token, name, password, queueKeysOf }: Accepting,
): Promise<Account> {
  // It is looked up first, because hashing is expensive.
  const found = await findInvitation(db, token, clock())
  if (!found) throw new DomainError('not_found.dead_link')
  const password_hash = await hashPassword(password, queueKeysOf(found.email))
  const { noticeVersion: notice, registration: rule } = config
  return acceptInvitation(db, { token, name, password_hash, notice, rule }, clock())
}

import {
  type Contacts,
  contactTexts,
  parseContact,
  signInContact,
} from '#domain/accounts/contact.ts'
import { DomainError } from '#domain/error.ts'
import type { PlanId } from '#domain/plans/plan.ts'

/** For so long a deletion can be taken back. */
export const DELETION_DAYS = 7
export const DELETION_ACTION = '/settings/data/deletion'

type Holder = Contacts & { email_verified_at: string | null }

/**
 * Returns the contact that the owner types to confirm a deletion: the e-mail, or the mobile number or login id
 * of an account without one.
 */
export function typedToDelete({ email, mobile }: Pick<Holder, 'email' | 'mobile'>) {
  if (email) return 'email'
  return mobile ? 'mobile number' : 'login id'
}

/** Throws invalid unless that was typed. */
export function assertNamed(account: Holder, typed: string): void {
  const contact = parseContact(typed)
  if (contact && contactTexts(contact).includes(signInContact(account))) return
  throw new DomainError({
    code: 'invalid.delete_account',
    values: { name: typedToDelete(account) },
  })
}

/** The refusal of a sign-in to an account that is being deleted. Without a mail server the page showed the link. */
export const BEING_DELETED =
  'This account is being deleted. To keep it, open the link that we mailed or showed you when it was deleted.'

export function lastSuperAdmin(): DomainError {
  return new DomainError('conflict.last_super_admin')
}

/** The number of removed things of each kind. */
export type WhatGoes = {
  /** its own, without those that child users have registered */
  codes: number
  documents: number
  /** with finders, and tickets */
  conversations: number
  popup_images: number
  shared_links: number
  api_keys: number
  channels: number
  /** its child users, who keep their accounts, and the codes that they lose */
  child_users: number
  child_codes: number
  /** those of the account's own that claimers hold */
  claimed_codes: number
  /** of its owner, which the account uses as a child user */
  used_codes: number
  has_brand: boolean
  plan: PlanId
  /** these stay, because the law asks for them */
  receipts: number
}

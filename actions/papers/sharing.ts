import { resolveMailBrand } from '#actions/brands/brands.ts'
import type { ActionDeps } from '#actions/deps.ts'
import { assertMailCanBeSent, byMail, mailOrigin } from '#actions/mail.ts'
import { resolveAccountBrand } from '#db/brands/resolve-brand.ts'
import type { Document } from '#db/papers/documents.ts'
import { createShareLink, type NewShareLink, type Sharer } from '#db/papers/share-links.ts'
import type { Account } from '#db/schema.ts'
import { DomainError } from '#domain/error.ts'
import {
  readRecipient,
  type ShareMethod,
  shareText,
  whatsappShareUrl,
} from '#domain/papers/share.ts'
import { type Holder, planOf } from '#domain/people/share.ts'
import { canShare, canUseGallery } from '#domain/plans/plan.ts'
import type { MailBrand } from '#mail/letter.ts'
import { sharedDocumentMail } from '#mail/shared-document.ts'

export type ShareRequest = { share_method: ShareMethod; recipient: string | null }
/** WhatsApp's URL with the link in its text, or the link itself. */
export type ShareResult = { whatsapp_url: string } | { success?: true; download_url: string }

/** Throws forbidden where the plan of the account for which somebody acts has no gallery. */
export function assertGallery(account: Account & Holder, actsFor: string): void {
  const plan = planOf(account, actsFor)
  if (canUseGallery(plan) && canShare(plan)) return
  throw new DomainError('forbidden.gallery')
}

/** Checks a share and normalizes its recipient. Throws invalid for a wrong recipient, and unavailable without mail. */
export function checkShare(
  deps: ActionDeps,
  { share_method, recipient }: ShareRequest,
): ShareRequest {
  const checked = { share_method, recipient: readRecipient(share_method, recipient) }
  if (share_method === 'email') assertMailCanBeSent(deps)
  return checked
}

/**
 * Creates a link to a document that the sharer handles, and mails it if the method is e-mail. Throws the errors of
 * `createShareLink`.
 */
export async function shareDocument(
  deps: ActionDeps,
  { sender, ...sharer }: { sender: string } & Sharer,
  document: Document,
  { share_method, recipient }: ShareRequest,
): Promise<ShareResult> {
  const { db, clock } = deps
  const isMailed = share_method === 'email' && recipient
  const brand = isMailed ? await brandOf(deps, document) : undefined
  const notify = byMail(deps, (link: NewShareLink) =>
    isMailed
      ? { to: recipient, ...sharedDocumentMail({ sender, brand, ...toLinkDetails(deps, link) }) }
      : undefined,
  )
  const wanted = { share_method, recipient }
  const link = await createShareLink(db, sharer, document.id, wanted, clock(), notify)
  const details = toLinkDetails(deps, link)
  if (share_method === 'whatsapp') {
    return { whatsapp_url: whatsappShareUrl(recipient, shareText(details)) }
  }
  return { ...(share_method === 'email' && { success: true }), download_url: details.url }
}

/** Returns the brand of a document's account: its recipients, like finders, are not customers of this service. */
async function brandOf(deps: ActionDeps, { account_id }: Document): Promise<MailBrand | undefined> {
  const brand = await resolveAccountBrand(deps.db, account_id, deps.clock())
  return (await resolveMailBrand(deps, brand)).brand
}

function toLinkDetails(deps: ActionDeps, { token, document, expires_at }: NewShareLink) {
  const url = `${deps.config.publicUrl}/shared/${token}`
  const { document_type } = document
  return { ...mailOrigin(deps), document_type, expiresAt: expires_at, url }
}

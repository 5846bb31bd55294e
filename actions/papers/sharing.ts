import { resolveMailBrand } from '#actions/brands/brands.ts'
import type { ActionDeps } from '#actions/deps.ts'
import { assertMailCanBeSent, byMail, mailOrigin } from '#actions/mail.ts'
import type { Caller } from '#db/accounts/credentials.ts'
import { resolveAccountBrand } from '#db/brands/resolve-brand.ts'
import { createShareLink, type NewShareLink } from '#db/papers/share-links.ts'
import type { Account } from '#db/schema.ts'
import { DomainError } from '#domain/error.ts'
import {
  readRecipient,
  type ShareMethod,
  shareText,
  whatsappShareUrl,
} from '#domain/papers/share.ts'
import { canShare, canUseGallery } from '#domain/plans/plan.ts'
import type { MailBrand } from '#mail/letter.ts'
import { sharedDocumentMail } from '#mail/shared-document.ts'

export type ShareRequest = { share_method: ShareMethod; recipient: string | null }
/** WhatsApp's URL with the link in its text, or the link itself. */
export type ShareResult = { whatsapp_url: string } | { success?: true; download_url: string }

/** Throws forbidden for a plan without the gallery. */
export function assertGallery({ subscription_plan }: Account): void {
  if (canUseGallery(subscription_plan) && canShare(subscription_plan)) return
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
 * Creates a link to a document of the caller's account, and mails it if the method is e-mail. Throws the errors of
 * `createShareLink`.
 */
export async function shareDocument(
  deps: ActionDeps,
  { sender, caller }: { sender: string; caller: Caller },
  documentId: string,
  { share_method, recipient }: ShareRequest,
): Promise<ShareResult> {
  const { db, clock } = deps
  const isMailed = share_method === 'email' && recipient
  const brand = isMailed ? await brandOf(deps, caller) : undefined
  const notify = byMail(deps, (link: NewShareLink) =>
    isMailed
      ? { to: recipient, ...sharedDocumentMail({ sender, brand, ...toLinkDetails(deps, link) }) }
      : undefined,
  )
  const wanted = { share_method, recipient }
  const link = await createShareLink(db, caller, documentId, wanted, clock(), notify)
  const details = toLinkDetails(deps, link)
  if (share_method === 'whatsapp') {
    return { whatsapp_url: whatsappShareUrl(recipient, shareText(details)) }
  }
  return { ...(share_method === 'email' && { success: true }), download_url: details.url }
}

/** Returns the account's own brand: its recipients, like finders, are not customers of this service. */
async function brandOf(deps: ActionDeps, { accountId }: Caller): Promise<MailBrand | undefined> {
  return (await resolveMailBrand(deps, await resolveAccountBrand(deps.db, accountId, deps.clock())))
    .brand
}

function toLinkDetails(deps: ActionDeps, { token, document, expires_at }: NewShareLink) {
  const url = `${deps.config.publicUrl}/shared/${token}`
  const { document_type } = document
  return { ...mailOrigin(deps), document_type, expiresAt: expires_at, url }
}

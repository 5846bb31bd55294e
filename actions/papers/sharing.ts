import { assertMailCanBeSent, byMail, mailOrigin } from '#actions/mail.ts'
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
import { sharedDocumentMail } from '#mail/shared-document.ts'
import type { AppContext } from '#routes/_http/deps.ts'
import { limit } from '#routes/_http/rate-limits.ts'

export type Share = { share_method: ShareMethod; recipient: string | null }
export type Shared = { whatsapp_url: string } | { success?: true; download_url: string }

export function assertGallery({ subscription_plan }: Account): void {
  if (canUseGallery(subscription_plan) && canShare(subscription_plan)) return
  throw new DomainError('forbidden', 'Upgrade to Premium to use the document gallery')
}

/** Makes a link to a document of the account, and sends it where it is to go. */
export async function shareDocument(
  c: AppContext,
  account: Account,
  documentId: string,
  share: Share,
): Promise<Shared> {
  const { db, clock } = c.var.deps
  const { share_method } = share
  const recipient = readRecipient(share_method, share.recipient)
  if (share_method === 'email') assertMayMail(c)
  const notify = byMail(c, (link: NewShareLink) =>
    share_method === 'email' && recipient
      ? { to: recipient, ...sharedDocumentMail({ sender: account.name, ...toWords(c, link) }) }
      : undefined,
  )
  const wanted = { share_method, recipient }
  const link = await createShareLink(db, account.id, documentId, wanted, clock(), notify)
  const words = toWords(c, link)
  if (share_method === 'whatsapp') {
    return { whatsapp_url: whatsappShareUrl(recipient, shareText(words)) }
  }
  return { ...(share_method === 'email' && { success: true }), download_url: words.url }
}

function assertMayMail(c: AppContext): void {
  assertMailCanBeSent(c)
  limit(c, 'share-mail')
}

function toWords(c: AppContext, { token, document, expires_at }: NewShareLink) {
  const url = `${c.var.deps.config.publicUrl}/shared/${token}`
  const { document_type } = document
  return { ...mailOrigin(c), document_type, expiresAt: expires_at, url }
}

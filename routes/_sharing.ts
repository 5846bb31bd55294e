import type { Account } from '#db/schema.ts'
import { createShareLink, revokeShareLink } from '#db/share-links.ts'
import { DomainError } from '#domain/error.ts'
import { canShare, canUseGallery } from '#domain/plan.ts'
import { readRecipient, type ShareMethod, shareText, whatsappShareUrl } from '#domain/share.ts'
import { sharedDocumentMail } from '#mail/shared-document.ts'
import type { AppContext } from '#routes/_deps.ts'
import { logMailFailure, mailOrigin } from '#routes/_mail.ts'

export type Share = { share_method: ShareMethod; recipient: string | null }
export type Shared = { whatsapp_url: string } | { success?: true; download_url: string }
type Link = Awaited<ReturnType<typeof createShareLink>>

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
  const { db, clock, config } = c.var.deps
  const { share_method } = share
  const recipient = readRecipient(share_method, share.recipient)
  if (share_method === 'email') assertMailer(c)
  const link = await createShareLink(
    db,
    account.id,
    documentId,
    { share_method, recipient },
    clock(),
  )
  const url = `${config.publicUrl}/shared/${link.token}`
  if (share_method === 'download') return { download_url: url }
  if (share_method === 'whatsapp') {
    const text = shareText({ ...toWords(c, link), url })
    return { whatsapp_url: whatsappShareUrl(recipient, text) }
  }
  await mailLink(c, { account, link, url, to: recipient as string })
  return { success: true, download_url: url }
}

function toWords(c: AppContext, { document, expires_at }: Link) {
  const { timezone } = c.var.deps.config
  return { document_type: document.document_type, expiresAt: expires_at, timezone }
}

function assertMailer(c: AppContext): void {
  if (c.var.deps.mailer.configured) return
  throw new DomainError('unavailable', 'Email is not configured')
}

type Mailed = { account: Account; link: Link; url: string; to: string }

/** A link that was not delivered is nobody's, and ends. */
async function mailLink(c: AppContext, { account, link, url, to }: Mailed): Promise<void> {
  const { db, mailer } = c.var.deps
  const words = { ...mailOrigin(c), ...toWords(c, link) }
  const mail = sharedDocumentMail({ ...words, sender: account.name, url })
  await mailer.send({ to, ...mail }).catch(async (error) => {
    await revokeShareLink(db, account.id, link.id)
    logMailFailure(c, error)
    throw new DomainError('unavailable', 'Failed to share document')
  })
}

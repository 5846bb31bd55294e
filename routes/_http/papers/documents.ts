import { aboutPoliceViews } from '#actions/papers/police-alerts.ts'
import { checkShare, type Share, type Shared, shareDocument } from '#actions/papers/sharing.ts'
import type { Notify } from '#db/outbox.ts'
import {
  getPoliceView,
  type Looked,
  type PoliceView,
  recordDocumentView,
} from '#db/papers/document-views.ts'
import type { Account } from '#db/schema.ts'
import { parseQrId } from '#domain/codes/qr-id.ts'
import { DomainError } from '#domain/error.ts'
import { countsAsScan } from '#domain/scans/scan.ts'
import { limitMailTo } from '#routes/_http/accounts/mail-limits.ts'
import { applyBrandOfCode } from '#routes/_http/brands/page-brand.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { requireCaller } from '#routes/_http/guards.ts'
import { keepUnlisted } from '#routes/_http/headers.ts'
import { limit } from '#routes/_http/rate-limits.ts'

/**
 * Returns the view of a code for authorities. Records it for the owner, unless the viewer is the owner or the
 * child user. Throws not_found.
 */
export async function openPoliceView(c: AppContext, typedQrId: string): Promise<PoliceView> {
  keepUnlisted(c)
  limit(c, 'police')
  const qrId = parseQrId(typedQrId) ?? ''
  const isHere = await applyBrandOfCode(c, qrId)
  const view = await getPoliceView(c.var.deps.db, isHere ? qrId : '').catch((error) => {
    if (error instanceof DomainError && error.kind === 'not_found') limit(c, 'unknown')
    throw error
  })
  const holders = [view.owner_id, view.child_account_id]
  const notify = view.isAlerted ? aboutPoliceViews(c.var.deps) : undefined
  await noteView(c, holders, { qr_id: view.qr_id }, notify)
  return view
}

/** Records a view of a document. A failure is only logged, so that the document is still shown. */
export async function noteView(
  c: AppContext,
  holders: (string | null)[],
  opened: Looked,
  notify?: Notify<Looked>,
): Promise<void> {
  const { db, clock, log } = c.var.deps
  const isLook = countsAsScan({ method: c.req.method, headers: c.req.raw.headers })
  if (!isLook || holders.includes(c.var.account?.id ?? '')) return
  await recordDocumentView(db, opened, clock(), notify).catch((err) => {
    log.error({ requestId: c.var.requestId, err }, 'view not noted')
  })
}

/** Shares a document of the caller. Throws too_many above the limits of mails. */
export async function shareForCaller(
  c: AppContext,
  account: Account,
  documentId: string,
  sent: Share,
): Promise<Shared> {
  const { deps } = c.var
  const share = checkShare(deps, sent)
  if (share.share_method === 'email') {
    const to = { address: share.recipient ?? '', accountId: account.id }
    limitMailTo(c, to, 'share-mail-contact', 'share-mail')
  }
  const sharing = { sender: account.name, caller: requireCaller(c) }
  return shareDocument(deps, sharing, documentId, share)
}

import { aboutPoliceViews } from '#actions/papers/police-alerts.ts'
import {
  checkShare,
  type ShareRequest,
  type ShareResult,
  shareDocument,
} from '#actions/papers/sharing.ts'
import type { Notify } from '#db/outbox.ts'
import {
  getPoliceView,
  type PoliceView,
  recordDocumentView,
  type ViewedDocuments,
} from '#db/papers/document-views.ts'
import type { Document } from '#db/papers/documents.ts'
import type { Account } from '#db/schema.ts'
import { parseQrId } from '#domain/codes/qr-id.ts'
import { DomainError } from '#domain/error.ts'
import type { Holder } from '#domain/people/share.ts'
import { countsAsScan } from '#domain/scans/scan.ts'
import { limitMailTo } from '#routes/_http/accounts/mail-limits.ts'
import { applyBrandOfCode } from '#routes/_http/brands/page-brand.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { requireCaller } from '#routes/_http/guards.ts'
import { keepUnlisted } from '#routes/_http/headers.ts'
import { limit } from '#routes/_http/rate-limits.ts'

/**
 * Returns the view of a code for authorities. Records for the owner that it was opened, unless the viewer is the
 * owner or the child user. Throws not_found, and too_many above the limits.
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
  const ownAccounts = [view.owner_id, view.child_account_id]
  const notify = view.isAlerted ? aboutPoliceViews(c.var.deps) : undefined
  await recordView(c, ownAccounts, { qr_id: view.qr_id }, notify)
  return view
}

/**
 * Records a view of documents by anybody but `ownAccounts` and the people who help them. A failure is only logged, so that the documents are
 * still shown.
 */
export async function recordView(
  c: AppContext,
  ownAccounts: (string | null)[],
  viewed: ViewedDocuments,
  notify?: Notify<ViewedDocuments>,
): Promise<void> {
  const { db, clock, log } = c.var.deps
  const isView = countsAsScan({ method: c.req.method, headers: c.req.raw.headers })
  const viewer: Holder = c.var.account ?? { id: '' }
  const viewers = [viewer.id, ...(viewer.shares ?? []).map(({ owner_id }) => owner_id)]
  if (!isView || viewers.some((each) => ownAccounts.includes(each))) return
  await recordDocumentView(db, viewed, clock(), notify).catch((err) => {
    log.error({ requestId: c.var.requestId, err }, 'view not recorded')
  })
}

/** Shares a document that the caller handles. Throws too_many above the limits of mails, and the errors of `shareDocument`. */
export async function shareForCaller(
  c: AppContext,
  account: Account,
  document: Document,
  sent: ShareRequest,
): Promise<ShareResult> {
  const { deps } = c.var
  const share = checkShare(deps, sent)
  if (share.share_method === 'email') {
    const to = { address: share.recipient ?? '', accountId: account.id }
    limitMailTo(c, to, 'share-mail-contact', 'share-mail')
  }
  const sharing = { sender: account.name, viewer: account, caller: requireCaller(c) }
  return shareDocument(deps, sharing, document, share)
}

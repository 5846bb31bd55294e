import { fileUrl } from '#actions/papers/view.ts'
import type { AuthorityViewsView, CodeDocumentsView } from '#components/papers/code-documents.tsx'
import { headingOf } from '#components/papers/code-heading.tsx'
import type { DocumentEntryView } from '#components/papers/document-entry.tsx'
import type { OwnQrCode } from '#db/codes/qr-codes.ts'
import { findAmong } from '#db/papers/document-search.ts'
import { type AuthorityViews, listAuthorityViews } from '#db/papers/document-views.ts'
import { type Document, listDocumentsOf } from '#db/papers/documents.ts'
import type { Account } from '#db/schema.ts'
import { accessibleName } from '#domain/codes/code-title.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import {
  DOCUMENT_TYPES,
  documentName,
  inTypeOrder,
  sideLabel,
  typeLabel,
} from '#domain/papers/document.ts'
import { has } from '#domain/people/roles.ts'
import { actsFor, handlesPapersOf, planOf } from '#domain/people/share.ts'
import { canShare, canUseGallery } from '#domain/plans/plan.ts'
import { formatDate, formatDateTime } from '#domain/time.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { duesOf, endOf } from '#routes/dashboard/papers/_code-dues.ts'

const RECENT_VIEWS = 20

/** Reads the documents of codes, or those among them that a search finds, and their views by authorities. */
export async function readCodeDocuments(
  c: AppContext,
  account: Account,
  codes: OwnQrCode[],
  search: string,
): Promise<CodeDocumentsView[]> {
  const { db } = c.var.deps
  const qrIds = codes.map(({ qr_id }) => qr_id)
  const documents = await listDocumentsOf(db, account, qrIds)
  const found = search ? await findAmong(db, account, qrIds, search) : undefined
  const views = await listAuthorityViews(db, qrIds, RECENT_VIEWS)
  return codes.map((code) => {
    const ofCode = documents.filter(({ qr_id }) => qr_id === code.qr_id)
    return toCodeView(c, account, code, { documents: ofCode, found, views: views.get(code.qr_id) })
  })
}

type OfCode = {
  documents: Document[]
  /** the ids of those to show; undefined for all */
  found: Set<string> | undefined
  views: AuthorityViews | undefined
}

function toCodeView(
  c: AppContext,
  account: Account,
  code: OwnQrCode,
  { documents, found, views }: OfCode,
): CodeDocumentsView {
  const { qr_id } = code
  const shown = found ? documents.filter(({ id }) => found.has(id)) : documents
  const may_change = has(code.access, 'papers') && !code.is_claimed_away
  const own = documents.filter(
    (each) => may_change && handlesPapersOf(account, each.account_id) && !each.is_locked,
  )
  return {
    qr_id,
    qr_id_text: formatQrId(qr_id),
    heading: headingOf(code),
    about: accessibleName(code),
    may_upload: may_change,
    own: { total: own.length, open: own.filter(({ is_public }) => is_public).length },
    dues: duesOf(c, code, documents),
    others: documents.length - shown.length,
    documents: inTypeOrder(shown).map((document) => ({
      ...toEntryView(c, account, document, code),
      end: endOf(c, document, { code, documents }),
    })),
    views: toViewsView(c, views),
  }
}

function toEntryView(
  c: AppContext,
  account: Account,
  document: Document,
  code: OwnQrCode,
): Omit<DocumentEntryView, 'end'> {
  const { id, document_type, document_side, file_name, is_public } = document
  const holder = actsFor(account, code)
  const plan = planOf(account, holder)
  const is_own = document.account_id === holder
  const name = documentName(document_type, document_side)
  const uploaded = `Uploaded ${formatDate(document.uploaded_at, c.var.deps.config.timezone)}`
  return {
    id,
    name,
    about: `${name} of ${accessibleName(code)}`,
    label: typeLabel(document_type),
    type: document_type,
    detail: [sideLabel(document_side), file_name, uploaded].filter(Boolean).join(' · '),
    is_public,
    readers: is_public ? 'public' : holder === account.id ? 'private' : 'handled',
    is_own,
    is_locked: document.is_locked,
    may_change: is_own && has(code.access, 'papers') && !code.is_claimed_away,
    may_share: canUseGallery(plan) && canShare(plan),
    hasEnd: DOCUMENT_TYPES[document_type].hasEnd,
    pdf_problem: document.pdf_problem,
    href: fileUrl(document.stored_name),
  }
}

function toViewsView(c: AppContext, views: AuthorityViews | undefined): AuthorityViewsView {
  const { timezone } = c.var.deps.config
  const { total, last_viewed_at, recent } = views ?? { total: 0, last_viewed_at: null, recent: [] }
  return {
    total,
    last: formatDateTime(last_viewed_at, timezone),
    recent: recent.map(({ viewed_at, document }) => ({
      at: viewed_at,
      text: formatDateTime(viewed_at, timezone),
      what: document ? documentName(document.type, document.side) : 'the list of documents',
    })),
  }
}

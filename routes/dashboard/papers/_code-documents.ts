import { fileUrl } from '#actions/papers/view.ts'
import { nameOf } from '#components/codes/qr-card.tsx'
import type { AuthorityViewsView, CodeDocumentsView } from '#components/papers/code-documents.tsx'
import type { DocumentCardView } from '#components/papers/document-card.tsx'
import type { OwnQrCode } from '#db/codes/qr-codes.ts'
import { type AuthorityViews, listAuthorityViews } from '#db/papers/document-views.ts'
import { type Document, listDocumentsOf } from '#db/papers/documents.ts'
import type { Account } from '#db/schema.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { documentName, inTypeOrder, sideLabel, typeLabel } from '#domain/papers/document.ts'
import { dueState } from '#domain/papers/due-date.ts'
import { formatDate, formatDateTime, toDayIn } from '#domain/time.ts'
import type { AppContext } from '#routes/_http/deps.ts'

const RECENT_VIEWS = 20

/** Codes with their documents and the looks of authorities, as the tab shows them. */
export async function readCodeDocuments(
  c: AppContext,
  account: Account,
  codes: OwnQrCode[],
): Promise<CodeDocumentsView[]> {
  const { db } = c.var.deps
  const qrIds = codes.map(({ qr_id }) => qr_id)
  const documents = await listDocumentsOf(db, account, qrIds)
  const views = await listAuthorityViews(db, qrIds, RECENT_VIEWS)
  return codes.map((code) => {
    const { qr_id } = code
    const ofCode = documents.filter((document) => document.qr_id === qr_id)
    return toCodeView(c, account, code, { documents: ofCode, views: views.get(qr_id) })
  })
}

type OfCode = { documents: Document[]; views: AuthorityViews | undefined }

function toCodeView(
  c: AppContext,
  account: Account,
  code: OwnQrCode,
  { documents, views }: OfCode,
): CodeDocumentsView {
  const { qr_id } = code
  const own = documents.filter((each) => each.account_id === account.id && !each.is_locked)
  return {
    qr_id,
    qr_id_text: formatQrId(qr_id),
    name: nameOf(code),
    vehicle_registration: code.vehicle_registration,
    may_upload: !code.is_claimed_away,
    all_public:
      own.length > 0 && !code.is_claimed_away ? own.every(({ is_public }) => is_public) : undefined,
    dues: duesOf(c, code),
    documents: inTypeOrder(documents).map((document) => toCardView(c, account, document, code)),
    views: toViewsView(c, views),
  }
}

function toCardView(
  c: AppContext,
  account: Account,
  document: Document,
  { is_claimed_away }: OwnQrCode,
): DocumentCardView {
  const { id, document_type, document_side, file_name, is_public } = document
  return {
    id,
    name: documentName(document_type, document_side),
    label: typeLabel(document_type),
    detail: [sideLabel(document_side), file_name].filter(Boolean).join(' · '),
    is_public,
    is_own: document.account_id === account.id,
    is_locked: document.is_locked,
    may_change: document.account_id === account.id && !is_claimed_away,
    uploaded: formatDate(document.uploaded_at, c.var.deps.config.timezone),
    href: fileUrl(document.stored_name),
  }
}

const DUE_WORDS = {
  insurance_expiry_date: { past: 'Insurance expired', soon: 'Insurance expires' },
  next_service_due: { past: 'Service was due', soon: 'Next service due' },
} as const

function duesOf(c: AppContext, code: OwnQrCode): CodeDocumentsView['dues'] {
  const { clock, config } = c.var.deps
  const today = toDayIn(config.timezone, clock())
  return (['insurance_expiry_date', 'next_service_due'] as const).flatMap((field) => {
    const day = code[field]
    if (!day) return []
    const state = dueState(day, today)
    const words = DUE_WORDS[field][state === 'past' ? 'past' : 'soon']
    return [{ text: `${words} ${formatDate(day)}`, state }]
  })
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

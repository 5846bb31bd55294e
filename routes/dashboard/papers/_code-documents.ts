import { todayOf } from '#actions/papers/due.ts'
import { fileUrl } from '#actions/papers/view.ts'
import { accessibleName, nameOf } from '#components/codes/qr-card.tsx'
import type {
  AuthorityViewsView,
  CodeDocumentsView,
  VisibilityChange,
} from '#components/papers/code-documents.tsx'
import type { DocumentCardView, EndView } from '#components/papers/document-card.tsx'
import type { OwnQrCode } from '#db/codes/qr-codes.ts'
import { type AuthorityViews, listAuthorityViews } from '#db/papers/document-views.ts'
import { type Document, listDocumentsOf } from '#db/papers/documents.ts'
import type { Account } from '#db/schema.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import {
  DOCUMENT_TYPES,
  type DocumentType,
  documentName,
  inTypeOrder,
  sideLabel,
  typeLabel,
} from '#domain/papers/document.ts'
import { dueState, endBadge } from '#domain/papers/due.ts'
import { formatDate, formatDateTime } from '#domain/time.ts'
import type { AppContext } from '#routes/_http/context.ts'

const RECENT_VIEWS = 20

/** Reads the documents of codes, and their views by authorities. */
export async function readCodeDocuments(
  c: AppContext,
  account: Account,
  codes: OwnQrCode[],
  changed: ChangedCode | undefined,
): Promise<CodeDocumentsView[]> {
  const { db } = c.var.deps
  const qrIds = codes.map(({ qr_id }) => qr_id)
  const documents = await listDocumentsOf(db, account, qrIds)
  const views = await listAuthorityViews(db, qrIds, RECENT_VIEWS)
  return codes.map((code) => {
    const { qr_id } = code
    const ofCode = documents.filter((document) => document.qr_id === qr_id)
    return {
      ...toCodeView(c, account, code, { documents: ofCode, views: views.get(qr_id) }),
      changed: changed?.qr_id === qr_id ? changed : undefined,
    }
  })
}

export type ChangedCode = VisibilityChange & { qr_id: string }

type OfCode = { documents: Document[]; views: AuthorityViews | undefined }

function toCodeView(
  c: AppContext,
  account: Account,
  code: OwnQrCode,
  { documents, views }: OfCode,
): CodeDocumentsView {
  const { qr_id } = code
  const may_change = !code.is_claimed_away
  const own = documents.filter(
    (each) => may_change && each.account_id === account.id && !each.is_locked,
  )
  return {
    qr_id,
    qr_id_text: formatQrId(qr_id),
    name: nameOf(code),
    vehicle_registration: code.vehicle_registration,
    may_upload: may_change,
    own: { total: own.length, open: own.filter(({ is_public }) => is_public).length },
    dues: duesOf(c, code, documents),
    documents: inTypeOrder(documents).map((document) => ({
      ...toCardView(c, account, document, code),
      end: endOf(c, document, { code, documents }),
    })),
    views: toViewsView(c, views),
  }
}

function toCardView(
  c: AppContext,
  account: Account,
  document: Document,
  code: OwnQrCode,
): Omit<DocumentCardView, 'end'> {
  const { id, document_type, document_side, file_name, is_public } = document
  const name = documentName(document_type, document_side)
  return {
    id,
    name,
    about: `${name} of ${accessibleName(code)}`,
    label: typeLabel(document_type),
    detail: [sideLabel(document_side), file_name].filter(Boolean).join(' · '),
    is_public,
    is_own: document.account_id === account.id,
    is_locked: document.is_locked,
    may_change: document.account_id === account.id && !code.is_claimed_away,
    uploaded: formatDate(document.uploaded_at, c.var.deps.config.timezone),
    href: fileUrl(document.stored_name),
  }
}

type Among = { code: OwnQrCode; documents: Document[] }

/** The latest end of a type among the documents of a code. */
function latestEnd(documents: Document[], type: DocumentType): string {
  const ends = documents.filter(({ document_type }) => document_type === type)
  return ends.map(({ expires_on }) => expires_on ?? '').reduce((a, b) => (a > b ? a : b), '')
}

function endOf(
  c: AppContext,
  { document_type, expires_on }: Document,
  { code, documents }: Among,
): EndView | undefined {
  if (!DOCUMENT_TYPES[document_type].hasEnd) return undefined
  const today = todayOf(c.var.deps)
  if (!expires_on) return { text: endBadge(null, today), state: undefined }
  const onCode = document_type === 'insurance' ? (code.insurance_expiry_date ?? '') : ''
  const counts = expires_on >= latestEnd(documents, document_type) && expires_on >= onCode
  if (counts) return { text: endBadge(expires_on, today), state: dueState(expires_on, today) }
  const isOver = expires_on < today
  return { text: `${isOver ? 'Ended on' : 'Ends on'} ${formatDate(expires_on)}`, state: undefined }
}

const DUE_WORDS = {
  insurance_expiry_date: { past: 'Insurance expired', soon: 'Insurance expires' },
  next_service_due: { past: 'Service was due', soon: 'Next service due' },
} as const

/** The dates on the code; not that of the insurance where a document says a later one. */
function duesOf(c: AppContext, code: OwnQrCode, documents: Document[]): CodeDocumentsView['dues'] {
  const today = todayOf(c.var.deps)
  const insured = latestEnd(documents, 'insurance')
  return (['insurance_expiry_date', 'next_service_due'] as const).flatMap((field) => {
    const day = code[field]
    if (!day || (field === 'insurance_expiry_date' && insured >= day)) return []
    const state = dueState(day, today)
    const words = DUE_WORDS[field][state === 'expired' ? 'past' : 'soon']
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

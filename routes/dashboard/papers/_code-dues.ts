import { todayOf } from '#actions/papers/due.ts'
import type { EndView } from '#components/papers/document-entry.tsx'
import type { OwnQrCode } from '#db/codes/qr-codes.ts'
import type { Document } from '#db/papers/documents.ts'
import type { DocumentType } from '#domain/papers/document.ts'
import { documentEndText, dueState, endDateText } from '#domain/papers/due.ts'
import { formatDate } from '#domain/time.ts'
import type { AppContext } from '#routes/_http/context.ts'

type Among = { code: OwnQrCode; documents: Document[] }

/** The latest end of a type among the documents of a code. */
function latestEnd(documents: Document[], type: DocumentType): string {
  const ends = documents.filter(({ document_type }) => document_type === type)
  return ends.map(({ expires_on }) => expires_on ?? '').reduce((a, b) => (a > b ? a : b), '')
}

/** Returns when a document ends, as its entry says it; undefined where no date is known. */
export function endOf(
  c: AppContext,
  { document_type, expires_on }: Document,
  { code, documents }: Among,
): EndView | undefined {
  if (!expires_on) return undefined
  const today = todayOf(c.var.deps)
  const onCode = document_type === 'insurance' ? (code.insurance_expiry_date ?? '') : ''
  const counts = expires_on >= latestEnd(documents, document_type) && expires_on >= onCode
  if (counts)
    return { text: documentEndText(expires_on, today), state: dueState(expires_on, today) }
  return { text: endDateText(expires_on, today), state: undefined }
}

const DUE_WORDS = {
  insurance_expiry_date: { past: 'Insurance expired on', soon: 'Insurance ends on' },
  next_service_due: { past: 'Service was due on', soon: 'Service due on' },
} as const

/** Lists the dates on a code, but not that of the insurance where a document says a later one. */
export function duesOf(c: AppContext, code: OwnQrCode, documents: Document[]): EndView[] {
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

import { DomainError } from '#domain/error.ts'
import { isEndDay } from '#domain/time.ts'
import type { RefusalCode } from '#locales/refusal.ts'

export const DOCUMENT_SIDES = ['front', 'back'] as const
export type DocumentSide = (typeof DOCUMENT_SIDES)[number]

/** The document types in display order. */
export const DOCUMENT_TYPES = {
  rc_book: { label: 'Registration certificate (RC book)', hasSides: true, hasEnd: true },
  insurance: { label: 'Insurance', hasSides: false, hasEnd: true },
  puc: { label: 'Pollution certificate (PUC)', hasSides: false, hasEnd: true },
  license: { label: 'Driving licence', hasSides: true, hasEnd: true },
  owner_photo: { label: 'Owner photo', hasSides: false, hasEnd: false },
  vehicle_photo: { label: 'Vehicle photo', hasSides: false, hasEnd: false },
  road_tax: { label: 'Road tax', hasSides: false, hasEnd: true },
  vehicle_permit: { label: 'Vehicle permit', hasSides: false, hasEnd: true },
  fitness_certificate: { label: 'Fitness certificate', hasSides: false, hasEnd: true },
  id_proof: { label: 'ID proof', hasSides: true, hasEnd: false },
  service_history: { label: 'Service history', hasSides: false, hasEnd: true },
} as const

export type DocumentType = keyof typeof DOCUMENT_TYPES
export const DOCUMENT_TYPE_IDS = Object.keys(DOCUMENT_TYPES) as DocumentType[]

const SIDE_LABELS: Record<DocumentSide, string> = { front: 'Front side', back: 'Back side' }

export function typeLabel(type: DocumentType): string {
  return DOCUMENT_TYPES[type].label
}

export function sideLabel(side: DocumentSide | null): string | undefined {
  return side ? SIDE_LABELS[side] : undefined
}

export function findDocumentType(sent: string | undefined): DocumentType | undefined {
  return DOCUMENT_TYPE_IDS.find((id) => id === sent)
}

/** Returns the types with the text in the label or in the id, because many write "license" like the id. */
export function typesNamed(text: string): DocumentType[] {
  const wanted = text.toLowerCase()
  return DOCUMENT_TYPE_IDS.filter((id) =>
    [typeLabel(id).toLowerCase(), id.replaceAll('_', ' ')].some((name) => name.includes(wanted)),
  )
}

/** The readers of a document. */
export const SEEN_BY = {
  public: 'Anyone who scans can see it',
  private: 'Only you can see it',
  /** on a code of an owner who shares it */
  handled: 'Only the owner and managers can see it',
} as const

/** Returns the text after a change of visibility, of one document or of several. */
export function visibilityText(isPublic: boolean, several = false): string {
  if (several) return `They are ${isPublic ? 'public' : 'private'} now.`
  return isPublic ? `Public now. ${SEEN_BY.public}.` : `Private now. ${SEEN_BY.private}.`
}

/** Why a stored PDF shows nothing to the people that it is for. */
export const PDF_PROBLEMS = {
  password: 'This PDF opens only with a password: the police cannot read it',
  no_page: 'This PDF has no page that opens: the police cannot read it',
} as const
export type PdfProblem = keyof typeof PDF_PROBLEMS
export const PDF_PROBLEM_IDS = Object.keys(PDF_PROBLEMS) as PdfProblem[]

/** Returns the outcome of an upload. */
export function uploadText(problem: PdfProblem | null): string {
  const text = 'Document uploaded successfully!'
  return problem ? `${text} ${PDF_PROBLEMS[problem]}.` : text
}

const PUBLIC_WARNINGS: Partial<Record<DocumentType, string>> = {
  license: 'Shows your date of birth, your address and your signature.',
  id_proof: 'Shows your address and your ID number. Rarely asked for on the road.',
}

/** Returns the personal data that strangers see on a public document of this type; undefined for most types. */
export function publicWarning(type: DocumentType): string | undefined {
  return PUBLIC_WARNINGS[type]
}

/** Returns `Insurance`, or `Driving licence, front side`. */
export function documentName(type: DocumentType, side: DocumentSide | null): string {
  return side ? `${typeLabel(type)}, ${SIDE_LABELS[side].toLowerCase()}` : typeLabel(type)
}

type Sorted = { document_type: DocumentType; document_side: DocumentSide | null }

/** Sorts by type, the front before the back. Otherwise the order is kept. */
export function inTypeOrder<D extends Sorted>(documents: D[]): D[] {
  const place = ({ document_type, document_side }: Sorted) =>
    DOCUMENT_TYPE_IDS.indexOf(document_type) * 2 + (document_side === 'back' ? 1 : 0)
  return documents.toSorted((a, b) => place(a) - place(b))
}

export type DocumentFields = {
  document_type: DocumentType
  document_side: DocumentSide | null
  is_public: boolean
  /** the last day on which it is valid, as YYYY-MM-DD; null without an end */
  expires_on: string | null
}

/** Reads the fields sent with a file. A document is private by default. Throws invalid. */
export function readDocumentFields(sent: Record<string, string | undefined>): DocumentFields {
  const document_type = readType(sent.document_type?.trim())
  return {
    document_type,
    document_side: readSide(document_type, sent.document_side?.trim() || null),
    is_public: readSwitch('is_public', sent),
    expires_on: readSwitch('no_end', sent) ? null : readEnd(document_type, sent.expires_on),
  }
}

function readType(sent: string | undefined): DocumentType {
  const type = findDocumentType(sent)
  if (!type) throw new DomainError('invalid.document_type')
  return type
}

function readSide(type: DocumentType, sent: string | null): DocumentSide | null {
  const { hasSides, label } = DOCUMENT_TYPES[type]
  const side = DOCUMENT_SIDES.find((id) => id === sent) ?? null
  if (hasSides && !side) throw new DomainError('invalid.document_side')
  if (!hasSides && sent !== null)
    throw new DomainError({ code: 'invalid.no_sides', values: { document: label } })
  return side
}

/** A form sends `on` for a ticked checkbox and nothing for an unticked one. */
function readSwitch(name: string, fields: Record<string, string | undefined>): boolean {
  const sent = fields[name]?.trim().toLowerCase() ?? ''
  if (['true', '1', 'on'].includes(sent)) return true
  if (['', 'false', '0', 'off'].includes(sent)) return false
  throw new DomainError({ code: 'invalid.flag', values: { field: name } })
}

/** The refusals of the upload form that the browser finds first. */
export const DOCUMENT_REFUSALS = [
  'invalid.document_type',
  'invalid.document_side',
  'invalid.document_end',
] as const satisfies RefusalCode[]

/** Returns the end that was sent for a document; null without one, and for a type without an end. Throws invalid. */
export function readEnd(type: DocumentType, sent: string | null | undefined): string | null {
  const day = sent?.trim() || null
  if (day === null || !DOCUMENT_TYPES[type].hasEnd) return null
  if (!isEndDay(day)) throw new DomainError('invalid.document_end')
  return day
}

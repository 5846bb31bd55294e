import type { ExpressionBuilder } from 'kysely'
import type { DbOrTrx } from '#db/client.ts'
import { containsText, matchesSearch } from '#db/codes/qr-search.ts'
import { seenBy, type Viewer } from '#db/codes/seen-by.ts'
import { type Page, pageOf } from '#db/pages.ts'
import { canOpen } from '#db/papers/document-access.ts'
import { type Document, toDocument } from '#db/papers/documents.ts'
import type { QrCode, Tables } from '#db/schema.ts'
import { DomainError } from '#domain/error.ts'
import { type DocumentType, typesNamed } from '#domain/papers/document.ts'
import type { Whose } from '#domain/people/share.ts'

type Builder = ExpressionBuilder<Tables, 'documents' | 'qr_codes'>

/** Filters documents. The search covers their kind, file name and code. */
export type DocumentPage = Page & {
  search: string
  type: DocumentType | undefined
  whose?: Whose | null
}

/** The columns that tell a code from the others. */
const NAME_COLUMNS = [
  'qr_type',
  'owner_name',
  'vehicle_make_model',
  'vehicle_registration',
] as const
type NameColumn = (typeof NAME_COLUMNS)[number]

/** A document and its code. */
export type FoundDocument = Document & {
  code: Pick<QrCode, 'qr_id' | NameColumn>
}

/**
 * Returns the documents of all its codes that an account may open, ordered by code, and the total number.
 */
export async function searchDocuments(
  db: DbOrTrx,
  viewer: Viewer,
  { search, type, whose, ...page }: DocumentPage,
): Promise<{ documents: FoundDocument[]; total: number }> {
  const found = openTo(db, viewer, whose)
    .$if(type !== undefined, (query) => query.where('document_type', '=', type as string))
    .$if(search !== '', (query) => query.where(isAbout(viewer, search)))
  const inOrder = found
    .selectAll('documents')
    .select(NAME_COLUMNS)
    .orderBy('qr_codes.created_at', 'desc')
    .orderBy('qr_codes.id', 'desc')
    .orderBy('documents.uploaded_at', 'desc')
    .orderBy('documents.id')
  const { rows, total } = await pageOf(inOrder, page)
  return { total, documents: rows.map(toFound) }
}

/** Returns one unlocked document that the viewer may open, on any code. Throws not_found. */
export async function getOpenDocument(db: DbOrTrx, viewer: Viewer, id: string): Promise<Document> {
  const row = await openTo(db, viewer)
    .selectAll('documents')
    .where('documents.id', '=', id)
    .where('is_locked', '=', 0)
    .executeTakeFirstOrThrow(() => new DomainError('not_found.document'))
  return toDocument(row)
}

function openTo(db: DbOrTrx, viewer: Viewer, whose?: Whose | null) {
  return db
    .selectFrom('documents')
    .innerJoin('qr_codes', 'qr_codes.qr_id', 'documents.qr_id')
    .where('documents.qr_id', 'in', (eb) =>
      eb.selectFrom('qr_codes').select('qr_id').where(seenBy(viewer, whose)),
    )
    .where(canOpen(viewer))
}

/** Returns which documents of some codes a search finds: by their kind, their file name or their code. */
export async function findAmong(
  db: DbOrTrx,
  viewer: Viewer,
  qrIds: string[],
  search: string,
): Promise<Set<string>> {
  if (qrIds.length === 0) return new Set()
  const rows = await openTo(db, viewer)
    .select('documents.id')
    .where('documents.qr_id', 'in', qrIds)
    .where(isAbout(viewer, search, qrIds))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Returns whether the kind or the file name of a document contains a text. */
export function isNamed(search: string) {
  return ({ eb, or, ref }: ExpressionBuilder<Tables, 'documents'>) => {
    const types = typesNamed(search)
    return or([
      containsText(ref('file_name'), search),
      ...(types.length > 0 ? [eb('document_type', 'in', types)] : []),
    ])
  }
}

function isAbout(viewer: Viewer, search: string, among?: string[]) {
  return (eb: Builder) => {
    // Restricts the codes to the viewer's, though other documents are left out anyway: else the
    // codes of all accounts are read.
    const codes = eb
      .selectFrom('qr_codes')
      .select('qr_id')
      .where(seenBy(viewer))
      .where((code) => matchesSearch(code, viewer, search))
      .$if(among !== undefined, (query) => query.where('qr_id', 'in', among as string[]))
    return eb.or([isNamed(search)(eb), eb('documents.qr_id', 'in', codes)])
  }
}

type FoundRow = Parameters<typeof toDocument>[0] & Pick<QrCode, NameColumn>

function toFound(found: FoundRow): FoundDocument {
  const { qr_type, owner_name, vehicle_make_model, vehicle_registration, ...row } = found
  const name = { qr_type, owner_name, vehicle_make_model, vehicle_registration }
  return { ...toDocument(row), code: { qr_id: row.qr_id, ...name } }
}

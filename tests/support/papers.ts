import type { Db } from '#db/client.ts'
import type { DocumentRow } from '#db/papers/documents.ts'
import { randomId } from '#db/secrets.ts'

type Of = Pick<DocumentRow, 'qr_id' | 'account_id'>

/** Inserts a PUC without a file. */
export async function insertPaper(
  db: Db,
  of: Of,
  fields: Partial<DocumentRow> = {},
): Promise<DocumentRow> {
  const row: DocumentRow = {
    id: randomId(),
    document_type: 'puc',
    document_side: null,
    is_public: 0,
    is_locked: 0,
    file_name: 'puc.pdf',
    stored_name: `${randomId()}.pdf`,
    thumbnail_name: null,
    file_size: 1,
    content_type: 'application/pdf',
    uploaded_at: '2026-11-02T09:00:00.000Z',
    expires_on: null,
    pdf_problem: null,
    ...of,
    ...fields,
  }
  await db.insertInto('documents').values(row).execute()
  return row
}

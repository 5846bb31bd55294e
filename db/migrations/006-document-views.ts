import { type Kysely, sql } from 'kysely'

/** A look at a document is told from one at the list of them, also when the document is gone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table document_views add column document_type text`.execute(db)
  await sql`alter table document_views add column document_side text`.execute(db)
  await sql`update document_views set (document_type, document_side) = (
    select document_type, document_side from documents where id = document_views.document_id
  ) where document_id is not null`.execute(db)
}

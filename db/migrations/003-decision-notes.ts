import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table upgrade_requests add column decision_notes text`.execute(db)
}

import { type Kysely, type RawBuilder, sql } from 'kysely'
import { textIndexOf } from '#db/sqlite/text-index.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db)
}

/** Somebody who searches for a number does not know how it was spaced. */
const gapless = (column: RawBuilder<string>) =>
  sql`replace(replace(replace(replace(${column}, ' ', ''), '-', ''), '(', ''), ')', '')`

/** What an admin is shown of a code. */
const statements = textIndexOf({
  table: 'qr_codes',
  noun: 'qr_code',
  columns: ['qr_id', 'owner_name', 'contact_phone', 'vehicle_registration'],
  textOf: (column) => sql`${column('qr_id')} || char(10) || coalesce(${column('owner_name')}, '')
    || char(10) || coalesce(${gapless(column('contact_phone'))}, '')
    || char(10) || coalesce(${column('vehicle_registration')}, '')`,
})

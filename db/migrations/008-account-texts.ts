import { type Kysely, sql } from 'kysely'
import { textIndexOf } from '#db/sqlite/text-index.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db)
}

const statements = textIndexOf({
  table: 'accounts',
  noun: 'account',
  columns: ['name', 'email', 'mobile'],
  // Apart by line feeds, which no search has: a text never spans two of them.
  textOf: (column) => sql`${column('name')} || char(10) || coalesce(${column('email')}, '')
    || char(10) || coalesce(${column('mobile')}, '')`,
})

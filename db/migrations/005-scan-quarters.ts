import { type Kysely, type RawBuilder, sql } from 'kysely'
import { strict } from '#db/kysely.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) {
    await (statement as RawBuilder<unknown>).execute(db)
  }
}

const statements = [
  sql`create table scan_quarters (
    quarter text not null primary key,
    scans integer not null check (scans > 0)
  ) ${strict}`,
  // Of an old scan only the day is kept: at noon in London it is the same one nearly everywhere.
  sql`insert into scan_quarters (quarter, scans)
    select day || 'T12:00', scans from scan_days`,
  sql`drop table scan_days`,
]

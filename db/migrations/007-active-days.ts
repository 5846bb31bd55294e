import { type Kysely, type RawBuilder, sql } from 'kysely'
import { clusteredStrict } from '#db/kysely.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await (activeDays as RawBuilder<unknown>).execute(db)
}

const activeDays = sql`create table active_days (
  day text not null,
  account_id text not null references accounts (id) on delete cascade,
  primary key (day, account_id)
) ${clusteredStrict}`

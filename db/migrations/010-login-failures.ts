import { type Kysely, type RawBuilder, sql } from 'kysely'
import { strict } from '#db/kysely.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await (loginFailures as RawBuilder<unknown>).execute(db)
}

const loginFailures = sql`create table login_failures (
  n integer not null primary key,
  contact_hash text not null unique,
  failures integer not null check (failures > 0),
  waits_until text not null
) ${strict}`

import { type Kysely, type RawBuilder, sql } from 'kysely'
import { strict } from '#db/kysely.ts'

/** Wrong passwords that were counted by the contact alone are forgotten; live codes stay. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements as RawBuilder<unknown>[]) await statement.execute(db)
}

const statements = [
  sql`drop table login_failures`,
  sql`create table wrong_guesses (
    n integer not null primary key,
    contact_hash text not null,
    source_hash text not null,
    kind text not null check (kind in ('password', 'code')),
    is_known_device integer not null check (is_known_device in (0, 1)),
    in_row integer not null check (in_row in (0, 1)),
    guessed_at text not null
  ) ${strict}`,
  sql`create index wrong_guesses_by_contact on wrong_guesses (contact_hash, guessed_at)`,
  sql`create index wrong_guesses_by_source on wrong_guesses (source_hash)`,
  sql`create table one_time_codes_by_browser (
    purpose text not null check (purpose in ('register', 'login', 'reset')),
    contact text not null,
    browser_hash text not null,
    code_hash text not null,
    tries integer not null check (tries between 0 and 5),
    tries_elsewhere integer not null check (tries_elsewhere between 0 and 15),
    created_at text not null,
    expires_at text not null,
    primary key (purpose, contact, browser_hash)
  ) ${strict}`,
  sql`insert into one_time_codes_by_browser
    select purpose, contact, '', code_hash, tries, 0, created_at, expires_at from one_time_codes`,
  sql`drop table one_time_codes`,
  sql`alter table one_time_codes_by_browser rename to one_time_codes`,
]

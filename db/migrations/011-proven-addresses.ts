import { type Kysely, type RawBuilder, sql } from 'kysely'
import { strict } from '#db/kysely.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await (statement as RawBuilder<unknown>).execute(db)
}

const statements = [
  sql`alter table accounts add column email_verified_at text`,
  // Until now an account was made by a one-time code, by a provider, by the command line, which
  // left an event, or as a child's, which has a parent. The last two proved nothing.
  sql`update accounts set email_verified_at = created_at
    where email is not null and (
      id in (select account_id from google_identities)
      or (parent_id is null and id not in (
        select subject_id from audit_events
        where action = 'account.created' and subject_id is not null
      ))
    )`,
  sql`alter table documents
    add column is_locked integer not null default 0 check (is_locked in (0, 1) and is_locked + is_public < 2)`,
  sql`alter table password_reset_requests
    add column child_answer text check (child_answer in ('asked', 'confirmed', 'denied'))`,
  sql`create table reset_questions (
    account_id text not null primary key references accounts (id) on delete cascade,
    approved_by text not null,
    reset_at text not null,
    devices_before text not null,
    denied_at text
  ) ${strict}`,
]

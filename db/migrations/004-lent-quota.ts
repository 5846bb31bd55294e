import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table temporary_permissions
    add column lent_quota integer not null default 0`.execute(db)
  // Nothing is known of what was made of it so far: it is taken for untouched.
  await sql`update temporary_permissions set lent_quota = (
    select child_qr_quota from accounts where id = temporary_permissions.account_id
  )`.execute(db)
  await sql`drop index accounts_by_created`.execute(db)
  await sql`create index accounts_by_created on accounts (created_at, id)`.execute(db)
  await sql`create index accounts_by_role on accounts (role, created_at, id)`.execute(db)
  await sql`create index blocked_accounts on accounts (id) where is_active = 0`.execute(db)
}

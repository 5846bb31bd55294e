import { type Kysely, sql } from 'kysely'

/** An e-mail is optional in a claim, so it cannot mark what a claimer without an account holds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table qr_codes add column claimed_at text`.execute(db)
  await sql`alter table qr_codes add column take_token_hash text`.execute(db)
  await sql`update qr_codes set claimed_at = updated_at where claim_email is not null`.execute(db)
  await sql`create unique index qr_codes_by_take_token on qr_codes (take_token_hash)
    where take_token_hash is not null`.execute(db)
}

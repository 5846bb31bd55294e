/**
 * Papers that end, the digests about them, and calendars, for both engines. As every migration it stands by
 * itself; from its release on this file is not edited.
 */

type Words = {
  text: string
  flag: string
  /** ends a table */
  rows: string
  /** ends a table whose rows live in its primary key's order */
  clustered: string
}

const SQLITE: Words = {
  text: 'text',
  flag: 'integer',
  rows: 'strict',
  clustered: 'strict, without rowid',
}

const POSTGRES: Words = { text: 'text collate "C"', flag: 'smallint', rows: '', clustered: '' }

const statements = ({ text, flag, rows, clustered }: Words): string[] => [
  // The last day on which a document is valid, as YYYY-MM-DD; null without an end.
  `alter table documents add column expires_on ${text} check (expires_on like '____-__-__')`,
  // What ends next, for an account and for the daily run over all of them.
  `create index documents_by_account_end on documents (account_id, expires_on)
    where expires_on is not null`,
  `create index documents_by_end on documents (expires_on, id) where expires_on is not null`,
  `create index qr_codes_by_insurance on qr_codes (insurance_expiry_date, id)
    where insurance_expiry_date is not null`,
  `create index qr_codes_by_owner_insurance on qr_codes (owner_id, insurance_expiry_date)
    where insurance_expiry_date is not null`,
  `create index qr_codes_by_service on qr_codes (next_service_due, id)
    where next_service_due is not null`,
  `create index qr_codes_by_owner_service on qr_codes (owner_id, next_service_due)
    where next_service_due is not null`,
  // Codes with a child user, whose documents both of them see.
  `create index qr_codes_by_owner_child on qr_codes (owner_id) where child_account_id is not null`,
  // On which days an account got a digest: each at most once.
  `create table due_digests (
    account_id ${text} not null references accounts (id) on delete cascade,
    day ${text} not null,
    primary key (account_id, day)
  ) ${clustered}`,
  `create index due_digests_by_day on due_digests (day)`,
  // The address of an account's calendar: a hash by which it is found, and the token itself, sealed.
  `create table calendars (
    account_id ${text} not null primary key references accounts (id) on delete cascade,
    token_hash ${text} not null unique,
    token ${text} not null,
    created_at ${text} not null
  ) ${rows}`,
  // Whether a calendar ended with an earlier password.
  `alter table ended_access add column calendar ${flag} not null default 0 check (calendar in (0, 1))`,
]

export const sqlite: readonly string[] = statements(SQLITE)
export const postgres: readonly string[] = statements(POSTGRES)

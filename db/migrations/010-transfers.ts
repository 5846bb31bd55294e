/**
 * Codes that are handed over to another account, and the scans that earlier owners had, for both engines. As
 * every migration it stands by itself; from its release on this file is not edited.
 */

type Words = {
  text: string
  /** whole numbers that JavaScript holds exactly */
  whole: string
  flag: string
  /** ends a table */
  rows: string
}

const SQLITE: Words = { text: 'text', whole: 'integer', flag: 'integer', rows: 'strict' }
const POSTGRES: Words = {
  text: 'text collate "C"',
  whole: 'bigint',
  flag: 'smallint',
  rows: '',
}

const statements = ({ text, whole, flag, rows }: Words): string[] => [
  // A code on its way to whoever has proven an e-mail. One at a time, and gone once it is decided. The token
  // is in a mail alone.
  `create table transfers (
    id ${text} not null primary key,
    code_id ${text} not null unique references qr_codes (id) on delete cascade,
    from_account_id ${text} not null references accounts (id) on delete cascade,
    email ${text} not null check (email = lower(email)),
    include_documents ${flag} not null check (include_documents in (0, 1)),
    token_hash ${text} not null unique,
    created_at ${text} not null,
    expires_at ${text} not null
  ) ${rows}`,
  `create index transfers_by_account on transfers (from_account_id)`,
  `create index transfers_by_end on transfers (expires_at)`,
  // How often a code was scanned before it came to its owner; when, is deleted.
  `alter table qr_codes add column earlier_scans ${whole} not null default 0
    check (earlier_scans >= 0)`,
  `create index qr_codes_with_earlier_scans on qr_codes (owner_id, earlier_scans)
    where earlier_scans > 0`,
]

export const sqlite: readonly string[] = statements(SQLITE)
export const postgres: readonly string[] = statements(POSTGRES)

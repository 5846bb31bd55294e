/**
 * Accounts that are being deleted, for both engines. As every migration it stands by itself; from its release on
 * this file is not edited.
 */

const tables = (text: string, flag: string, rows: string): string[] => [
  // `token_hash` is null once the removal has begun; `is_active` is what the account is if it is taken back.
  `create table account_deletions (
    account_id ${text} not null primary key references accounts (id) on delete cascade,
    token_hash ${text} unique,
    is_active ${flag} not null check (is_active in (0, 1)),
    asked_at ${text} not null,
    ends_at ${text} not null
  ) ${rows}`,
  // Codes that were switched off with their account, and are on again if its deletion is taken back.
  `alter table qr_codes add column is_ending ${flag} not null default 0 check (is_ending in (0, 1))`,
]

export const sqlite: readonly string[] = tables('text', 'integer', 'strict')
export const postgres: readonly string[] = tables('text collate "C"', 'smallint', '')

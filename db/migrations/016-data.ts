/**
 * What people may know, take along and end of their own data, for both engines. As every migration it stands by
 * itself; from its release on this file is not edited.
 */

const tables = (text: string, whole: string, rows: string): string[] => [
  `alter table lost_periods add column earlier_scans ${whole} not null default 0
    check (earlier_scans >= 0)`,
  // Which version of the privacy notice an account was shown, and when.
  `create table consents (
    account_id ${text} not null references accounts (id) on delete cascade,
    version ${text} not null,
    given_at ${text} not null,
    primary key (account_id, version)
  ) ${rows}`,
  // That of a claimer without an account; `claimed_at` is when.
  `alter table qr_codes add column claim_notice ${text}`,
  // Child users whose guardian has not confirmed yet.
  `create table guardian_waits (
    account_id ${text} not null primary key references accounts (id) on delete cascade,
    code_id ${text} not null references qr_codes (id) on delete cascade,
    asked_at ${text} not null
  ) ${rows}`,
  `create index guardian_waits_by_code on guardian_waits (code_id)`,
  // An account has one export at a time; its file has the name of the row.
  `create table exports (
    id ${text} not null primary key,
    account_id ${text} not null unique references accounts (id) on delete cascade,
    status ${text} not null check (status in ('running', 'done', 'failed')),
    progress ${whole} not null check (progress between 0 and 100),
    bytes ${whole} not null,
    created_at ${text} not null,
    claimed_until ${text} not null,
    done_at ${text}
  ) ${rows}`,
  `create index audit_events_by_subject on audit_events (subject_id) where subject_id is not null`,
]

export const sqlite: readonly string[] = tables('text', 'integer', 'strict')
export const postgres: readonly string[] = tables('text collate "C"', 'bigint', '')

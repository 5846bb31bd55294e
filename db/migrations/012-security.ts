/**
 * What accounts need to look after their own security, for both engines. As every migration it stands by itself;
 * from its release on this file is not edited.
 */

const PURPOSES = `check (purpose in ('register', 'login', 'reset', 'email'))`
const DEVICES = `check (device in ('phone', 'tablet', 'desktop', 'other'))`

/**
 * The address that an account changes to until its code is typed, and what an earlier address takes a change back
 * with.
 */
const emailTables = (text: string, rows: string): string[] => [
  `create table new_emails (
    account_id ${text} not null primary key references accounts (id) on delete cascade,
    email ${text} not null,
    asked_at ${text} not null
  ) ${rows}`,
  `create table email_ways_back (
    token_hash ${text} not null primary key,
    account_id ${text} not null references accounts (id) on delete cascade,
    email ${text} not null,
    changed_at ${text} not null,
    expires_at ${text} not null
  ) ${rows}`,
  `create index email_ways_back_by_account on email_ways_back (account_id)`,
]

/** The second factor of an account, and sign-ins that wait for it. */
const factorTables = (text: string, whole: string, rows: string): string[] => [
  `create table authenticators (
    account_id ${text} not null primary key references accounts (id) on delete cascade,
    secret ${text} not null,
    created_at ${text} not null,
    confirmed_at ${text},
    last_step ${whole} not null
  ) ${rows}`,
  `create table recovery_codes (
    account_id ${text} not null references accounts (id) on delete cascade,
    code_hash ${text} not null,
    primary key (account_id, code_hash)
  ) ${rows}`,
  `create table trusted_devices (
    account_id ${text} not null references accounts (id) on delete cascade,
    device_id ${text} not null,
    trusted_until ${text} not null,
    primary key (account_id, device_id)
  ) ${rows}`,
  `create table sign_in_tickets (
    token_hash ${text} not null primary key,
    account_id ${text} not null references accounts (id) on delete cascade,
    tries ${whole} not null check (tries between 0 and 5),
    created_at ${text} not null,
    expires_at ${text} not null
  ) ${rows}`,
]

export const sqlite: readonly string[] = [
  `alter table sessions add column device text not null default 'other' ${DEVICES}`,
  `alter table sessions add column browser text`,
  `alter table sessions add column proven_at text not null default ''`,
  `update sessions set proven_at = created_at`,
  `create table new_codes (
    purpose text not null ${PURPOSES},
    contact text not null,
    browser_hash text not null,
    code_hash text not null,
    tries integer not null check (tries between 0 and 5),
    tries_elsewhere integer not null check (tries_elsewhere between 0 and 15),
    created_at text not null,
    expires_at text not null,
    primary key (purpose, contact, browser_hash)
  ) strict`,
  `insert into new_codes select * from one_time_codes`,
  `drop table one_time_codes`,
  `alter table new_codes rename to one_time_codes`,
  ...emailTables('text', 'strict'),
  ...factorTables('text', 'integer', 'strict'),
]

export const postgres: readonly string[] = [
  `alter table sessions
    add column device text collate "C" not null default 'other' ${DEVICES},
    add column browser text collate "C",
    add column proven_at text collate "C" not null default ''`,
  `update sessions set proven_at = created_at`,
  `alter table one_time_codes drop constraint one_time_codes_purpose_check`,
  `alter table one_time_codes add ${PURPOSES}`,
  ...emailTables('text collate "C"', ''),
  ...factorTables('text collate "C"', 'bigint', ''),
]

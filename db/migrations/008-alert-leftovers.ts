/**
 * What an account is told has ended, and the programs that it is known to log in with, for both engines. As
 * every migration it stands by itself; from its release on this file is not edited.
 */

type Words = {
  text: string
  /** whole numbers that JavaScript holds exactly */
  whole: string
  /** ends a table */
  rows: string
  /** ends a table whose rows live in its primary key's order */
  clustered: string
}

const SQLITE: Words = {
  text: 'text',
  whole: 'integer',
  rows: 'strict',
  clustered: 'strict, without rowid',
}

const POSTGRES: Words = { text: 'text collate "C"', whole: 'bigint', rows: '', clustered: '' }

const statements = ({ text, whole, rows, clustered }: Words): string[] => [
  // What ended with an earlier password, for an account to which no mail went. It is gone once it was read. `keys` has
  // the names of API keys and `channels` the kinds of channels, as JSON; `links` is a number.
  `create table ended_access (
    id ${text} not null primary key,
    account_id ${text} not null references accounts (id) on delete cascade,
    ended_at ${text} not null,
    keys ${text} not null,
    links ${whole} not null check (links >= 0),
    channels ${text} not null
  ) ${rows}`,
  `create index ended_access_by_account on ended_access (account_id)`,
  // Programs keep no cookie: a keyed hash of the name and the network of one that an account was logged in with.
  `create table known_programs (
    account_id ${text} not null references accounts (id) on delete cascade,
    program_hash ${text} not null,
    seen_at ${text} not null,
    primary key (account_id, program_hash)
  ) ${clustered}`,
  `create index known_programs_by_time on known_programs (seen_at)`,
]

export const sqlite: readonly string[] = statements(SQLITE)
export const postgres: readonly string[] = statements(POSTGRES)

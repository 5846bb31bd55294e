/**
 * Passkeys, and the challenges that were answered, for both engines. As every migration it stands by itself;
 * from its release on this file is not edited.
 */

const tables = (text: string, whole: string, rows: string): string[] => [
  `create table passkeys (
    id ${text} not null primary key,
    account_id ${text} not null references accounts (id) on delete cascade,
    name ${text} not null,
    credential_id ${text} not null unique,
    public_key ${text} not null,
    counter ${whole} not null,
    transports ${text} not null,
    created_at ${text} not null,
    last_used_at ${text}
  ) ${rows}`,
  `create index passkeys_by_account on passkeys (account_id)`,
  `create table spent_challenges (
    challenge_hash ${text} not null primary key,
    ends_at ${text} not null
  ) ${rows}`,
]

export const sqlite: readonly string[] = tables('text', 'integer', 'strict')
export const postgres: readonly string[] = tables('text collate "C"', 'bigint', '')

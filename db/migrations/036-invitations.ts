/** Adds the invitations to make an account. Those made on the command line have no `account_id`. */
const changes = (text: string, flag: string, rows: string): string[] => [
  `create table invitations (
    id ${text} not null primary key,
    email ${text} not null unique check (email = lower(email)),
    token_hash ${text} not null unique,
    account_id ${text} references accounts (id) on delete cascade,
    was_mailed ${flag} not null check (was_mailed in (0, 1)),
    created_at ${text} not null,
    expires_at ${text} not null
  ) ${rows}`,
  'create index invitations_by_account on invitations (account_id)',
  'create index invitations_by_end on invitations (expires_at)',
]

export const sqlite: readonly string[] = changes('text', 'integer', 'strict')
export const postgres: readonly string[] = changes('text collate "C"', 'smallint', '')

/**
 * Adds what owners share with other people. A row without a `person_id` is an open invitation. Both scopes
 * null: all codes of the owner.
 */
const changes = (text: string, flag: string, rows: string): string[] => [
  `create table shares (
    id ${text} not null primary key,
    owner_id ${text} not null references accounts (id) on delete cascade,
    person_id ${text} references accounts (id) on delete cascade,
    role ${text} not null check (role in ('manager', 'member', 'viewer')),
    company_fleet_name ${text},
    code_id ${text} references qr_codes (id) on delete cascade,
    created_at ${text} not null,
    email ${text} check (email = lower(email)),
    token_hash ${text} unique,
    was_mailed ${flag} check (was_mailed in (0, 1)),
    expires_at ${text},
    unique (owner_id, person_id),
    unique (owner_id, email),
    check (person_id <> owner_id),
    check (company_fleet_name is null or code_id is null),
    check ((person_id is null) = (email is not null)),
    check ((person_id is null) = (token_hash is not null)),
    check ((person_id is null) = (was_mailed is not null)),
    check ((person_id is null) = (expires_at is not null))
  ) ${rows}`,
  'create index shares_by_person on shares (person_id)',
  'create index shares_by_code on shares (code_id)',
  'create index shares_by_end on shares (expires_at)',
]

export const sqlite: readonly string[] = changes('text', 'integer', 'strict')
export const postgres: readonly string[] = changes('text collate "C"', 'smallint', '')

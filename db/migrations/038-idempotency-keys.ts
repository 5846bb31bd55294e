/** Adds the calls that are not made twice, because they have an `Idempotency-Key`, and their answers. */
const table = (text: string, rows: string): string[] => [
  `create table idempotency_keys (
    id ${text} not null primary key,
    account_id ${text} not null references accounts (id) on delete cascade,
    body_hash ${text} not null,
    answer ${text},
    created_at ${text} not null,
    answered_at ${text}
  ) ${rows}`,
  'create index idempotency_keys_by_account on idempotency_keys (account_id)',
  'create index idempotency_keys_by_time on idempotency_keys (created_at)',
]

export const sqlite: readonly string[] = table('text', 'strict')
export const postgres: readonly string[] = table('text collate "C"', '')

/**
 * Adds the browser and the network of a finder, for blocks and limits, and the alerts of a code that go out together.
 */

const tables = (text: string, whole: string, flag: string, rows: string): string[] => [
  // Keyed hashes, deleted after 7 days like `sender_hash`, which is of the exact address.
  `alter table conversations add column browser_hash ${text}`,
  `alter table conversations add column network_hash ${text}`,
  `alter table conversations add column blocked_at ${text}`,
  `create index conversations_by_network on conversations (network_hash, created_at)
    where network_hash is not null`,
  // The messages about a code since the last alert of them. `outbox_id` is the cause of their alert.
  `create table message_bundles (
    code_id ${text} not null references qr_codes (id) on delete cascade,
    account_id ${text} not null references accounts (id) on delete cascade,
    outbox_id ${text} not null,
    due_at ${text} not null,
    messages ${whole} not null check (messages > 0),
    is_urgent ${flag} not null check (is_urgent in (0, 1)),
    primary key (code_id, account_id)
  ) ${rows}`,
  'create index message_bundles_by_account on message_bundles (account_id)',
]

export const sqlite: readonly string[] = tables('text', 'integer', 'integer', 'strict')
export const postgres: readonly string[] = tables('text collate "C"', 'bigint', 'smallint', '')

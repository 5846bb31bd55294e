/**
 * Adds which people have read a conversation of an owner since the finder's last message, when they last typed, and
 * the author of an answer who is not the owner. `conversations.is_unread` stays the owner's own.
 */
const changes = (text: string, rows: string): string[] => [
  `create table conversation_reads (
    conversation_id ${text} not null references conversations (id) on delete cascade,
    account_id ${text} not null references accounts (id) on delete cascade,
    typed_at ${text},
    primary key (conversation_id, account_id)
  ) ${rows}`,
  'create index conversation_reads_by_account on conversation_reads (account_id)',
  `alter table conversation_messages add column author_id ${text}
    references accounts (id) on delete set null`,
  `create index conversation_messages_by_author on conversation_messages (author_id)
    where author_id is not null`,
]

export const sqlite: readonly string[] = changes('text', 'strict')
export const postgres: readonly string[] = changes('text collate "C"', '')

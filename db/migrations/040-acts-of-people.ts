/** Adds an owner to the acts of people on shared codes. Acts of admins have none. */
const changes = (text: string): string[] => [
  `alter table audit_events add column owner_id ${text} references accounts (id) on delete cascade`,
  `create index audit_events_by_owner on audit_events (owner_id, happened_at)
    where owner_id is not null`,
]

export const sqlite: readonly string[] = changes('text')
export const postgres: readonly string[] = changes('text collate "C"')

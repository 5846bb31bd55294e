/**
 * The index of conversations in which nobody writes, for both engines. As every migration it stands by
 * itself; from its release on this file is not edited.
 */

// An index that begins with the status was taken to count the open ones of an account, among those of all.
const statements: readonly string[] = [
  `drop index conversations_by_last_message`,
  `create index quiet_conversations on conversations (last_message_at)
    where status in ('open', 'waiting')`,
]

export const sqlite = statements
export const postgres = statements

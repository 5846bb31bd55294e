/** Adds when a channel first accepted the last alert about a conversation. */
export const sqlite: readonly string[] = ['alter table conversation_mails add column told_at text']
export const postgres: readonly string[] = sqlite.map((statement) => `${statement} collate "C"`)

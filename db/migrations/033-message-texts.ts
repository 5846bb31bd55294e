/** Gives messages of the installation a text for each language. */
const table = (text: string, rows: string): string[] => [
  `create table admin_message_texts (
    message_id ${text} not null references admin_messages (id) on delete cascade,
    lang ${text} not null,
    title ${text} not null,
    content ${text} not null,
    primary key (message_id, lang)
  ) ${rows}`,
]

export const sqlite: readonly string[] = table('text', 'strict')
export const postgres: readonly string[] = table('text collate "C"', '')

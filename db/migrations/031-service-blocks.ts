/**
 * Lets a moderator block the sender of a reported conversation on the whole service, and answer its reporter. The
 * check of actions has to allow the first, and SQLite changes a check only as text.
 */

const changes = (text: string, rows: string): string[] => [
  `alter table reports add column answer ${text}`,
  `alter table reports add column answered_at ${text}`,
  // A keyed hash, as of `blocked_senders`. The report is the way back, and no reference: the block outlives it.
  `create table service_blocks (
    sender_hash ${text} not null,
    report_id ${text} not null,
    expires_at ${text} not null,
    primary key (sender_hash, report_id)
  ) ${rows}`,
]

export const sqlite: readonly string[] = [
  ...changes('text', 'strict, without rowid'),
  'pragma writable_schema = on',
  `update sqlite_schema set sql = replace(sql, '''block_account''', '''block_account'', ''block_sender''')
    where name = 'reports'`,
  'pragma writable_schema = reset',
]

export const postgres: readonly string[] = [
  ...changes('text collate "C"', ''),
  'alter table reports drop constraint reports_action_check',
  `alter table reports add constraint reports_action_check check (action in
    ('dismiss', 'hide_popup_image', 'deactivate_code', 'block_account', 'block_sender'))`,
]

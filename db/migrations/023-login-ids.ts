/**
 * Accounts whose address somebody else has proven go on with a random login id. The check of contacts has to allow
 * that, and SQLite changes a check only as text.
 */
const COLUMNS = [
  'alter table accounts add column login_id text',
  'alter table accounts add column email_lost_at text',
]
const INDEX =
  'create unique index accounts_by_login_id on accounts (login_id) where login_id is not null'
const HAS_CONTACT = 'email is not null or mobile is not null'

export const sqlite: readonly string[] = [
  ...COLUMNS,
  INDEX,
  'pragma writable_schema = on',
  `update sqlite_schema set sql = replace(sql, '(${HAS_CONTACT})', '(${HAS_CONTACT} or login_id is not null)')
    where name = 'accounts'`,
  'pragma writable_schema = reset',
]

export const postgres: readonly string[] = [
  ...COLUMNS.map((statement) => `${statement} collate "C"`),
  INDEX,
  'alter table accounts drop constraint accounts_check',
  `alter table accounts add constraint accounts_check check (${HAS_CONTACT} or login_id is not null)`,
]

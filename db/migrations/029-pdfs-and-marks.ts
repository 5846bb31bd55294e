/**
 * Remembers why a document's PDF shows no page, and indexes names without the marks of their Latin letters, so that
 * `jose` finds `José`.
 */

const COLUMN = 'alter table documents add column pdf_problem text'

/** A table of trigrams cannot be altered. Its triggers know it by its name. */
const withoutMarks = (noun: string) => [
  `drop table ${noun}_search`,
  `create virtual table ${noun}_search
      using fts5(text, content=${noun}_texts, content_rowid='n', tokenize='trigram remove_diacritics 1')`,
  `insert into ${noun}_search (${noun}_search) values ('rebuild')`,
]

export const sqlite: readonly string[] = [
  COLUMN,
  ...withoutMarks('account'),
  ...withoutMarks('qr_code'),
]

const TEXTS = {
  account: {
    table: 'accounts',
    text: `name || chr(10) || coalesce(email, '') || chr(10) || coalesce(mobile, '')`,
  },
  qr_code: {
    table: 'qr_codes',
    text: `qr_id || chr(10) || coalesce(owner_name, '') || chr(10)
    || coalesce(replace(replace(replace(replace(contact_phone, ' ', ''), '-', ''), '(', ''), ')', ''), '') || chr(10)
    || coalesce(vehicle_registration, '')`,
  },
}

export const postgres: readonly string[] = [
  `${COLUMN} collate "C"`,
  ...Object.entries(TEXTS).flatMap(([noun, { table, text }]) => [
    `drop index ${noun}_search`,
    `create index ${noun}_search on ${table} using gin (
      (lower(normalize(regexp_replace(normalize(${text}, nfd), '([A-Za-z])[\\u0300-\\u036f]+', '\\1', 'g'), nfc)
        collate "und-x-icu")) gin_trgm_ops)`,
  ]),
]

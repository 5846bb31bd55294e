type Indexed = {
  table: string
  /** the prefix of all names of the index: `account_texts`, `account_search` */
  noun: string
  columns: string[]
  /** separated by line feeds, which no search has, so that a match never spans two columns */
  textOf: (column: (name: string) => string, lineFeed: string) => string
}

/** Removes spaces and punctuation, because the person who searches does not know how a number was spaced. */
const gapless = (column: string) =>
  `replace(replace(replace(replace(${column}, ' ', ''), '-', ''), '(', ''), ')', '')`

const INDEXED: Indexed[] = [
  {
    table: 'accounts',
    noun: 'account',
    columns: ['name', 'email', 'mobile'],
    textOf: (column, lineFeed) => `${column('name')} || ${lineFeed}
    || coalesce(${column('email')}, '') || ${lineFeed} || coalesce(${column('mobile')}, '')`,
  },
  // The columns of a code that an admin sees.
  {
    table: 'qr_codes',
    noun: 'qr_code',
    columns: ['qr_id', 'owner_name', 'contact_phone', 'vehicle_registration'],
    textOf: (column, lineFeed) => `${column('qr_id')} || ${lineFeed}
    || coalesce(${column('owner_name')}, '') || ${lineFeed}
    || coalesce(${gapless(column('contact_phone'))}, '') || ${lineFeed}
    || coalesce(${column('vehicle_registration')}, '')`,
  },
]

/**
 * Finds a table's rows by any three characters of their texts, in any letter case. The texts have row
 * numbers of their own, because a backup gives other tables' rows new ones.
 */
export const sqliteSearch: readonly string[] = INDEXED.flatMap(
  ({ table, noun, columns, textOf }) => {
    const text = textOf((name) => `new.${name}`, 'char(10)')
    const [texts, search, key] = [`${noun}_texts`, `${noun}_search`, `${noun}_id`]
    const forget = `insert into ${search} (${search}, rowid, text)
    values ('delete', old.n, old.text);`
    const learn = `insert into ${search} (rowid, text) values (new.n, new.text);`
    return [
      `create table ${texts} (
      n integer not null primary key,
      ${key} text not null unique references ${table} (id) on delete cascade,
      text text not null
    ) strict`,
      `create virtual table ${search}
      using fts5(text, content=${texts}, content_rowid='n', tokenize='trigram')`,
      `create trigger ${noun}_text_made after insert on ${texts} begin ${learn} end`,
      `create trigger ${noun}_text_gone after delete on ${texts} begin ${forget} end`,
      `create trigger ${noun}_text_changed after update on ${texts} begin
      ${forget} ${learn}
    end`,
      `create trigger ${noun}_made after insert on ${table} begin
      insert into ${texts} (${key}, text) values (new.id, ${text});
    end`,
      `create trigger ${noun}_renamed after update of ${columns.join(', ')} on ${table} begin
      update ${texts} set text = ${text} where ${key} = new.id;
    end`,
    ]
  },
)

/** The index of an expression needs no copy of the texts. Its letter cases are those of Unicode. */
export const postgresSearch: readonly string[] = INDEXED.map(
  ({ table, noun, textOf }) => `create index ${noun}_search on ${table}
      using gin (((${textOf((name) => name, 'chr(10)')}) collate "und-x-icu") gin_trgm_ops)`,
)

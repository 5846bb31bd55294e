import { type RawBuilder, sql } from 'kysely'
import { strict } from '#db/kysely.ts'

type Row = 'new' | 'rows'
type Indexed = {
  table: string
  /** begins the names of all that belongs to the index: `account_texts`, `account_search` */
  noun: string
  /** the columns that the text is made of */
  columns: string[]
  textOf: (column: (name: string) => RawBuilder<string>) => RawBuilder<string>
}

/**
 * What makes an index that finds a table's rows by any three characters in a row of their texts, in
 * any letter case, and keeps it as the table changes. Migrations are made of it: once they are
 * released, neither is edited.
 */
export function textIndexOf({ table, noun, columns, textOf }: Indexed): RawBuilder<unknown>[] {
  const of = (row: Row) =>
    textOf((name) => sql.ref(row === 'new' ? `new.${name}` : `${table}.${name}`))
  const name = (rest: string) => sql.table(`${noun}_${rest}`)
  const [key, search] = [sql.ref(`${noun}_id`), name('search')]
  const forget = sql`insert into ${search} (${search}, rowid, text)
    values ('delete', old.n, old.text)`
  const learn = sql`insert into ${search} (rowid, text) values (new.n, new.text)`
  return [
    // With numbers of its own: a backup gives other tables' rows new ones.
    sql`create table ${name('texts')} (
      n integer not null primary key,
      ${key} text not null unique references ${sql.table(table)} (id) on delete cascade,
      text text not null
    ) ${strict}`,
    sql`create virtual table ${search}
      using fts5(text, content=${name('texts')}, content_rowid='n', tokenize='trigram')`,
    sql`create trigger ${name('text_made')} after insert on ${name('texts')} begin ${learn}; end`,
    sql`create trigger ${name('text_gone')} after delete on ${name('texts')} begin ${forget}; end`,
    sql`create trigger ${name('text_changed')} after update on ${name('texts')} begin
      ${forget}; ${learn};
    end`,
    sql`create trigger ${name('made')} after insert on ${sql.table(table)} begin
      insert into ${name('texts')} (${key}, text) values (new.id, ${of('new')});
    end`,
    sql`create trigger ${name('renamed')}
      after update of ${sql.join(columns.map((each) => sql.ref(each)))} on ${sql.table(table)} begin
      update ${name('texts')} set text = ${of('new')} where ${key} = new.id;
    end`,
    sql`insert into ${name('texts')} (${key}, text)
      select id, ${of('rows')} from ${sql.table(table)}`,
  ]
}

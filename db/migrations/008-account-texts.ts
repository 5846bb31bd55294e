import { type Kysely, type RawBuilder, sql } from 'kysely'
import { strict, trigramIndex } from '#db/sqlite.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) {
    await (statement as RawBuilder<unknown>).execute(db)
  }
}

/** Apart by line feeds, which no search has: a text never spans two of them. */
const textOf = (row: 'new' | 'accounts') => {
  const column = (name: string) => sql.ref(`${row}.${name}`)
  return sql`${column('name')} || char(10) || coalesce(${column('email')}, '') || char(10)
    || coalesce(${column('mobile')}, '')`
}

const forget = sql`insert into account_search (account_search, rowid, text)
  values ('delete', old.n, old.text)`
const learn = sql`insert into account_search (rowid, text) values (new.n, new.text)`

const statements = [
  // With numbers of its own: a backup gives other tables' rows new ones.
  sql`create table account_texts (
    n integer not null primary key,
    account_id text not null unique references accounts (id) on delete cascade,
    text text not null
  ) ${strict}`,
  trigramIndex('account_search', 'account_texts'),
  sql`create trigger account_text_made after insert on account_texts begin ${learn}; end`,
  sql`create trigger account_text_gone after delete on account_texts begin ${forget}; end`,
  sql`create trigger account_text_changed after update on account_texts begin
    ${forget}; ${learn};
  end`,
  sql`create trigger account_made after insert on accounts begin
    insert into account_texts (account_id, text) values (new.id, ${textOf('new')});
  end`,
  sql`create trigger account_renamed after update of name, email, mobile on accounts begin
    update account_texts set text = ${textOf('new')} where account_id = new.id;
  end`,
  sql`insert into account_texts (account_id, text)
    select id, ${textOf('accounts')} from accounts`,
]

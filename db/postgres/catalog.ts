/** Statements that the catalog generates for all tables. */
import type pg from 'pg'

const notOfExtension = (catalog: string) => `not exists (select from pg_depend
  where classid = '${catalog}'::regclass and objid = each.oid and deptype = 'e')`

/** Returns the tables with DriveQR's data. */
export async function listTables(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select relname as name from pg_class as each
    where relnamespace = to_regnamespace(current_schema()) and relkind = 'r'
      and relname <> 'schema_version' and ${notOfExtension('pg_class')}`)
  return rows.map(({ name }) => name)
}

/** Runs the statements that a query returns, one per row. */
async function runAll(client: pg.ClientBase, statements: string, values: string[] = []) {
  const { rows } = await client.query<{ statement: string }>(statements, values)
  for (const { statement } of rows) await client.query(statement)
}

/** Moves all tables and functions into a new schema. */
export async function moveAside(client: pg.ClientBase, schema: string): Promise<void> {
  await client.query(`create schema ${schema}`)
  await moveInto(client, schema)
}

/** Moves all tables and functions into a schema. Tables keep their rows, indexes and triggers. */
export async function moveInto(client: pg.ClientBase, schema: string): Promise<void> {
  await runAll(
    client,
    `select format('alter table %s set schema %I', oid::regclass, $1::text) as statement
      from pg_class as each
      where relnamespace = to_regnamespace(current_schema()) and relkind in ('r', 'p')
        and ${notOfExtension('pg_class')}
    union all
    select format('alter routine %s set schema %I', oid::regprocedure, $1::text)
      from pg_proc as each
      where pronamespace = to_regnamespace(current_schema()) and ${notOfExtension('pg_proc')}`,
    [schema],
  )
}

/** Drops all foreign keys. Returns the statements that create them again. */
export async function dropReferences(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ away: string; again: string }>(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as away,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname,
        pg_get_constraintdef(oid)) as again
    from pg_constraint
    where contype = 'f' and connamespace = to_regnamespace(current_schema())`)
  for (const { away } of rows) await client.query(away)
  return rows.map(({ again }) => again)
}

/** Makes identity columns continue after their highest value. */
export async function continueCounters(client: pg.ClientBase): Promise<void> {
  await runAll(
    client,
    `select format('select setval(pg_get_serial_sequence(%L, %L), max(%I)) from %s having max(%I) > 0',
      attrelid::regclass, attname, attname, attrelid::regclass, attname) as statement
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = to_regnamespace(current_schema()) and attidentity <> ''`,
  )
}

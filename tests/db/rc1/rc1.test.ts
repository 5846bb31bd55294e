/**
 * A database that 1.0.0-rc.1 made with its 21 migrations, with an account, a code and a scan:
 * `driveqr.db.gz` of SQLite, `dump.sql.gz` by `pg_dump --inserts`.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import type { Db } from '#db/client.ts'
import { openEngine } from '#db/open-engine.ts'
import { assertCurrent, SCHEMA_VERSION } from '#db/schema-version.ts'
import { openSqlite } from '#db/sqlite/sqlite.ts'
import { ask, isOnPostgres, makeEmptyDatabase, run } from '#tests/support/postgres.ts'
import { makeQuickFolder } from '#tests/support/quick-folder.ts'

const unzip = (name: string) => gunzipSync(readFileSync(`tests/db/rc1/${name}`))

type Place = { dataDir: string; databaseUrl: string | undefined }

async function emptyPlace(): Promise<Place> {
  const dataDir = makeQuickFolder()
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  return { dataDir, databaseUrl: isOnPostgres() ? await makeEmptyDatabase() : undefined }
}

/** The database of 1.0.0-rc.1, or the same that says that it has another version. */
async function placeOfRc1(version = 21): Promise<Place> {
  const place = await emptyPlace()
  if (place.databaseUrl) {
    const setVersion = `update public.schema_version set version = ${version}`
    await run(place.databaseUrl, String(unzip('dump.sql.gz')), setVersion)
  } else {
    const file = join(place.dataDir, 'driveqr.db')
    writeFileSync(file, unzip('driveqr.db.gz'))
    const connection = openSqlite(file, 0)
    connection.pragma(`user_version = ${version}`)
    connection.close()
  }
  return place
}

async function withQueries<T>(place: Place, work: (db: Db) => Promise<T>): Promise<T> {
  const engine = await openEngine({ ...place, databasePool: 1 })
  try {
    expect(await engine.readVersion()).toBe(SCHEMA_VERSION)
    return await work(await engine.queries())
  } finally {
    await engine.close()
  }
}

/** Everything in the schema, table by table; on SQLite in the order in which it considers indexes. */
async function readSchema(place: Place): Promise<unknown[]> {
  await withQueries(place, async () => {})
  if (place.databaseUrl) return ask(place.databaseUrl, POSTGRES_SCHEMA)
  const connection = openSqlite(join(place.dataDir, 'driveqr.db'), 0)
  const rows = connection
    .prepare<[], { tbl_name: string; type: string; name: string; sql: string | null }>(
      'select tbl_name, type, name, sql from sqlite_schema order by tbl_name, type, rowid',
    )
    .all()
  connection.close()
  // SQLite quotes renamed tables, and puts columns that were added later on one line.
  return rows.map(({ sql, ...row }) => ({
    ...row,
    sql: sql
      ?.toLowerCase()
      .replaceAll('"', '')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/ ?([(),]) ?/g, '$1'),
  }))
}

const POSTGRES_SCHEMA = `
  select attrelid::regclass::text as of, concat_ws(' ', attname, format_type(atttypid, atttypmod),
    attcollation::regcollation, attnotnull, attidentity, pg_get_expr(adbin, adrelid)) as definition
  from pg_attribute join pg_class on pg_class.oid = attrelid
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
  union all select conrelid::regclass::text,
    -- A dump keeps only the parentheses that are needed.
    conname || ' ' || translate(pg_get_constraintdef(oid), '()', '')
  from pg_constraint where connamespace = 'public'::regnamespace
  union all select indrelid::regclass::text, pg_get_indexdef(indexrelid)
  from pg_index join pg_class on pg_class.oid = indexrelid where relnamespace = 'public'::regnamespace
  union all select tgrelid::regclass::text, pg_get_triggerdef(oid)
  from pg_trigger where not tgisinternal
  union all select proname, prosrc
  from pg_proc where pronamespace = 'public'::regnamespace and probin is null
  order by 1, 2`

test('goes on unchanged, and its schema is that of a new database', async () => {
  const place = await placeOfRc1()
  expect(await readSchema(place)).toEqual(await readSchema(await emptyPlace()))
  await withQueries(place, async (db) => {
    const codes = await db.selectFrom('qr_codes').select(['qr_id', 'owner_name']).execute()
    expect(codes).toEqual([{ qr_id: 'AAAA2222', owner_name: 'Asha' }])
    const scans = await db.selectFrom('owner_scans').selectAll().execute()
    expect(scans).toEqual([{ owner_id: 'a', quarter: '2026-01-02T00:00', scans: 1 }])
  })
})

test('of an earlier version is refused by one line, and nothing is changed', async () => {
  const place = await placeOfRc1(20)
  const sentence =
    'The database has schema 20, older than this program can upgrade: start DriveQR 1.0.0-rc.1 first'
  await expect(openEngine({ ...place, databasePool: 1 })).rejects.toThrow(sentence)
  expect(() => assertCurrent(20)).toThrow(sentence)
  if (place.databaseUrl) {
    const read =
      'select version::int, (select count(*)::int from meta) as notes from schema_version'
    expect(await ask(place.databaseUrl, read)).toEqual([{ version: 20, notes: 1 }])
  } else {
    const connection = openSqlite(join(place.dataDir, 'driveqr.db'), 0)
    expect(connection.pragma('user_version', { simple: true })).toBe(20)
    expect(connection.prepare('select key from meta').pluck().all()).toEqual(['install_id'])
    connection.close()
  }
})

import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { migrations, versionsOf } from '#db/migrations/index.ts'
import { SCHEMA_VERSION } from '#db/schema-version.ts'
import { migrateToLatest } from '#db/sqlite/migrate.ts'
import { openSqlite, schemaVersion } from '#db/sqlite/sqlite.ts'

/** SHA-256 of the statements of each migration. A line is added with a release; none is ever changed. */
const RELEASED = ['96d528cb9c74d4de83abf3727f14c18d0425dcc986f99ced0194ffdc005eef6a']

test('end at the version that the program says', () => {
  expect(versionsOf(migrations.length - 1).after).toBe(SCHEMA_VERSION)
})

test('that were released stay as they are', () => {
  const hashes = migrations.map(({ sqlite, postgres }) =>
    createHash('sha256')
      .update(JSON.stringify([sqlite, postgres]))
      .digest('hex'),
  )
  expect(hashes.slice(0, RELEASED.length)).toEqual(RELEASED)
})

/** The rows that are deleted with an account or a code, and their references to it. */
const TAKEN_ALONG = [
  'accounts',
  'qr_codes',
  'documents',
  'conversations',
  'password_reset_requests',
  'scans',
  'upgrade_requests',
]
/** They have rows of minutes or a month alone, and are written at logins. */
const SHORT = ['sign_in_codes', 'sign_in_tickets', 'active_days']

test('have an index for each reference to a row that goes with an account or a code', async () => {
  const connection = openSqlite(':memory:', 0)
  await migrateToLatest(connection)
  const links = connection
    .prepare<[], { child: string; column: string; parent: string }>(`
      select child.name as child, link."from" as "column", link."table" as parent
      from sqlite_schema as child, pragma_foreign_key_list(child.name) as link
      where child.type = 'table'`)
    .all()
    .filter(({ parent, child }) => TAKEN_ALONG.includes(parent) && !SHORT.includes(child))
  expect(links.length).toBeGreaterThan(60)
  const read = links.filter(({ child, column }) =>
    connection
      .prepare<[], { detail: string }>(
        `explain query plan select 1 from ${child} where ${column} = 'x'`,
      )
      .all()
      .some(({ detail }) => detail.startsWith('SCAN')),
  )
  expect(read).toEqual([])
  connection.close()
})

test('one that fails leaves the schema as it was', async () => {
  const connection = openSqlite(':memory:', 0)
  await migrateToLatest(connection)
  const broken = { sqlite: ['create table half (a text) strict', 'half way'], postgres: [] }
  await expect(migrateToLatest(connection, [...migrations, broken])).rejects.toThrow('syntax error')
  expect(schemaVersion(connection)).toBe(SCHEMA_VERSION)
  const tables = connection.prepare("select name from sqlite_schema where name = 'half'").all()
  expect(tables).toEqual([])
  connection.close()
})

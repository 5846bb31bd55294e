import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { migrations } from '#db/migrations/index.ts'
import { SCHEMA_VERSION } from '#db/schema-version.ts'
import { migrateToLatest } from '#db/sqlite/migrate.ts'
import { openSqlite, schemaVersion } from '#db/sqlite/sqlite.ts'

const FOLDER = 'db/migrations'

/** SHA-256 of each migration. A line is added with a release; none is ever changed. */
const RELEASED = {
  '001-schema.ts': '0cbadd29072c865d6394202071050a2d189932c1c5c44e15ae33e98c98de0b88',
  '002-conversations.ts': 'd82fbbbe53cfe9e7b4982256b9c0fee89d59008ced6288c4dcb03e6d8b8602a1',
  '003-alerts.ts': '47e59c104d42b45fcb4986f609c80765b9673c2d3925a0506db2a8c625787f18',
  '004-conversation-language.ts':
    'af34242bb4459d5a9cf7ab3e8fca6216bb329e158476e6e0f2f06ce8662fd7d4',
}

test('are as many as the program says', () => {
  expect(migrations).toHaveLength(SCHEMA_VERSION)
})

test('that were released stay as they are', () => {
  const files = readdirSync(FOLDER).filter((name) => name !== 'index.ts')
  const hashOf = (name: string) =>
    createHash('sha256')
      .update(readFileSync(`${FOLDER}/${name}`))
      .digest('hex')
  expect(Object.fromEntries(files.map((name) => [name, hashOf(name)]))).toMatchObject(RELEASED)
})

/** What goes with an account or a code, and by which references to it. */
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

test('lead from each row that goes with an account or a code to what refers to it by an index', async () => {
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
  expect(schemaVersion(connection)).toBe(migrations.length)
  const tables = connection.prepare("select name from sqlite_schema where name = 'half'").all()
  expect(tables).toEqual([])
  connection.close()
})

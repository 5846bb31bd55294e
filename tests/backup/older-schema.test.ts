import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '#db/client.ts'
import { queriesOn } from '#db/kysely.ts'
import { migrateToLatest } from '#db/migrate.ts'
import { migrations } from '#db/migrations/index.ts'
import { schemaVersion } from '#db/schema-version.ts'
import { openSqlite } from '#db/sqlite/sqlite.ts'
import { backUp, restore, temporaryFolder } from '#tests/backup/support.ts'

const STORED = `${'a'.repeat(26)}.pdf`

/** A data folder as an older program left it: one migration short, with a file. */
async function openOlder() {
  const dataDir = join(temporaryFolder(), 'data')
  mkdirSync(join(dataDir, 'files'), { recursive: true })
  writeFileSync(join(dataDir, 'files', STORED), 'picture')
  writeFileSync(join(dataDir, 'install-id'), 'older\n')
  const connection = openSqlite(join(dataDir, 'driveqr.db'), 1000)
  await migrateToLatest(connection, migrations.slice(0, -1))
  await queriesOn(connection)
    .insertInto('meta')
    .values({ key: 'install_id', value: 'older' })
    .execute()
  return { dataDir, connection }
}

test('a backup before an upgrade is one of what was before, with all files', async () => {
  const { dataDir, connection } = await openOlder()
  const { file, files } = await backUp(dataDir)
  expect(files).toBe(1)
  expect(schemaVersion(connection)).toBe(migrations.length - 1)
  connection.close()
  const restored = join(temporaryFolder(), 'restored')
  const { manifest } = await restore(file, restored)
  expect(manifest.schema_version).toBe(migrations.length - 1)
  const opened = await openDatabase(restored)
  expect(schemaVersion(opened.connection)).toBe(migrations.length)
  await opened.close()
})

test('a backup of a database that is newer than the program is refused', async () => {
  const { dataDir, connection } = await openOlder()
  connection.pragma(`user_version = ${migrations.length + 1}`)
  await expect(backUp(dataDir)).rejects.toThrow('start the newer program')
  connection.close()
})

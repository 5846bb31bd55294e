import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FIRST_VERSION, SCHEMA_VERSION } from '#db/schema-version.ts'
import { migrateToLatest } from '#db/sqlite/migrate.ts'
import { queriesOn } from '#db/sqlite/queries.ts'
import { openSqlite, schemaVersion } from '#db/sqlite/sqlite.ts'
import { hashContent } from '#storage/backup/archive.ts'
import { fileSource } from '#storage/backup/archive-place.ts'
import { readBackup } from '#storage/backup/read.ts'
import { backUp, temporaryFolder } from '#tests/backup/support.ts'

const STORED = `${'a'.repeat(26)}.pdf`

/** A data folder with a file and a database that says it has seen so many migrations. */
async function openWithVersion(version: number) {
  const dataDir = join(temporaryFolder(), 'data')
  mkdirSync(join(dataDir, 'files'), { recursive: true })
  writeFileSync(join(dataDir, 'files', STORED), 'picture')
  writeFileSync(join(dataDir, 'install-id'), 'older\n')
  const connection = openSqlite(join(dataDir, 'driveqr.db'), 1000)
  await migrateToLatest(connection)
  const id = { key: 'install_id', value: 'older' }
  await queriesOn(connection).insertInto('meta').values(id).execute()
  connection.pragma(`user_version = ${version}`)
  return { dataDir, connection }
}

// Until there is a migration after the schema, no database that can be backed up is older than the program.
test.skipIf(SCHEMA_VERSION <= FIRST_VERSION)(
  'a backup made before an upgrade has the earlier schema and all files',
  async () => {
    const { dataDir, connection } = await openWithVersion(SCHEMA_VERSION - 1)
    const { file, files } = await backUp(dataDir)
    expect(files).toBe(1)
    expect(schemaVersion(connection)).toBe(SCHEMA_VERSION - 1)
    connection.close()
    const { manifest } = await readBackup(fileSource(file), ({ content }) =>
      hashContent(content, () => {}),
    )
    expect(manifest.schema_version).toBe(SCHEMA_VERSION - 1)
  },
)

test('a backup of a database that is newer than the program, or too old for it, is refused', async () => {
  for (const [version, sentence] of [
    [SCHEMA_VERSION + 1, 'start the newer program'],
    [FIRST_VERSION - 1, 'start DriveQR 1.0.0-rc.1 first'],
  ] as const) {
    const { dataDir, connection } = await openWithVersion(version)
    await expect(backUp(dataDir)).rejects.toThrow(sentence)
    connection.close()
  }
})

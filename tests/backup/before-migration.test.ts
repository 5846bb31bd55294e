import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { migrations } from '#db/migrations/index.ts'
import { openEngine } from '#db/open-engine.ts'
import { SCHEMA_VERSION } from '#db/schema-version.ts'
import { migrateToLatest } from '#db/sqlite/migrate.ts'
import { openSqlite, schemaVersion } from '#db/sqlite/sqlite.ts'
import { hashContent } from '#storage/backup/archive.ts'
import { fileSource } from '#storage/backup/archive-place.ts'
import { backUpBeforeMigration } from '#storage/backup/before-migration.ts'
import { readBackup } from '#storage/backup/read.ts'
import { NOW, temporaryFolder } from '#tests/backup/support.ts'

const OLDER = SCHEMA_VERSION - 1

/** A folder whose database lacks the last migration, and a program that opens it. */
async function openOlder({ isOn = true, folder }: { isOn?: boolean; folder?: string } = {}) {
  const dataDir = join(temporaryFolder(), 'data')
  mkdirSync(dataDir)
  const connection = openSqlite(join(dataDir, 'driveqr.db'), 1000)
  await migrateToLatest(connection, migrations.slice(0, -1))
  connection.close()
  const noted: unknown[] = []
  const source = {
    dataDir,
    databaseUrl: undefined,
    databasePool: 1,
    publicUrl: 'https://keys.example.in',
    timezone: 'Asia/Kolkata',
    backups: { isOn, folder, keep: { days: 14, months: 0 } },
    now: NOW,
  }
  const before = backUpBeforeMigration(source, (...all) => noted.push(all))
  const readVersion = () => {
    const opened = openSqlite(join(dataDir, 'driveqr.db'), 1000)
    const version = schemaVersion(opened)
    opened.close()
    return version
  }
  return { dataDir, noted, readVersion, open: () => openEngine(source, 'server', before) }
}

test('a backup of the earlier schema is made before a migration, and is told with both numbers', async () => {
  const { dataDir, noted, open, readVersion } = await openOlder()
  await (await open()).close()
  expect(readVersion()).toBe(SCHEMA_VERSION)
  const file = join(dataDir, 'backups', 'driveqr-20261120T100000Z.tar')
  const facts = { from: OLDER, to: SCHEMA_VERSION, file }
  expect(noted).toEqual([[facts, 'backup made before the migration']])
  const { manifest } = await readBackup(fileSource(file), ({ content }) =>
    hashContent(content, () => {}),
  )
  expect(manifest).toMatchObject({ schema_version: OLDER })
})

test('a backup that cannot be made stops the migration', async () => {
  const folder = join(temporaryFolder(), 'not mounted')
  const { noted, open, readVersion } = await openOlder({ folder })
  await expect(open()).rejects.toThrow(
    `Schema ${OLDER} is not migrated to ${SCHEMA_VERSION}, because no backup could be made before it (There is no folder ${folder}): mend that, or set BACKUP=off`,
  )
  expect(noted).toEqual([])
  expect(readVersion()).toBe(OLDER)
  expect(existsSync(folder)).toBe(false)
})

test('with BACKUP=off a migration has no backup, which is told', async () => {
  const { dataDir, noted, open } = await openOlder({ isOn: false })
  await (await open()).close()
  const facts = { from: OLDER, to: SCHEMA_VERSION }
  expect(noted).toEqual([[facts, 'no backup before the migration: BACKUP=off']])
  expect(existsSync(join(dataDir, 'backups'))).toBe(false)
})

test('a new database and one with the current schema need none', async () => {
  const { noted, open, dataDir } = await openOlder()
  rmSync(dataDir, { recursive: true })
  await (await open()).close()
  await (await open()).close()
  expect(noted).toEqual([])
  expect(readdirSync(dataDir)).not.toContain('backups')
})

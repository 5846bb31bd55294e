/** Installations on either engine, to be compared whole. */
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { differencesOf } from '#db/engine.ts'
import { openEngine } from '#db/open-engine.ts'
import type { Tables } from '#db/schema.ts'
import { loadSecretKey } from '#db/secrets.ts'
import { makeBackup } from '#storage/backup/make.ts'
import { restoreBackup } from '#storage/backup/restore.ts'
import { openFileStore } from '#storage/files.ts'
import { EVERY_ROW } from '#tests/support/every-row.ts'
import { makeEmptyDatabase } from '#tests/support/postgres.ts'

export const NOW = new Date('2026-11-20T10:00:00.000Z')
/** In the order in which PostgreSQL names an aside, and folders do. */
export const ASIDE = { folder: 'replaced-20261120T100000Z', schema: 'replaced_20261120t100000z' }

export type Installation = { dataDir: string; databaseUrl: string | undefined }

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'driveqr-installation-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A place for an installation: nothing is there yet. */
export async function newPlace(engine: 'sqlite' | 'postgres'): Promise<Installation> {
  const databaseUrl = engine === 'postgres' ? await makeEmptyDatabase() : undefined
  return { dataDir: join(temporaryFolder(), 'data'), databaseUrl }
}

/** An installation with a row in every table, a key, and a stored file. `name` tells it apart. */
export async function makeInstallation(
  engine: 'sqlite' | 'postgres',
  name: string,
): Promise<Installation> {
  const place = await newPlace(engine)
  const opened = await openEngine({ ...place, databasePool: 1 })
  const db = await opened.queries()
  await differencesOf(db).load(EVERY_ROW)
  loadSecretKey(place.dataDir)
  const files = openFileStore(place.dataDir)
  const path = files.newTemporary()
  writeFileSync(path, name.repeat(1000))
  const [stored_name = ''] = await files.keep([{ path, kind: 'png' }])
  await db.updateTable('popup_images').set({ stored_name }).execute()
  await db.updateTable('accounts').set({ name }).where('id', '=', 'a2').execute()
  await opened.close()
  return place
}

const TABLES = Object.keys(EVERY_ROW) as (keyof Tables)[]

/** All rows of all tables, files and the key; what a restore notes in the audit log is left out. */
export async function wholeOf({ dataDir, databaseUrl }: Installation) {
  const opened = await openEngine({ dataDir, databaseUrl, databasePool: 1 })
  const db = await opened.queries()
  const rows: Record<string, string[]> = {}
  for (const table of TABLES) {
    const all = (await db.selectFrom(table).selectAll().execute()) as Record<string, unknown>[]
    rows[table] = all
      .filter(({ action }) => action !== 'backup.restored')
      .map((row) => JSON.stringify(Object.entries(row).sort()))
      .sort()
  }
  await opened.close()
  return { rows, files: filesOf(dataDir), key: readFileSync(join(dataDir, 'secret.key'), 'hex') }
}

/** The stored files with their checksums. */
export function filesOf(dataDir: string): string[] {
  const folder = join(dataDir, 'files')
  return readdirSync(folder)
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => `${name} ${sumOf(join(folder, name))}`)
}

const sumOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

/** The archive of an installation. */
export async function archiveOf(place: Installation): Promise<string> {
  const file = join(temporaryFolder(), 'backup.tar')
  await makeBackup({ ...place, publicUrl: 'https://k.example.in', now: NOW }, file, () => () => {})
  return file
}

export function restoreInto(place: Installation, file: string, replace = false) {
  return restoreBackup({ ...place, file, replace, now: NOW }, () => () => {})
}

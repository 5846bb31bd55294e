import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { kindOfStoredName } from '#domain/papers/file-kind.ts'

export const FILES_FOLDER = 'files'
export const INCOMING_FOLDER = 'incoming'
/** A file may be about to get its row; after this long it will not. */
const ORPHAN_AFTER_MS = 60 * 60 * 1000

export type Strays = { temporary: string[]; orphans: string[]; missing: string[] }

/**
 * What a crash before `startedAt` left in a data folder: temporary files, and files that no row
 * names. `missing` are names that rows have and the folder has not.
 */
export async function findStrays(
  dataDir: string,
  listNames: () => Promise<string[]>,
  startedAt: Date,
): Promise<Strays> {
  const folder = join(dataDir, FILES_FOLDER)
  const incoming = join(folder, INCOMING_FOLDER)
  const temporary = await findOlder(incoming, await namesIn(incoming), startedAt)
  // The files first: one that comes meanwhile must not be missed, only looked for again.
  const files = await listStored(dataDir)
  const named = new Set(await listNames())
  const unnamed = files.filter((name) => !named.has(name))
  const before = new Date(startedAt.getTime() - ORPHAN_AFTER_MS)
  const orphans = await findOlder(folder, unnamed, before)
  const there = new Set(files)
  const missing = [...named].filter((name) => !there.has(name) && !existsSync(join(folder, name)))
  return { temporary, orphans, missing }
}

/** The names of all stored files, whether a row has them or not. */
export async function listStored(dataDir: string): Promise<string[]> {
  return (await namesIn(join(dataDir, FILES_FOLDER))).filter(kindOfStoredName)
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error) => undefinedIfAbsent(error) ?? [])
}

async function findOlder(folder: string, names: string[], than: Date): Promise<string[]> {
  const older: string[] = []
  for (const name of names) {
    const found = await stat(join(folder, name)).catch(undefinedIfAbsent)
    if (found && found.mtime < than) older.push(name)
  }
  return older
}

/** For what somebody else may have removed meanwhile. */
export function undefinedIfAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

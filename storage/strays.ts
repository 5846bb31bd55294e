import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { kindOfStoredName } from '#domain/papers/file-kind.ts'

export const FILES_FOLDER = 'files'
export const INCOMING_FOLDER = 'incoming'
/** A younger file may still get its row. */
const ORPHAN_AFTER_MS = 60 * 60 * 1000

export type Strays = { temporary: string[]; orphans: string[]; missing: string[] }

/**
 * Files that a crash before `startedAt` left in a data folder: temporary ones, and orphans without a
 * row. `missing` are names that rows mention but the folder does not have.
 */
export async function findStrays(
  dataDir: string,
  listNames: () => Promise<string[]>,
  startedAt: Date,
): Promise<Strays> {
  const folder = join(dataDir, FILES_FOLDER)
  const incoming = join(folder, INCOMING_FOLDER)
  const temporary = await findOlder(incoming, await namesIn(incoming), startedAt)
  // Files are listed before rows, so that a file added in between is not reported as missing.
  const files = await listStored(dataDir)
  const named = new Set(await listNames())
  const unnamed = files.filter((name) => !named.has(name))
  const before = new Date(startedAt.getTime() - ORPHAN_AFTER_MS)
  const orphans = await findOlder(folder, unnamed, before)
  const there = new Set(files)
  const missing = [...named].filter((name) => !there.has(name) && !existsSync(join(folder, name)))
  return { temporary, orphans, missing }
}

/** The names of all stored files, with or without a row. */
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

/** For files that another process may have removed. */
export function undefinedIfAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

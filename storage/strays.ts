import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { kindOfStoredName } from '#domain/papers/file-kind.ts'
import { namesIn, undefinedIfAbsent } from '#storage/folder-shelf.ts'
import type { Shelf } from '#storage/shelf.ts'

/** A younger file may still get its row. */
const ORPHAN_AFTER_MS = 60 * 60 * 1000

export type Strays = { temporary: string[]; orphans: string[]; missing: string[] }

/**
 * Files that a crash before `startedAt` left: temporary ones in the folder `incoming`, and orphans
 * without a row. `missing` are names that rows mention but the shelf does not have.
 */
export async function findStrays(
  shelf: Shelf,
  incoming: string,
  listNames: () => Promise<string[]>,
  startedAt: Date,
): Promise<Strays> {
  const temporary = await findOlder(await namesIn(incoming), startedAt, async (name) => {
    return (await stat(join(incoming, name)).catch(undefinedIfAbsent))?.mtime
  })
  // Files are listed before rows, so that a file added in between is not reported as missing.
  const files = (await shelf.list()).filter(kindOfStoredName)
  const named = new Set(await listNames())
  const unnamed = files.filter((name) => !named.has(name))
  const before = new Date(startedAt.getTime() - ORPHAN_AFTER_MS)
  const orphans = await findOlder(unnamed, before, shelf.changedAt)
  const there = new Set(files)
  const missing: string[] = []
  for (const name of named) {
    if (!there.has(name) && (await shelf.size(name)) === undefined) missing.push(name)
  }
  return { temporary, orphans, missing }
}

async function findOlder(
  names: string[],
  than: Date,
  changedAt: (name: string) => Promise<Date | undefined>,
): Promise<string[]> {
  const older: string[] = []
  for (const name of names) {
    const at = await changedAt(name)
    if (at && at < than) older.push(name)
  }
  return older
}

import type { DbOrTrx } from '#db/client.ts'
import { differencesOf } from '#db/engine.ts'

/** Returns the size of the database on the disk, in bytes, by part. */
export function measureDatabase(db: DbOrTrx): Promise<{ part: string; bytes: number }[]> {
  return differencesOf(db).measure(db)
}

/** Frees this process's cache of database pages. */
export async function dropPageCache(db: DbOrTrx): Promise<void> {
  await differencesOf(db).dropPageCache?.()
}

import type { DbOrTrx } from '#db/client.ts'
import { differencesOf } from '#db/engine.ts'

/** What the database takes on the disk, in bytes, part by part. */
export function measureDatabase(db: DbOrTrx): Promise<{ part: string; bytes: number }[]> {
  return differencesOf(db).measure(db)
}

/** Gives back the memory in which this process keeps pages of the database. */
export async function dropPageCache(db: DbOrTrx): Promise<void> {
  await differencesOf(db).dropPageCache?.()
}

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DATABASE_FILE } from '#db/sqlite/data-folder.ts'

/** Bytes of the database file and of its log of what is not in it yet. */
export async function measureDatabase(dataDir: string): Promise<{ file: number; wal: number }> {
  const file = join(dataDir, DATABASE_FILE)
  return { file: await sizeOf(file), wal: await sizeOf(`${file}-wal`) }
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    (error) => {
      if (error.code === 'ENOENT') return 0
      throw error
    },
  )
}

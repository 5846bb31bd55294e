import { replaceByStaged } from '#db/data-folder.ts'
import type { RestoreTarget } from '#db/engine.ts'

/** Opens the database file of a data folder. It is replaced together with the rest of the folder. */
export function openSqliteTarget(dataDir: string): RestoreTarget {
  return {
    hasData: false,
    passes: 1,
    async replace(_stage, aside) {
      replaceByStaged(dataDir, aside)
      return undefined
    },
    close: async () => {},
  }
}

import type { BeforeMigration } from '#db/engine.ts'
import { reasonOf } from '#db/reason.ts'
import { CommandError } from '#domain/error.ts'
import { type KeptSource, makeKeptBackup } from '#storage/backup/kept.ts'

type Source = KeptSource & { backups: { isOn: boolean } }
type Note = (facts: { from: number; to: number; file?: string }, text: string) => void

/** Returns the call that makes a backup before a migration. It throws a CommandError when none can be made. */
export function backUpBeforeMigration(source: Source, note: Note): BeforeMigration {
  return async function backUpFirst({ from, to }) {
    if (!source.backups.isOn)
      return note({ from, to }, 'no backup before the migration: BACKUP=off')
    try {
      const { file } = await makeKeptBackup(source)
      note({ from, to, file }, 'backup made before the migration')
    } catch (error) {
      throw new CommandError(
        `Schema ${from} is not migrated to ${to}, because no backup could be made before it (${reasonOf(error)}): mend that, or set BACKUP=off`,
      )
    }
  }
}

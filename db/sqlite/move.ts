import { existsSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DATABASE_FILE, MOVE_FOLDER } from '#db/data-folder.ts'
import { flushFolder } from '#db/durable-file.ts'
import type { MoveSource, MoveState, MoveTarget, SearchedTable } from '#db/engine.ts'
import { assertCurrent } from '#db/schema-version.ts'
import { migrateToLatest } from '#db/sqlite/migrate.ts'
import { queriesOn } from '#db/sqlite/queries.ts'
import { countRows, listTables, readRows, SEARCHED_TEXTS, writeRows } from '#db/sqlite/rows.ts'
import { inspectSnapshot } from '#db/sqlite/snapshot.ts'
import { findNote, openSqlite, openToInspect, schemaVersion } from '#db/sqlite/sqlite.ts'
import { listStoredNames } from '#db/stored-files.ts'
import { CommandError } from '#domain/error.ts'

/** Opens the database file of a data folder to copy it. The caller has the data folder to itself. */
export async function openSqliteSource(dataDir: string): Promise<MoveSource> {
  const file = join(dataDir, DATABASE_FILE)
  // Not existsSync: to a user who may not look into the folder it says that nothing is there.
  if (!statSync(file, { throwIfNoEntry: false })) assertCurrent(undefined)
  const connection = openToInspect(file)
  try {
    assertCurrent(schemaVersion(connection))
    return {
      installId: findNote(connection, 'install_id') ?? '',
      tables: async () => listTables(connection),
      count: async (table) => countRows(connection, table),
      async *rows(table) {
        yield* readRows(connection, table)
      },
      storedNames: () => listStoredNames(queriesOn(connection)),
      close: async () => void connection.close(),
    }
  } catch (error) {
    connection.close()
    throw error
  }
}

/** Creates a database file for a data folder to fill it, like `openMoveTarget`. */
export async function openSqliteMoveTarget(
  dataDir: string,
  state: MoveState | undefined,
): Promise<MoveTarget | undefined> {
  const target = join(dataDir, DATABASE_FILE)
  if (existsSync(target)) {
    if (state?.isCompleting) return undefined
    throw new CommandError(`${target} is there already: move it away first`)
  }
  mkdirSync(join(dataDir, MOVE_FOLDER), { recursive: true, mode: 0o700 })
  const file = join(dataDir, MOVE_FOLDER, DATABASE_FILE)
  const connection = openSqlite(file, 0)
  const close = async () => void connection.close()
  return {
    async prepare() {
      await migrateToLatest(connection)
      // Tables are filled one after the other, so a row may refer to a row that comes later.
      connection.pragma('foreign_keys = OFF')
    },
    tables: async () => listTables(connection),
    count: async (table) => countRows(connection, table),
    async *rows(table) {
      yield* readRows(connection, table)
    },
    async fill(table, rows) {
      const texts: string | undefined = SEARCHED_TEXTS[table as SearchedTable]
      // These go with their rows only while references are looked at.
      if (texts) connection.exec(`delete from ${texts}`)
      connection.exec(`delete from ${table}`)
      for await (const some of rows) writeRows(connection, table, some)
    },
    async complete() {
      connection.pragma('wal_checkpoint(TRUNCATE)')
      connection.close()
      await inspectSnapshot(file)
      renameSync(file, target)
      flushFolder(dataDir)
    },
    close,
  }
}

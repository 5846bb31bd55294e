import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { DATABASE_FILE, enterDataFolder } from '#db/data-folder.ts'
import type { Tables } from '#db/schema.ts'
import { assertSupported, SCHEMA_VERSION } from '#db/schema-version.ts'
import { FINGERPRINT } from '#db/secret-key.ts'
import { queriesOn } from '#db/sqlite/queries.ts'
import {
  COMMAND_LINE_BUSY_MS,
  copyInto,
  findBrokenReference,
  findDamage,
  findNote,
  isForeignFile,
  openSqlite,
  openToInspect,
  schemaVersion,
} from '#db/sqlite/sqlite.ts'
import { listStoredNames } from '#db/stored-files.ts'

/** The counts that the operator sees about a backup. */
const COUNTED = ['accounts', 'qr_codes', 'scans', 'documents', 'popup_images'] as const
export type Counts = Record<(typeof COUNTED)[number], number>

export type Snapshot = {
  schema_version: number
  install_id: string
  counts: Counts
  /**
   * undefined for an older schema, because this program does not know which of its tables name
   * files
   */
  stored_names: string[] | undefined
}

/**
 * Copies the database of a data folder as of one moment, while others write, and checks the copy in
 * depth. It is not migrated, so a backup before an upgrade has the old schema.
 */
export async function takeSqliteSnapshot(dataDir: string, target: string): Promise<Snapshot> {
  const file = join(dataDir, DATABASE_FILE)
  const release = enterDataFolder(dataDir)
  try {
    const connection = openSqlite(file, COMMAND_LINE_BUSY_MS)
    try {
      copyInto(connection, target)
    } finally {
      connection.close()
    }
  } finally {
    release()
  }
  return inspectSnapshot(target)
}

/** Throws when a copy is damaged, is not DriveQR's, or has a schema that this program cannot use. */
export async function inspectSnapshot(file: string): Promise<Snapshot> {
  const connection = openToInspect(file)
  const db = queriesOn(connection)
  try {
    if (isForeignFile(connection)) throw new Error('The database is one of another program')
    const damage = findDamage(connection, 'integrity_check')
    if (damage) throw new Error(`The database is damaged (${damage})`)
    const broken = findBrokenReference(connection)
    if (broken) throw new Error(`A row of ${broken} in the database points to a row that is gone`)
    const schema_version = schemaVersion(connection)
    assertSupported(schema_version)
    const isCurrent = schema_version === SCHEMA_VERSION
    return {
      schema_version,
      install_id: findNote(connection, 'install_id') ?? '',
      counts: await countRows(db),
      stored_names: isCurrent ? await listStoredNames(db) : undefined,
    }
  } finally {
    connection.close()
  }
}

/** Makes the next opener of a copy bring another secret key, which cannot read sealed values. */
export function forgetKey(file: string): void {
  const connection = openSqlite(file, COMMAND_LINE_BUSY_MS)
  try {
    connection.prepare('delete from meta where key = ?').run(FINGERPRINT)
  } finally {
    connection.close()
  }
}

async function countRows(db: Kysely<Tables>): Promise<Counts> {
  const counts = COUNTED.map(async (table) => {
    const all = db.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('count'))
    return [table, (await all.executeTakeFirstOrThrow()).count]
  })
  return Object.fromEntries(await Promise.all(counts))
}

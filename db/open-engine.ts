import type { DatabaseSettings, Engine, Inspection, Opener, RestoreTarget } from '#db/engine.ts'
import { openSqliteEngine } from '#db/sqlite/engine.ts'
import type { Snapshot } from '#db/sqlite/snapshot.ts'

/**
 * Opens the database that the settings name, checks that it is sound and belongs to the data
 * folder, and migrates it. Throws an Error with a one-line message for a person when it must not
 * be used.
 */
export async function openEngine(
  { dataDir, databaseUrl, databasePool }: DatabaseSettings,
  opener: Opener = 'server',
): Promise<Engine> {
  if (databaseUrl === undefined) return openSqliteEngine(dataDir, opener)
  // Its driver is loaded by those alone who use it.
  const { openPostgresEngine } = await import('#db/postgres/engine.ts')
  return openPostgresEngine(dataDir, databaseUrl, databasePool)
}

/** The database that the settings name, to be looked at; undefined where there is none yet. */
export async function inspectEngine({
  dataDir,
  databaseUrl,
}: DatabaseSettings): Promise<Inspection | undefined> {
  if (databaseUrl === undefined) {
    const { inspectSqlite } = await import('#db/sqlite/inspect.ts')
    return inspectSqlite(dataDir)
  }
  const { inspectPostgres } = await import('#db/postgres/inspect.ts')
  return inspectPostgres(databaseUrl)
}

/**
 * Copies the database as it is at one moment, while others write, into a new SQLite file, and checks
 * the copy in depth.
 */
export async function takeSnapshot(
  { dataDir, databaseUrl }: Pick<DatabaseSettings, 'dataDir' | 'databaseUrl'>,
  target: string,
): Promise<Snapshot> {
  if (databaseUrl === undefined) {
    const { takeSqliteSnapshot } = await import('#db/sqlite/snapshot.ts')
    return takeSqliteSnapshot(dataDir, target)
  }
  const { takePostgresSnapshot } = await import('#db/postgres/snapshot.ts')
  return takePostgresSnapshot(dataDir, databaseUrl, target)
}

/** The database that a restore is to replace. Throws an Error for a person when it must not be. */
export async function openRestoreTarget({
  dataDir,
  databaseUrl,
}: Pick<DatabaseSettings, 'dataDir' | 'databaseUrl'>): Promise<RestoreTarget> {
  if (databaseUrl === undefined) {
    const { openSqliteTarget } = await import('#db/sqlite/restore.ts')
    return openSqliteTarget(dataDir)
  }
  const { openPostgresTarget } = await import('#db/postgres/restore.ts')
  return openPostgresTarget(dataDir, databaseUrl)
}

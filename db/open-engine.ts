import type { DatabaseSettings, Engine, Inspection, Opener, RestoreTarget } from '#db/engine.ts'
import { openSqliteEngine } from '#db/sqlite/engine.ts'
import type { Snapshot } from '#db/sqlite/snapshot.ts'

/**
 * Opens the configured database, checks that it is undamaged and belongs to the data folder, and
 * migrates it. Throws an Error with a one-line message for the operator when it must not be used.
 */
export async function openEngine(
  { dataDir, databaseUrl, databasePool }: DatabaseSettings,
  opener: Opener = 'server',
): Promise<Engine> {
  if (databaseUrl === undefined) return openSqliteEngine(dataDir, opener)
  // Loaded only where PostgreSQL is used.
  const { openPostgresEngine } = await import('#db/postgres/engine.ts')
  return openPostgresEngine(dataDir, databaseUrl, databasePool)
}

/** Opens the configured database for inspection; undefined when there is none yet. */
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
 * Copies the database as of one moment, while others write, into a new SQLite file, and checks the
 * copy in depth.
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

/** Opens the database that a restore replaces. Throws an Error with a one-line message if it cannot be. */
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

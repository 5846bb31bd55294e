import type {
  BeforeMigration,
  DatabaseSettings,
  Engine,
  Inspection,
  MoveSource,
  MoveState,
  MoveTarget,
  Opener,
  RestoreTarget,
  WorkEngine,
} from '#db/engine.ts'
import { openSqliteEngine, openSqliteForWork } from '#db/sqlite/engine.ts'
import type { Snapshot } from '#db/sqlite/snapshot.ts'

/**
 * Opens the configured database, checks that it is undamaged and belongs to the data folder, and
 * migrates it. `beforeMigration` is called for a file alone: a backup of PostgreSQL needs the schema of this program.
 * Throws an Error with a one-line message for the operator when it must not be used.
 */
export async function openEngine(
  settings: DatabaseSettings,
  opener: Opener = 'server',
  beforeMigration?: BeforeMigration,
): Promise<Engine> {
  const { databaseUrl } = settings
  if (databaseUrl === undefined) return openSqliteEngine(settings, opener, beforeMigration)
  // Loaded only where PostgreSQL is used.
  const { openPostgresEngine } = await import('#db/postgres/engine.ts')
  return openPostgresEngine(settings, databaseUrl)
}

/**
 * Opens the database once more, for another thread of a process that has it open; `shared` is the `forThread`
 * of its engine.
 */
export async function openForWork(
  settings: DatabaseSettings,
  shared: Engine['forThread'],
): Promise<WorkEngine> {
  if (settings.databaseUrl !== undefined) return openEngine(settings)
  return openSqliteForWork(settings.dataDir, shared)
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

type Place = { dataDir: string; databaseUrl?: string | undefined }

/** Names a database for people, without secrets. */
export async function nameOfDatabase({ dataDir, databaseUrl }: Place): Promise<string> {
  if (databaseUrl === undefined) return `SQLite in ${dataDir}`
  const { nameOfDatabase } = await import('#db/postgres/move.ts')
  return `PostgreSQL at ${nameOfDatabase(databaseUrl)}`
}

/** Opens the database that a move copies. The caller has the data folder to itself. */
export async function openMoveSource({ dataDir, databaseUrl }: Place): Promise<MoveSource> {
  if (databaseUrl === undefined) {
    const { openSqliteSource } = await import('#db/sqlite/move.ts')
    return openSqliteSource(dataDir)
  }
  const { openPostgresSource } = await import('#db/postgres/move.ts')
  return openPostgresSource(databaseUrl)
}

/**
 * Opens the database that a move fills. Throws conflict if it has data. With the state of an interrupted
 * move it has what that move has filled, or is undefined because that move has completed it.
 */
export async function openMoveTarget(
  { dataDir, databaseUrl }: Place,
  state: MoveState | undefined,
): Promise<MoveTarget | undefined> {
  if (databaseUrl === undefined) {
    const { openSqliteMoveTarget } = await import('#db/sqlite/move.ts')
    return openSqliteMoveTarget(dataDir, state)
  }
  const { openPostgresMoveTarget } = await import('#db/postgres/move.ts')
  return openPostgresMoveTarget(databaseUrl, state)
}

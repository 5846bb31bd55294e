import type Sqlite from 'better-sqlite3'

/** How many migrations there are. A start reads it instead of loading them all. */
export const SCHEMA_VERSION = 13

/** The number of migrations that a database has seen stands in its `user_version`. */
export function schemaVersion(connection: Sqlite.Database): number {
  return connection.pragma('user_version', { simple: true }) as number
}

export function newerSchemaMessage(version: number): string {
  return `The database has schema ${version}, newer than this program's ${SCHEMA_VERSION}: start the newer program, or restore a backup made before the upgrade`
}

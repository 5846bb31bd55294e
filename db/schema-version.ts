import { DomainError } from '#domain/error.ts'

/** The number of migrations. A start reads it instead of loading all migrations. */
export const SCHEMA_VERSION = 21

export function newerSchemaMessage(version: number): string {
  return `The database has schema ${version}, newer than this program's ${SCHEMA_VERSION}: start the newer program, or restore a backup made before the upgrade`
}

/** Throws unless a database has this program's schema; undefined means that there is none. */
export function assertCurrent(version: number | undefined): void {
  if (version === undefined) throw new DomainError('not_found', 'There is no database to move')
  if (version > SCHEMA_VERSION) throw new Error(newerSchemaMessage(version))
  if (version < SCHEMA_VERSION) {
    throw new DomainError('conflict', 'The database is older than this program: start the server')
  }
}

import { CommandError } from '#domain/error.ts'

/** The version of the schema of 1.0. It replaced the 21 migrations of the release candidates. */
export const FIRST_VERSION = 21

/** The version that the last migration makes. A start reads it instead of loading all migrations. */
export const SCHEMA_VERSION = 43

/** Throws an Error for the operator unless this program can use or migrate a database of this version. */
export function assertSupported(version: number): void {
  const found = `The database has schema ${version}`
  if (version > SCHEMA_VERSION) {
    throw new Error(
      `${found}, newer than this program's ${SCHEMA_VERSION}: start the newer program, or restore a backup made before the upgrade`,
    )
  }
  if (isTooOld(version)) {
    throw new Error(`${found}, older than this program can upgrade: start DriveQR 1.0.0-rc.1 first`)
  }
}

/** Returns whether only an earlier program can migrate a database. One with version 0 is empty. */
export function isTooOld(version: number): boolean {
  return version > 0 && version < FIRST_VERSION
}

/** Throws unless a database has this program's schema; undefined means that there is none. */
export function assertCurrent(version: number | undefined): void {
  if (version === undefined) throw new CommandError('There is no database to move')
  assertSupported(version)
  if (version < SCHEMA_VERSION) {
    throw new CommandError('The database is older than this program: start the server')
  }
}

/** The number of migrations. A start reads it instead of loading all migrations. */
export const SCHEMA_VERSION = 14

export function newerSchemaMessage(version: number): string {
  return `The database has schema ${version}, newer than this program's ${SCHEMA_VERSION}: start the newer program, or restore a backup made before the upgrade`
}

import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { hasAccounts, listRoleHolders } from '#db/admin/inspection.ts'
import { queriesOn } from '#db/kysely.ts'
import { SCHEMA_VERSION, schemaVersion } from '#db/schema-version.ts'
import type { openToInspect } from '#db/sqlite/sqlite.ts'
import { listStoredNames } from '#db/stored-files.ts'
import { roleProblem } from '#domain/accounts/permission.ts'
import { formatBytes } from '#domain/size.ts'
import { formatDateTime } from '#domain/time.ts'
import { type Finding, ok, type Place, problem, warning } from '#scripts/_checks.ts'
import { backupsFolder } from '#storage/backup/place.ts'
import { readRecord } from '#storage/backup/record.ts'
import { findStrays } from '#storage/strays.ts'

type Connection = ReturnType<typeof openToInspect>

const HOUR_MS = 3_600_000
/** One a night, plus half a day for a machine that was off. */
const OLDEST_BACKUP_MS = 36 * HOUR_MS

/** Finds rows without their file, and files without a row. */
export async function checkFiles(connection: Connection, at: Place): Promise<Finding> {
  if (schemaVersion(connection) !== SCHEMA_VERSION) return ok('checked after the migration')
  const names = await listStoredNames(queriesOn(connection))
  const { missing, orphans } = await findStrays(at.dataDir, async () => names, at.now)
  if (missing.length > 0) {
    return problem(`${missing.length} missing, for example ${missing[0]}: restore a backup`)
  }
  const found = `${names.length.toLocaleString('en-IN')} files, none missing`
  if (orphans.length === 0) return ok(found)
  return warning(`${found}; ${orphans.length} not in the database, which the next start removes`)
}

/** Finds roles that earlier versions gave and this one would refuse. */
export function checkRoles(connection: Connection): Finding {
  if (schemaVersion(connection) !== SCHEMA_VERSION) return ok('checked after the migration')
  const refused = listRoleHolders(connection).filter((each) => roleProblem(each, each.role))
  if (refused.length === 0) return ok('all administrative roles are with verified accounts')
  const who = [...new Set(refused.map(({ contact }) => contact))].join(', ')
  return warning(
    `administrative role of a child user or an unverified address: ${who}. Use driveqr admin revoke or driveqr user verify-email`,
  )
}

/** Checks the last good backup and later failures. */
export function checkBackups(connection: Connection, at: Place): Finding {
  const { good, failed } = readRecord(at.dataDir)
  if (failed) return problem(`the last one failed: ${failed.reason}`)
  if (!good) {
    if (!hasAccounts(connection)) return ok('none yet, and no data')
    return warning('none yet: the server makes one every night, driveqr backup makes one now')
  }
  const isOurs = dirname(good.file) === resolve(backupsFolder(at.dataDir))
  if (isOurs && !existsSync(good.file))
    return problem(`${good.file} is missing: make a new one with driveqr backup`)
  const found = `${formatDateTime(good.made_at, at.timezone)}, ${formatBytes(good.bytes)}`
  const isOld = at.now.getTime() - Date.parse(good.made_at) > OLDEST_BACKUP_MS
  return isOld ? warning(`the last is from ${found}: does the server run at night?`) : ok(found)
}

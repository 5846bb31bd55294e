import * as setup from '#actions/operations/setup.ts'
import { isLoopback } from '#config.ts'
import { listRoleHolders, listUnreadMobiles, listUnreadNumbers } from '#db/admin/inspection.ts'
import { findOpenReports } from '#db/conversations/moderated-reports.ts'
import type { Inspection } from '#db/engine.ts'
import { listPrintedElsewhere } from '#db/last-start.ts'
import { SCHEMA_VERSION } from '#db/schema-version.ts'
import { listStoredNames } from '#db/stored-files.ts'
import { roleProblem } from '#domain/accounts/permission.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { counted } from '#domain/number.ts'
import { type Finding, ok, type Place, problem, warning } from '#scripts/_checks.ts'
import { formatMomentIn } from '#scripts/_terminal.ts'
import { lookAtStorage } from '#storage/open-storage.ts'

const HOUR_MS = 3_600_000
/** A person who reports a threat expects an answer within the week. */
const LONGEST_REPORT_MS = 7 * 24 * HOUR_MS

/** Finds rows without their file, and files without a row. */
export async function checkFiles({ db, version }: Inspection, at: Place): Promise<Finding> {
  if (version !== SCHEMA_VERSION) return ok('checked after the migration')
  const names = await listStoredNames(db)
  const files = await lookAtStorage(at)
  const { missing, orphans } = await files.findStrays(async () => names, at.now)
  if (missing.length > 0) {
    return problem(`${missing.length} missing, for example ${missing[0]}: restore a backup`)
  }
  const found = `${counted(names.length, 'file')}, none missing`
  if (orphans.length === 0) return ok(found)
  return warning(`${found}; ${orphans.length} not in the database, which the next start removes`)
}

/** Finds roles that earlier versions gave and this one would refuse. */
export async function checkRoles({ db, version }: Inspection): Promise<Finding> {
  if (version !== SCHEMA_VERSION) return ok('checked after the migration')
  const refused = (await listRoleHolders(db)).filter((each) => roleProblem(each, each.role))
  if (refused.length === 0) return ok('all administrative roles are with verified accounts')
  const who = [...new Set(refused.map(({ contact }) => contact))].join(', ')
  return warning(
    `administrative role of a child user or an unverified address: ${who}. Use driveqr admin revoke or driveqr user verify-email`,
  )
}

/** Finds numbers that no country has: of codes those that earlier versions accepted, of accounts all. */
export async function checkNumbers({ db, version }: Inspection): Promise<Finding> {
  if (version !== SCHEMA_VERSION) return ok('checked after the migration')
  const codes = await listUnreadNumbers(db)
  const accounts = await listUnreadMobiles(db)
  const found = [
    codes.length > 0 &&
      `${counted(codes.length, 'QR code')} with a phone number that fits no country, which is dialled as it was typed: ${codes.map(formatQrId).join(', ')}`,
    accounts.length > 0 &&
      `${counted(accounts.length, 'account')} with a mobile number that fits no country: ${accounts.join(', ')}`,
  ].filter((each) => each !== false)
  if (found.length === 0) return ok('all phone numbers fit a country or were confirmed')
  return warning(found.join('; '))
}

/** Finds codes that may be printed with an address that is not the present one. */
export async function checkPrints({ db, version }: Inspection, at: Place): Promise<Finding> {
  if (version !== SCHEMA_VERSION) return ok('checked after the migration')
  const { dataDir, publicUrl } = at
  const printed = isLoopback(new URL(publicUrl).hostname)
    ? []
    : await listPrintedElsewhere(db, dataDir, publicUrl)
  if (printed.length === 0) return ok('no code was made under another address')
  const found = printed.map((each) => `${counted(each.codes, 'QR code')} at ${each.publicUrl}`)
  return warning(
    `made under another address, where their prints lead: ${found.join(', ')}. Keep that address too, or print them again`,
  )
}

/** Finds reports that nobody decides. */
export async function checkReports({ db, version }: Inspection, at: Place): Promise<Finding> {
  if (version !== SCHEMA_VERSION) return ok('checked after the migration')
  const { count, oldest } = await findOpenReports(db)
  if (!oldest) return ok('none open')
  const found = `${count} open, the oldest from ${formatMomentIn(at.terminalZone, oldest)}`
  if (at.now.getTime() - Date.parse(oldest) <= LONGEST_REPORT_MS) return ok(found)
  return warning(`${found}: use driveqr report list, or driveqr admin grant to make a moderator`)
}

/** Checks the last good backup and later failures. */
export async function checkBackups({ db }: Inspection, at: Place): Promise<Finding> {
  return setup.checkBackups(db, { ...at, zone: at.terminalZone })
}

/** Finds a server without administrators, and those without a second factor. */
export async function checkAdmins({ db, version }: Inspection, at: Place): Promise<Finding> {
  if (version !== SCHEMA_VERSION) return ok('checked after the migration')
  return setup.checkAdmins(db, at)
}

import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { measureDatabase } from '#db/admin/disk-use.ts'
import {
  findInstallId,
  findNewestInstant,
  findWaitingMails,
  hasPins,
} from '#db/admin/inspection.ts'
import { SCHEMA_VERSION, schemaVersion } from '#db/schema-version.ts'
import { findFingerprint, fingerprint, OTHER_KEY } from '#db/secret-key.ts'
import { loadSecretKey } from '#db/secrets.ts'
import { DATABASE_FILE, INSTALL_ID_FILE, KEY_FILE } from '#db/sqlite/data-folder.ts'
import { isOpenToOthers } from '#db/sqlite/private-folder.ts'
import * as sqlite from '#db/sqlite/sqlite.ts'
import { formatBytes } from '#domain/size.ts'
import {
  type Check,
  check,
  type Finding,
  ok,
  type Place,
  problem,
  warning,
} from '#scripts/_checks.ts'
import { checkBackups, checkFiles, checkRoles } from '#scripts/_content-checks.ts'
import { reasonOf } from '#scripts/_refusal.ts'

type Connection = ReturnType<typeof sqlite.openToInspect>

const CLOCK_TOLERANCE_MS = 5 * 60_000
/** The program is newer than this, so a correct clock is past it. */
const OLDEST_CLOCK = '2026-01-01T00:00:00.000Z'

/** Runs all checks of the database and the data folder. Changes nothing. */
export async function examineDatabase(at: Place): Promise<Check[]> {
  const file = join(at.dataDir, DATABASE_FILE)
  let connection: Connection
  try {
    // Not existsSync, which returns false when the folder may not be read.
    const exists = statSync(file, { throwIfNoEntry: false })
    if (!exists) return [await check('Database', () => checkAbsence(at.dataDir))]
    connection = sqlite.openToInspect(file)
  } catch (error) {
    return [{ name: 'Database', ...problem(reasonOf(error)) }]
  }
  try {
    return await Promise.all(CHECKS.map(([name, look]) => check(name, () => look(connection, at))))
  } finally {
    connection.close()
  }
}

/** A missing database is normal only before the first start. */
function checkAbsence(dataDir: string): Finding {
  if (!existsSync(join(dataDir, INSTALL_ID_FILE))) return ok('none yet: the first start creates it')
  return problem(`${DATABASE_FILE} is missing from a folder that was in use: restore a backup`)
}

/** In display order. */
const CHECKS: [string, (connection: Connection, at: Place) => Finding | Promise<Finding>][] = [
  ['SQLite', checkSqlite],
  ['Database', checkDatabase],
  ['References', checkReferences],
  ['Schema', checkSchema],
  ['Install id', checkInstallId],
  ['Secret key', checkSecretKey],
  ['Outbox', checkOutbox],
  ['Clock', checkClock],
  ['Roles', checkRoles],
  ['Files', checkFiles],
  ['Backups', checkBackups],
]

function checkSqlite(connection: Connection): Finding {
  sqlite.assertSafeVersion(connection)
  return ok(sqlite.sqliteVersion(connection))
}

async function checkDatabase(connection: Connection, { dataDir }: Place): Promise<Finding> {
  if (sqlite.isForeignFile(connection)) return problem('is the database of another program')
  const damage = sqlite.findDamage(connection)
  if (damage) return problem(`is damaged (${damage}): restore a backup`)
  const { file, wal } = await measureDatabase(dataDir)
  return ok(`quick check passed, ${formatBytes(file + wal)}`)
}

function checkReferences(connection: Connection): Finding {
  const table = sqlite.findBrokenReference(connection)
  if (!table) return ok('no reference is broken')
  return problem(`a row of ${table} refers to a missing row: restore a backup`)
}

function checkSchema(connection: Connection): Finding {
  const version = schemaVersion(connection)
  if (version === SCHEMA_VERSION) return ok(`version ${version}`)
  const versions = `version ${version}, but this program has ${SCHEMA_VERSION}`
  if (version > SCHEMA_VERSION) return problem(`${versions}: start the newer program`)
  return warning(`${versions}: the next start migrates it`)
}

function checkInstallId(connection: Connection, { dataDir }: Place): Finding {
  const file = join(dataDir, INSTALL_ID_FILE)
  const id = findInstallId(connection)
  if (!existsSync(file)) return warning(`${INSTALL_ID_FILE} is missing: the next start writes it`)
  if (readFileSync(file, 'utf8').trim() === id) return ok('database and folder belong together')
  return problem(`${DATABASE_FILE} belongs to another data folder: replace it by the right one`)
}

function checkSecretKey(connection: Connection, { dataDir }: Place): Finding {
  const file = join(dataDir, KEY_FILE)
  if (!existsSync(file)) {
    return hasPins(connection)
      ? problem(`${KEY_FILE} is missing, so no PIN can be checked: restore it from a backup`)
      : warning(`${KEY_FILE} is missing: the next start creates one`)
  }
  const noted = findFingerprint(connection)
  if (noted && noted !== fingerprint(loadSecretKey(dataDir)) && hasPins(connection)) {
    return problem(`${KEY_FILE} ${OTHER_KEY}`)
  }
  if (!isOpenToOthers(file)) return ok('only its owner can read it')
  return problem(`${KEY_FILE} can be read by other users of this machine: chmod 600 ${file}`)
}

/** Longer than a restart of a mail server takes. */
const LONG_WAIT_MINUTES = 15

function checkOutbox(connection: Connection, { now }: Place): Finding {
  const { waiting, oldest } = findWaitingMails(connection)
  if (!oldest) return ok('no mail is waiting')
  const minutes = Math.floor((now.getTime() - Date.parse(oldest)) / 60_000)
  const mails = `${waiting} ${waiting === 1 ? 'mail is' : 'mails are'} waiting`
  if (minutes < LONG_WAIT_MINUTES) return ok(mails)
  return warning(`${mails}, the oldest for ${minutes} minutes: does SMTP_URL work? See the log`)
}

function checkClock(connection: Connection, { now }: Place): Finding {
  const time = now.toISOString()
  if (time < OLDEST_CLOCK) return problem(`${time} is wrong: set the machine's clock`)
  const newest = findNewestInstant(connection)
  if (!newest || Date.parse(newest) <= now.getTime() + CLOCK_TOLERANCE_MS) return ok(time)
  return problem(`${time} is before the newest entry, ${newest}: set the machine's clock`)
}

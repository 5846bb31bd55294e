import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { measureDatabase } from '#db/admin/disk-use.ts'
import {
  findInstallId,
  findNewestInstant,
  findWaitingMails,
  hasPins,
} from '#db/admin/inspection.ts'
import { SCHEMA_VERSION } from '#db/schema-version.ts'
import { findFingerprint, fingerprint, OTHER_KEY } from '#db/secret-key.ts'
import { loadSecretKey } from '#db/secrets.ts'
import { DATABASE_FILE, INSTALL_ID_FILE, KEY_FILE } from '#db/sqlite/data-folder.ts'
import { isOpenToOthers } from '#db/sqlite/private-folder.ts'
import * as sqlite from '#db/sqlite/sqlite.ts'
import { schemaVersion } from '#db/sqlite/sqlite.ts'
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
/** The program is younger than this, so every clock should be past it. */
const OLDEST_CLOCK = '2026-01-01T00:00:00.000Z'

/** Everything about the database and what stands beside it. Changes nothing. */
export async function examineDatabase(at: Place): Promise<Check[]> {
  const file = join(at.dataDir, DATABASE_FILE)
  let connection: Connection
  try {
    // Not existsSync: to a user who may not look into the folder it says that nothing is there.
    const isThere = statSync(file, { throwIfNoEntry: false })
    if (!isThere) return [await check('Database', () => checkAbsence(at.dataDir))]
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

/** A database that is not there: before the first start that is how it should be. */
function checkAbsence(dataDir: string): Finding {
  if (!existsSync(join(dataDir, INSTALL_ID_FILE))) return ok('none yet: the first start makes it')
  return problem(`${DATABASE_FILE} is missing from a folder that was in use: restore a backup`)
}

/** In the order in which they are shown. */
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
  if (sqlite.isForeignFile(connection)) return problem('is a database of another program')
  const damage = sqlite.findDamage(connection)
  if (damage) return problem(`is damaged (${damage}): restore a backup`)
  const { file, wal } = await measureDatabase(dataDir)
  return ok(`quick check passed, ${formatBytes(file + wal)}`)
}

function checkReferences(connection: Connection): Finding {
  const table = sqlite.findBrokenReference(connection)
  if (!table) return ok('every reference leads somewhere')
  return problem(`a row of ${table} points to a row that is gone: restore a backup`)
}

function checkSchema(connection: Connection): Finding {
  const version = schemaVersion(connection)
  if (version === SCHEMA_VERSION) return ok(`version ${version}`)
  const known = `version ${version}, this program's is ${SCHEMA_VERSION}`
  if (version > SCHEMA_VERSION) return problem(`${known}: start the newer program`)
  return warning(`${known}: the next start migrates it`)
}

function checkInstallId(connection: Connection, { dataDir }: Place): Finding {
  const file = join(dataDir, INSTALL_ID_FILE)
  const id = findInstallId(connection)
  if (!existsSync(file)) return warning(`${INSTALL_ID_FILE} is missing: the next start writes it`)
  if (readFileSync(file, 'utf8').trim() === id) return ok('database and folder belong together')
  return problem(`${DATABASE_FILE} belongs to another data folder: put the right one back`)
}

function checkSecretKey(connection: Connection, { dataDir }: Place): Finding {
  const file = join(dataDir, KEY_FILE)
  if (!existsSync(file)) {
    return hasPins(connection)
      ? problem(`${KEY_FILE} is missing, no PIN can be checked: restore it from a backup`)
      : warning(`${KEY_FILE} is missing: the next start makes one`)
  }
  const noted = findFingerprint(connection)
  if (noted && noted !== fingerprint(loadSecretKey(dataDir)) && hasPins(connection)) {
    return problem(`${KEY_FILE} ${OTHER_KEY}`)
  }
  if (!isOpenToOthers(file)) return ok('there, and private')
  return problem(`${KEY_FILE} can be read by other users of this machine: chmod 600 ${file}`)
}

/** By then a mail server that was only restarted has taken them. */
const LONG_WAIT_MINUTES = 15

function checkOutbox(connection: Connection, { now }: Place): Finding {
  const { waiting, oldest } = findWaitingMails(connection)
  if (!oldest) return ok('no mail waits')
  const minutes = Math.floor((now.getTime() - Date.parse(oldest)) / 60_000)
  const mails = `${waiting} ${waiting === 1 ? 'mail waits' : 'mails wait'}`
  if (minutes < LONG_WAIT_MINUTES) return ok(`${mails} to be sent`)
  return warning(`${mails}, the oldest for ${minutes} minutes: does SMTP_URL work? See the log`)
}

function checkClock(connection: Connection, { now }: Place): Finding {
  const time = now.toISOString()
  if (time < OLDEST_CLOCK) return problem(`${time} cannot be right: set the machine's clock`)
  const newest = findNewestInstant(connection)
  if (!newest || Date.parse(newest) <= now.getTime() + CLOCK_TOLERANCE_MS) return ok(time)
  return problem(`${time} is before what happened at ${newest}: set the machine's clock`)
}

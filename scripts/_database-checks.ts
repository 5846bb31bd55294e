import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { findInstallId, findNewestInstant } from '#db/admin/inspection.ts'
import { INSTALL_ID_FILE, KEY_FILE, MOVE_FOLDER } from '#db/data-folder.ts'
import type { Inspection } from '#db/engine.ts'
import { inspectEngine } from '#db/open-engine.ts'
import { describeWaiting } from '#db/outbox-waiting.ts'
import { isOpenToOthers } from '#db/private-folder.ts'
import { reasonOf } from '#db/reason.ts'
import { isTooOld, SCHEMA_VERSION } from '#db/schema-version.ts'
import { findFingerprint, loadOwnKey, nameOfKey } from '#db/secret-key.ts'
import {
  type Check,
  check,
  type Finding,
  ok,
  type Place,
  problem,
  warning,
} from '#scripts/_checks.ts'
import {
  checkAdmins,
  checkBackups,
  checkFiles,
  checkNumbers,
  checkPrints,
  checkReports,
  checkRoles,
} from '#scripts/_content-checks.ts'

const CLOCK_TOLERANCE_MS = 5 * 60_000
/** The program is newer than this, so a correct clock is past it. */
const OLDEST_CLOCK = '2026-01-01T00:00:00.000Z'

/** Runs all checks of the database and the data folder. Changes nothing. */
export async function examineDatabase(at: Place): Promise<Check[]> {
  let inspected: Inspection | undefined
  try {
    inspected = await inspectEngine(at)
  } catch (error) {
    return [{ name: 'Database', ...problem(reasonOf(error)) }]
  }
  if (!inspected) return [await check('Database', () => checkAbsence(at.dataDir))]
  const seen = inspected
  try {
    const own = seen.checks.map(([name, look]) => check(name, look))
    const ours = CHECKS.map(([name, look]) => check(name, () => look(seen, at)))
    return await Promise.all([...own, ...ours])
  } finally {
    await seen.close()
  }
}

/** A missing database is normal only before the first start. */
function checkAbsence(dataDir: string): Finding {
  if (!existsSync(join(dataDir, INSTALL_ID_FILE))) return ok('none yet: the first start creates it')
  const remedy = existsSync(join(dataDir, MOVE_FOLDER))
    ? 'complete the move that was interrupted, with the settings of before'
    : 'restore a backup'
  return problem(`the database is missing from a folder that was in use: ${remedy}`)
}

/** In display order, after those of the engine. */
const CHECKS: [string, (seen: Inspection, at: Place) => Finding | Promise<Finding>][] = [
  ['Schema', checkSchema],
  ['Install id', checkInstallId],
  ['Secret key', checkSecretKey],
  ['Outbox', checkOutbox],
  ['Clock', checkClock],
  ['Roles', checkRoles],
  ['Numbers', checkNumbers],
  ['Files', checkFiles],
  ['Prints', checkPrints],
  ['Reports', checkReports],
  ['Admins', checkAdmins],
  ['Backups', checkBackups],
]

function checkSchema({ version }: Inspection): Finding {
  if (version === SCHEMA_VERSION) return ok(`version ${version}`)
  const versions = `version ${version}, but this program has ${SCHEMA_VERSION}`
  if (version > SCHEMA_VERSION) return problem(`${versions}: start the newer program`)
  if (isTooOld(version)) return problem(`${versions}: start DriveQR 1.0.0-rc.1 first`)
  return warning(`${versions}: the next start migrates it`)
}

async function checkInstallId({ db }: Inspection, { dataDir }: Place): Promise<Finding> {
  const file = join(dataDir, INSTALL_ID_FILE)
  const id = await findInstallId(db)
  if (!existsSync(file)) return warning(`${INSTALL_ID_FILE} is missing: the next start writes it`)
  if (readFileSync(file, 'utf8').trim() === id) return ok('database and folder belong together')
  return problem('the database belongs to another data folder: replace it by the right one')
}

async function checkSecretKey({ db }: Inspection, at: Place): Promise<Finding> {
  const file = at.secretKeyFile ?? join(at.dataDir, KEY_FILE)
  const noted = await findFingerprint(db)
  if (at.secretKeyFile === undefined && !noted && !existsSync(file)) {
    return warning(`${KEY_FILE} is missing: the next start creates one`)
  }
  loadOwnKey(at, noted)
  if (!isOpenToOthers(file)) return ok('only its owner can read it')
  if (at.secretKeyFile !== undefined && isGivenToGroup(file)) {
    return ok('only its owner and the group of this user can read it')
  }
  return problem(`${nameOfKey(at)} can be read by other users of this machine: chmod 600 ${file}`)
}

/** Kubernetes mounts a Secret as a file of root, which the group of the service alone may read. */
function isGivenToGroup(file: string): boolean {
  const { mode, uid } = statSync(file)
  return uid !== process.getuid?.() && (mode & 0o077) === 0o040
}

/** Longer than a restart of a mail server takes. */
const LONG_WAIT_MINUTES = 15

async function checkOutbox({ db, version }: Inspection, { now }: Place): Promise<Finding> {
  if (version !== SCHEMA_VERSION) return ok('checked after the migration')
  const { mails, alerts } = await describeWaiting(db)
  const age = mails.oldest ? now.getTime() - Date.parse(mails.oldest) : 0
  const minutes = Math.floor(age / 60_000)
  const isLong = minutes >= LONG_WAIT_MINUTES
  const since = `, the oldest for ${minutes} minutes: does SMTP_URL work? See the log`
  const found = [
    mails.waiting === 0 ? 'no mail is waiting' : areWaiting(mails.waiting, 'mail'),
    isLong ? since : '',
    alerts.waiting > 0 ? `; ${areWaiting(alerts.waiting, 'other alert')}` : '',
    alerts.unreachable > 0 ? `; channels not reachable for a day: ${alerts.unreachable}` : '',
  ].join('')
  return isLong ? warning(found) : ok(found)
}

function areWaiting(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? ' is' : 's are'} waiting`
}

async function checkClock({ db }: Inspection, { now }: Place): Promise<Finding> {
  const time = now.toISOString()
  if (time < OLDEST_CLOCK) return problem(`${time} is wrong: set the machine's clock`)
  const newest = await findNewestInstant(db)
  if (!newest || Date.parse(newest) <= now.getTime() + CLOCK_TOLERANCE_MS) return ok(time)
  return problem(`${time} is before the newest entry, ${newest}: set the machine's clock`)
}

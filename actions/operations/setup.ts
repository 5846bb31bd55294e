import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type Part, partsToSetUp } from '#actions/operations/uses.ts'
import { missingForOwners } from '#actions/plans/payment.ts'
import type { Config } from '#config.ts'
import { findFirstAdmin } from '#db/accounts/permissions.ts'
import { hasAccounts, listAdminsWithoutFactor } from '#db/admin/inspection.ts'
import type { DbOrTrx } from '#db/client.ts'
import type { Finding } from '#db/engine.ts'
import { isOfThisMachine } from '#domain/alerts/push.ts'
import { formatBytes } from '#domain/size.ts'
import { formatDateTime } from '#domain/time.ts'
import { archivesFolder } from '#storage/backup/place.ts'
import { readRecord } from '#storage/backup/record.ts'

export const ok = (message: string): Finding => ({ status: 'ok', message })
export const warning = (message: string): Finding => ({ status: 'warning', message })
export const problem = (message: string): Finding => ({ status: 'problem', message })

/** Something that only a server for others needs. */
export const lacking = (message: string): Finding => ({ ...ok(message), isLacking: true })

const HOUR_MS = 3_600_000
/** One a night, plus half a day for a machine that was off. */
const OLDEST_BACKUP_MS = 36 * HOUR_MS

export type SetupCheck = Finding & { name: Part }

/** Checks all that an operator sets up, as `doctor` does, but without a connection to anything but the database. */
export async function checkSetup(db: DbOrTrx, config: Config, now: Date): Promise<SetupCheck[]> {
  const { dataDir, backups, timezone } = config
  const looks: Record<Part, () => Finding | Promise<Finding>> = {
    Address: () => checkAddress(config),
    Mail: () => mailSettingProblem(config) ?? ok('a mail server is configured'),
    Registration: () => checkRegistration(config),
    Owners: () => checkOwners(config),
    Backups: () => checkBackups(db, { dataDir, backups, zone: timezone, now }),
    Admins: () => checkAdmins(db, config),
  }
  const parts = partsToSetUp(config)
  return Promise.all(parts.map(async (name) => ({ name, ...(await looks[name]()) })))
}

export function checkAddress({ publicUrl, production }: Config): Finding {
  if (publicUrl.startsWith('https:')) return ok(publicUrl)
  if (!production) return lacking(publicUrl)
  if (isOfThisMachine(publicUrl)) {
    return warning(
      `${publicUrl} works only on this machine: set PUBLIC_URL to an address that phones can open before you print`,
    )
  }
  return warning(`${publicUrl} is not https: passwords are sent unencrypted`)
}

/** Finds a missing mail server; undefined where mails are sent, or one-time codes are shown instead. */
export function mailSettingProblem(config: Config): Finding | undefined {
  const { mail, testMode, production, registration } = config
  if (testMode || mail.smtpUrl) return undefined
  const acts = registration.mode === 'open' ? 'register or reset a password' : 'reset a password'
  const cost = `nobody can ${acts}`
  return warning(`SMTP_URL is not set${production ? ' in production' : ''}: ${cost}`)
}

/** Finds the settings that owners miss. */
export function checkOwners(config: Config): Finding {
  const missing = missingForOwners(config)
  if (missing.length === 0)
    return ok(
      `${config.plans ? 'payments and ' : ''}the support contact ${config.plans ? 'are' : 'is'} configured`,
    )
  const said = missing.map(({ setting, cost }) => `${setting} is not set: ${cost}`).join('; ')
  return config.production ? warning(said) : lacking(said)
}

/** Finds a server without limits on which every passer-by can make an account. */
export function checkRegistration({ plans, registration, publicUrl }: Config): Finding {
  const { mode, domains } = registration
  const only = domains.length > 0 ? `, with an address at ${domains.join(', ')}` : ''
  if (mode !== 'open' || only) return ok(`${mode}${only}`)
  if (plans || isOfThisMachine(publicUrl)) return lacking(mode)
  return warning(
    'anybody may register, without limits by PLANS=off: set REGISTRATION or REGISTRATION_DOMAINS',
  )
}

/** Finds a server without administrators, and those whom a password alone lets in. */
export async function checkAdmins(
  db: DbOrTrx,
  { production }: Pick<Config, 'production'>,
): Promise<Finding> {
  const without = await listAdminsWithoutFactor(db)
  const said =
    without.length > 0
      ? `no second factor at ${without.join(', ')}: each adds one under Settings, Security`
      : (await findFirstAdmin(db))
        ? undefined
        : 'there is none yet: driveqr admin grant EMAIL'
  if (!said) return ok('every administrator has a second factor')
  return production ? warning(said) : lacking(said)
}

type BackupPlace = Pick<Config, 'dataDir' | 'backups'> & { zone: string; now: Date }

/** Checks the last good backup and later failures. */
export async function checkBackups(
  db: DbOrTrx,
  { dataDir, backups, zone, now }: BackupPlace,
): Promise<Finding> {
  const { folder, isOn } = backups
  if (folder && !existsSync(folder)) return problem(`there is no folder ${folder}: see BACKUP_DIR`)
  if (!isOn) return ok('off by BACKUP=off: the server makes none by itself')
  const { good, failed } = readRecord(dataDir)
  if (failed) return problem(`the last one failed: ${failed.reason}`)
  if (!good) {
    if (!(await hasAccounts(db))) return ok('none yet, and no data')
    return warning('none yet: the server makes one every night, driveqr backup makes one now')
  }
  const isOurs = dirname(good.file) === resolve(archivesFolder({ dataDir, backups }))
  if (isOurs && !existsSync(good.file))
    return problem(`${good.file} is missing: make a new one with driveqr backup`)
  const found = `${formatDateTime(good.made_at, zone)} ${zone}, ${formatBytes(good.bytes)}`
  const isOld = now.getTime() - Date.parse(good.made_at) > OLDEST_BACKUP_MS
  return isOld ? warning(`the last is from ${found}: does the server run at night?`) : ok(found)
}

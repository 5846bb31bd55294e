import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { lacking, mailSettingProblem, ok, problem, warning } from '#actions/operations/setup.ts'
import { type Config, isLoopback } from '#config.ts'
import { INSTALL_ID_FILE, KEY_FILE, PRIVATE_NAMES } from '#db/data-folder.ts'
import type { DatabaseSettings, Finding } from '#db/engine.ts'
import { assertWritable } from '#db/folder.ts'
import { isOpenToOthers } from '#db/private-folder.ts'
import { reasonOf } from '#db/reason.ts'
import { CHANNEL_LABELS } from '#domain/alerts/alert.ts'
import { hasPush } from '#domain/alerts/push.ts'
import { describeMisspelt } from '#domain/setting-names.ts'
import { createChannels } from '#mail/channels/index.ts'
import { pushContactOf } from '#mail/channels/push.ts'
import { checkMailServer } from '#mail/mailer.ts'
import { openBot } from '#mail/telegram/api.ts'
import { lookAtStorage, type StorageSettings } from '#storage/open-storage.ts'

export type { Finding }
export { ok, problem, warning }
export type Status = Finding['status']
/** The installation to check, and the current time. */
export type Place = DatabaseSettings &
  StorageSettings & {
    publicUrl: string
    production: boolean
    backups: Config['backups']
    terminalZone: string
    now: Date
  }
export type Check = Finding & { name: string }

const OLDEST_NODE = [22, 14] as const
const MB = 1_000_000
const LITTLE_SPACE_MB = 1000
const TOO_LITTLE_SPACE_MB = 100
/** Access to a folder in which files can be created and found. */
const USABLE = constants.W_OK | constants.X_OK

/** Runs a check. One that throws has found a problem. */
export async function check(name: string, look: () => Finding | Promise<Finding>): Promise<Check> {
  try {
    return { name, ...(await look()) }
  } catch (error) {
    return { name, ...problem(reasonOf(error)) }
  }
}

export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [oldestMajor, oldestMinor] = OLDEST_NODE
  const isNewEnough = major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)
  return isNewEnough ? ok(version) : problem(`${version}, but ${OLDEST_NODE.join('.')} is needed`)
}

/** Finds variables that look like settings and are none. */
export function checkConfiguration({ production, misspelt }: Config): Finding {
  const mode = production ? 'production' : 'development'
  return misspelt.length > 0 ? warning(`${mode}; ${describeMisspelt(misspelt)}`) : ok(mode)
}

export async function checkMail(config: Config): Promise<Finding> {
  const { mail, testMode } = config
  if (!testMode && mail.smtpUrl) {
    const { host } = new URL(mail.smtpUrl)
    const why = await checkMailServer(mail.smtpUrl)
    if (why) return warning(`${host} cannot be used, so no mail is sent: ${why}`)
    return ok(`${host} takes mails, from ${mail.from}`)
  }
  const inTestMode = 'test mode: one-time codes are shown on the page, no mail is sent'
  return mailSettingProblem(config) ?? lacking(inTestMode)
}

/** Finds the channels of alerts that this installation can use, and the reasons against the others. */
export function checkAlerts(config: Config): Finding {
  const telegram = openBot(config)
  // Nothing is sent: any key and clock will do.
  const options = { config, secretKey: Buffer.alloc(32), clock: () => new Date(), telegram }
  const email = { kind: 'email', isAvailable: config.mail.smtpUrl !== undefined } as const
  const channels = [
    { ...email, whyNot: 'SMTP_URL is not set' },
    ...Object.values(createChannels(options)),
  ]
  const on = channels.filter(({ isAvailable }) => isAvailable)
  const off = channels.filter(({ isAvailable }) => !isAvailable)
  const names = on.map(({ kind }) => CHANNEL_LABELS[kind]).join(', ')
  const reasons = off.map(({ kind, whyNot }) => `not ${CHANNEL_LABELS[kind]}: ${whyNot}`)
  const found = [names, ...reasons].join('; ')
  const isHere = isLoopback(new URL(config.publicUrl).hostname)
  if (isHere || !hasPush(config.publicUrl) || pushContactOf(config)) return ok(found)
  return warning(
    `${found}; push services may refuse the contact ${config.publicUrl}: set SUPPORT_EMAIL or MAIL_FROM to an address on the internet`,
  )
}

/** Checks the address for the sign-in provider. Google accepts only https redirect URIs, except on this machine. */
export function checkProvider({ google, publicUrl }: Config): Finding {
  if (!google) return ok('not configured: the login page does not offer it')
  const back = `${publicUrl}/api/auth/google/callback`
  const { protocol, hostname } = new URL(publicUrl)
  if (protocol === 'https:' || isLoopback(hostname)) {
    return ok(`${google.name} is configured; allow this redirect URI there: ${back}`)
  }
  return warning(`${back} is not https: ${google.name} will not redirect to it`)
}

export function checkFolder(dataDir: string): Finding {
  if (!existsSync(dataDir)) {
    accessSync(nearestTo(dataDir), USABLE)
    return ok(`${dataDir} does not exist yet: the first start creates it`)
  }
  if (!statSync(dataDir).isDirectory())
    return problem(`${dataDir} is a file: set DATA_DIR to a folder`)
  assertWritable(dataDir)
  for (const name of PRIVATE_NAMES) assertOurs(join(dataDir, name))
  const probe = join(dataDir, `.doctor-${process.pid}`)
  closeSync(openSync(probe, 'wx', 0o600))
  rmSync(probe)
  if (!isOpenToOthers(dataDir)) return ok(`${dataDir}: only its owner can read it`)
  return problem(`${dataDir} can be read by other users of this machine: chmod 700 ${dataDir}`)
}

/** The folder that would be made, or the one in which it would be. */
function nearestTo(folder: string): string {
  const path = resolve(folder)
  return existsSync(path) ? path : nearestTo(dirname(path))
}

/** Throws if a file belongs to another user, which would lock out the server. Keys need not be writable. */
function assertOurs(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  const isKey = [KEY_FILE, INSTALL_ID_FILE].includes(basename(path))
  if (found && !isKey) accessSync(path, found.isDirectory() ? USABLE : constants.W_OK)
}

export function checkSpace(dataDir: string): Finding {
  const { bavail, bsize } = statfsSync(nearestTo(dataDir))
  return describeSpace(bavail * bsize)
}

/** Finds whether files can be stored, and where. */
export async function checkStorage(at: StorageSettings): Promise<Finding> {
  const { place, check } = await lookAtStorage(at)
  if (at.storage || existsSync(at.dataDir)) await check()
  return ok(place)
}

export function describeSpace(freeBytes: number): Finding {
  const free = Math.floor(freeBytes / MB)
  const message = `${free.toLocaleString('en-IN')} MB free`
  if (free < TOO_LITTLE_SPACE_MB) return problem(`${message}: free some space before data is lost`)
  if (free >= LITTLE_SPACE_MB) return ok(message)
  return warning(`${message}: soon not enough for uploads and backups`)
}

import { getCookie, setCookie } from 'hono/cookie'
import type { Guesser } from '#db/accounts/wrong-guesses.ts'
import { toInstant } from '#db/cast.ts'
import type { Account, Instant } from '#db/schema.ts'
import { hashToken, keyedHash, randomId, sameHash } from '#db/secrets.ts'
import { browserName } from '#domain/accounts/browser-name.ts'
import { programName } from '#domain/accounts/program-name.ts'
import { deviceKind } from '#domain/scans/scan.ts'
import { clientAddress, clientNetwork } from '#routes/_http/client-address.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { cookieAttributes, sessionCookieName } from '#routes/_http/cookies.ts'
import type { Limited } from '#routes/_http/rate-limits.ts'

/** A browser that an account has signed in with. `since` is its first sign-in. */
export type KnownDevice = { id: string; since: Instant }
/** `proof` is derived from the password at the last sign-in with this browser. */
type Device = { id: string; issuedAt: number; mac: string; proof: string }

type Holder = Pick<Account, 'id' | 'password_hash'>

const LIFE_SECONDS = 400 * 86_400
/** People may share a browser. */
const MOST_ACCOUNTS = 5
const DEVICE = /^([\w-]{16})\.(\d{1,15})\.([0-9a-f]{64})\.([0-9a-f]{64})$/

/** Returns the devices in the cookie, newest first, one per account. They are not verified yet. */
export function readDevices(c: AppContext): Device[] {
  return (getCookie(c, deviceCookieName(c)) ?? '').split('~').flatMap((text) => {
    const [, id, issuedAt, mac, proof] = DEVICE.exec(text) ?? []
    return id && issuedAt && mac && proof ? [{ id, issuedAt: Number(issuedAt), mac, proof }] : []
  })
}

/** Returns this browser as a device of the account, or undefined if the account never signed in with it. */
export function knownDevice(c: AppContext, accountId: string): KnownDevice | undefined {
  const device = findDevice(c, accountId)
  return device && { id: device.id, since: toInstant(new Date(device.issuedAt)) }
}

/**
 * Returns the known device if the account signed in here since its password was last set. An attacker with
 * the earlier password may have signed in on many devices, to guess the new one from them.
 */
export function currentDevice(c: AppContext, account: Holder): KnownDevice | undefined {
  const device = findDevice(c, account.id)
  if (!device || !sameHash(device.proof, proofOf(c, account, device))) return undefined
  return knownDevice(c, account.id)
}

/** Checks whether the account signed in with this browser before a time. */
export function isKnownDeviceFrom(c: AppContext, accountId: string, before: Instant): boolean {
  const device = knownDevice(c, accountId)
  return device !== undefined && device.since < before
}

/** Makes this browser a known device of the account for 400 days. Returns its id. */
export function rememberDevice(c: AppContext, account: Holder): string {
  const known = findDevice(c, account.id) ?? newDevice(c, account.id)
  const device = { ...known, proof: proofOf(c, account, known) }
  const others = readDevices(c).filter(({ mac }) => mac !== device.mac)
  const text = [device, ...others]
    .slice(0, MOST_ACCOUNTS)
    .map(({ id, issuedAt, mac, proof }) => `${id}.${issuedAt}.${mac}.${proof}`)
    .join('~')
  setCookie(c, deviceCookieName(c), text, { ...cookieAttributes(c), maxAge: LIFE_SECONDS })
  return device.id
}

/** Describes the device of a request for mails and the list of sessions. */
export function deviceOf(c: AppContext) {
  const userAgent = c.req.header('User-Agent')
  return { device: deviceKind(userAgent), browser: browserName(userAgent) }
}

/** Identifies a program without cookies by its name and network. Returns undefined for a browser. */
export function programHash(c: AppContext, accountId: string): string | undefined {
  const name = programName(c.req.header('User-Agent'))
  if (name === undefined) return undefined
  return keyedHash(c.var.deps.secretKey, 'program', accountId, name, clientAddress(c))
}

function findDevice(c: AppContext, accountId: string): Device | undefined {
  const now = c.var.deps.clock().getTime()
  return readDevices(c).find(
    (device) =>
      device.issuedAt <= now &&
      device.issuedAt > now - LIFE_SECONDS * 1000 &&
      sameHash(device.mac, macOf(c, accountId, device)),
  )
}

function newDevice(c: AppContext, accountId: string): Omit<Device, 'proof'> {
  const device = { id: randomId(), issuedAt: c.var.deps.clock().getTime() }
  return { ...device, mac: macOf(c, accountId, device) }
}

/** Includes the account id, so that the cookie need not contain it. */
function macOf(
  c: AppContext,
  accountId: string,
  { id, issuedAt }: Pick<Device, 'id' | 'issuedAt'>,
): string {
  return keyedHash(c.var.deps.secretKey, 'device', accountId, id, String(issuedAt))
}

function proofOf(c: AppContext, account: Holder, { id }: Pick<Device, 'id'>): string {
  const { password_hash } = account
  return keyedHash(c.var.deps.secretKey, 'device password', account.id, id, password_hash ?? '')
}

function deviceCookieName(c: AppContext): string {
  return `${sessionCookieName(c)}-device`
}

/** Returns the keys by which wrong guesses of this request are counted. */
export function guesserOf(
  c: AppContext,
  account: Account | undefined,
  ...typed: string[]
): Guesser {
  const contacts = new Set([...typed, account?.email, account?.mobile, account?.login_id])
  const device = account && currentDevice(c, account)
  return {
    contacts: [...contacts].filter((contact) => typeof contact === 'string'),
    network: clientNetwork(c).name,
    device: device && { id: device.id, accountId: account.id },
  }
}

/** Exempts a known device from a limit of its network, because it has its own count. */
export function unlessKnown({ device }: Guesser, limited: Limited): Limited[] {
  return device ? [] : [limited]
}

/**
 * Returns the keys of the queue for hashing passwords: the account or contact that the password belongs to, and the
 * network of the request.
 */
export function passwordQueueKeys(c: AppContext, accountOrContact: string): string[] {
  return [`account ${hashToken(accountOrContact)}`, `network ${clientNetwork(c).name}`]
}

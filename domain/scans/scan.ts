import { DEFAULT_CLAIM_MESSAGE, DEFAULT_PUBLIC_MESSAGE } from '#domain/codes/qr.ts'
import { type Chosen, type ContactMode, hiddenFields } from '#domain/codes/visibility.ts'
import { userOfCode } from '#domain/conversations/rules.ts'
import type { ScanPrivateFields } from '#domain/scans/scan-view.ts'

/**
 * The page of a scan. `owner` is the welcome page of the code's owner or child user, `replaced` is
 * for an earlier id of the code, `waiting` for a child user who waits for the guardian.
 */
export type ScanState =
  | 'not_found'
  | 'owner'
  | 'replaced'
  | 'unregistered'
  | 'unclaimed'
  | 'waiting'
  | 'contact'

/** 0 or 1 in a database row, a boolean in a view. */
type Flag = boolean | number

type Registration = { qr_type: string; is_claimed: Flag; is_child_registered: Flag }
/** Set while the child user of a code waits for the guardian: nobody sees or reaches them until then. */
type Waits = { awaits_guardian: Flag }
type Ownership = { owner_id: string; child_account_id: string | null }

/** Returns whether the viewer is the code's owner or child user, whose views are not counted as scans. */
export function isOwnCode(qr: Ownership, viewerId: string | undefined): boolean {
  return viewerId !== undefined && (viewerId === qr.owner_id || viewerId === qr.child_account_id)
}

/**
 * Returns the state of a scan. In a preview the owner sees what a finder would see; for other
 * viewers `preview` has no effect.
 */
export function scanState(
  qr: (Registration & Ownership & Waits & { is_active: Flag; replaced_by?: string }) | undefined,
  viewer: { accountId: string | undefined; preview: boolean },
): ScanState {
  if (!qr?.is_active) return 'not_found'
  if (isOwnCode(qr, viewer.accountId) && !viewer.preview) return 'owner'
  if (qr.replaced_by) return 'replaced'
  return qr.awaits_guardian ? 'waiting' : registrationState(qr)
}

/** Returns whether a finder who sees a page in this state may write to the owner, and report the page. */
export function isOfSomebody(state: ScanState): boolean {
  return state === 'contact' || state === 'replaced'
}

/** Returns whether a code has a contact page, or the step that it lacks. */
export function registrationState(qr: Registration): 'unregistered' | 'unclaimed' | 'contact' {
  if (qr.qr_type === 'child' && !qr.is_child_registered) return 'unregistered'
  return qr.is_claimed ? 'contact' : 'unclaimed'
}

/** All fields that a finder may see. Listed, so that a new column is not public by default. */
export const PUBLIC_SCAN_FIELDS = [
  'owner_name',
  'contact_phone',
  'email',
  'city_area',
  'emergency_contact_name',
  'emergency_contact_phone',
  'blood_group',
  'vehicle_registration',
  'vehicle_make_model',
  'company_fleet_name',
  'public_message',
] as const

export type PublicScanFields = Record<(typeof PUBLIC_SCAN_FIELDS)[number], string | null>

export function isPublicField(name: string): boolean {
  return PUBLIC_SCAN_FIELDS.some((field) => field === name)
}

/** `user_is_active`: whether the account of `userOfCode` is not blocked. */
export type Reachable = Parameters<typeof userOfCode>[0] & Waits & { user_is_active: Flag | null }

/** Returns whether a finder of this code can write to an account. */
export function canMessage(qr: Reachable): boolean {
  return userOfCode(qr) !== undefined && Boolean(qr.user_is_active) && !qr.awaits_guardian
}

/**
 * Returns the contact mode of a code's page: public if no account can get messages. The hidden
 * fields of a code stay hidden while the account of its user is blocked.
 */
export function contactModeOf(qr: Reachable & Pick<Chosen, 'contact_mode'>): ContactMode {
  return userOfCode(qr) === undefined ? 'public' : qr.contact_mode
}

/**
 * Returns the public fields. All are null for a code that is unclaimed, unregistered or waits for a
 * guardian, even if its issuer filled in fields.
 */
export function publicScanFields(qr: PublicScanFields & Reachable & Chosen): PublicScanFields {
  const isInUse = registrationState(qr) === 'contact' && !qr.awaits_guardian
  const fields = {} as PublicScanFields
  for (const name of PUBLIC_SCAN_FIELDS) fields[name] = isInUse ? qr[name] : null
  const contact_mode = contactModeOf(qr)
  const asksToCall = fields.public_message === DEFAULT_PUBLIC_MESSAGE
  return {
    ...fields,
    ...hiddenFields(fields, { ...qr, contact_mode }),
    // The default asks for a call, which a page without a number cannot offer.
    ...(contact_mode === 'relay' && asksToCall && { public_message: DEFAULT_CLAIM_MESSAGE }),
  }
}

/** Returns the fields that the PIN unlocks, as stored. */
export function privateScanFields(qr: ScanPrivateFields): ScanPrivateFields {
  return {
    driving_license_number: qr.driving_license_number,
    insurance_policy_number: qr.insurance_policy_number,
    insurance_expiry_date: qr.insurance_expiry_date,
    notes_instructions: qr.notes_instructions,
  }
}

/**
 * Programs that fetch links: chat previews, search engines, crawlers. The in-app browsers of chat
 * apps have other names (`FBAN`, `Instagram`), and CUBOT is a phone brand.
 */
const ROBOT =
  /(^|[^cu]|[^c]u)bot\b|crawl|spider|preview|facebookexternalhit|embedly|vkshare|\bslack-|^whatsapp\/|\bgoogle-|googleother/i

/**
 * Returns whether a request for a contact page or its data is a scan. Prefetched pages may never be
 * seen, so they do not count. Clients without a user agent and command-line clients do.
 */
export function countsAsScan(request: { method: string; headers: Pick<Headers, 'get'> }): boolean {
  const { method, headers } = request
  if (method !== 'GET') return false
  const purposes = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].map((name) => headers.get(name))
  if (purposes.some((purpose) => /prefetch|prerender|preview/i.test(purpose ?? ''))) return false
  return !ROBOT.test(headers.get('user-agent') ?? '')
}

/**
 * Returns whether a finder returns from another page of this site, so that the scan is not counted
 * twice. The browser's header is used because a URL can be copied and shared.
 */
export function isReturn(headers: Pick<Headers, 'get'>): boolean {
  return headers.get('sec-fetch-site') === 'same-origin'
}

export const DEVICE_KINDS = ['phone', 'tablet', 'desktop', 'other'] as const
export type DeviceKind = (typeof DEVICE_KINDS)[number]

/** Returns the coarse kind of a browser's device. An iPad in desktop mode counts as a desktop. */
export function deviceKind(userAgent: string | undefined): DeviceKind {
  const agent = userAgent ?? ''
  if (/iPad|Tablet|PlayBook|Kindle|Silk\//i.test(agent)) return 'tablet'
  if (/Mobi|iPhone|iPod|Opera Mini/i.test(agent)) return 'phone'
  if (/Android/i.test(agent)) return 'tablet'
  return /Windows NT|Macintosh|CrOS|X11|Linux/i.test(agent) ? 'desktop' : 'other'
}

export type ReferrerKind = 'direct' | 'own' | 'search' | 'social' | 'other'

const SEARCH =
  /(^|\.)(google\.[a-z.]{2,6}|bing\.com|duckduckgo\.com|yahoo\.com|ecosia\.org|yandex\.\w{2,3}|baidu\.com|search\.brave\.com|com\.google\.android\.googlequicksearchbox)$/
const SOCIAL =
  /(^|\.)(facebook\.com|instagram\.com|threads\.net|twitter\.com|x\.com|t\.co|whatsapp\.com|wa\.me|t\.me|telegram\.org|linkedin\.com|lnkd\.in|reddit\.com|youtube\.com|pinterest\.\w{2,3}|snapchat\.com|sharechat\.com|com\.whatsapp|org\.telegram\.messenger)$/

/** Returns the kind of site a finder came from. A printed code read by a camera is `direct`. */
export function referrerKind(referer: string | undefined, ownOrigin: string): ReferrerKind {
  if (!referer) return 'direct'
  if (!URL.canParse(referer)) return 'other'
  const { origin, hostname } = new URL(referer)
  if (origin === ownOrigin) return 'own'
  if (SEARCH.test(hostname)) return 'search'
  return SOCIAL.test(hostname) ? 'social' : 'other'
}

import type { ScanPrivateFields } from '#domain/scans/scan-view.ts'

/** What a scan shows. `owner` is the welcome to the code's owner or child user. */
export type ScanState = 'not_found' | 'owner' | 'unregistered' | 'unclaimed' | 'contact'

/** A database row or a view of it: both kinds of truth are read. */
type Flag = boolean | number

type Registration = { qr_type: string; is_claimed: Flag; is_child_registered: Flag }
type Ownership = { owner_id: string; child_account_id: string | null }

/** Whether the viewer is the code's owner or child user: their looks are no scans. */
export function isOwnCode(qr: Ownership, viewerId: string | undefined): boolean {
  return viewerId !== undefined && (viewerId === qr.owner_id || viewerId === qr.child_account_id)
}

/**
 * The state of a scan. In a preview the owner sees what a finder would, whatever that is; to
 * everybody else a preview is a scan like any other.
 */
export function scanState(
  qr: (Registration & Ownership & { is_active: Flag }) | undefined,
  viewer: { accountId: string | undefined; preview: boolean },
): ScanState {
  if (!qr?.is_active) return 'not_found'
  if (isOwnCode(qr, viewer.accountId) && !viewer.preview) return 'owner'
  return registrationState(qr)
}

function registrationState(qr: Registration): 'unregistered' | 'unclaimed' | 'contact' {
  if (qr.qr_type === 'child' && !qr.is_child_registered) return 'unregistered'
  return qr.is_claimed ? 'contact' : 'unclaimed'
}

/** All that a finder may see of a code; a new column is not public by being there. */
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

/** Empty for a code that nobody has claimed or registered yet, whatever its issuer noted on it. */
export function publicScanFields(qr: PublicScanFields & Registration): PublicScanFields {
  const shown = registrationState(qr) === 'contact'
  const fields = {} as PublicScanFields
  for (const name of PUBLIC_SCAN_FIELDS) fields[name] = shown ? qr[name] : null
  return fields
}

/** What the PIN opens, as stored. */
export function privateScanFields(qr: ScanPrivateFields): ScanPrivateFields {
  return {
    driving_license_number: qr.driving_license_number,
    insurance_policy_number: qr.insurance_policy_number,
    insurance_expiry_date: qr.insurance_expiry_date,
    notes_instructions: qr.notes_instructions,
  }
}

/**
 * Programs that read a link for somebody: previews in chats, search engines, crawlers. A person's
 * own browser inside such an app names the app otherwise (`FBAN`, `Instagram`), and CUBOT is a
 * maker of phones.
 */
const ROBOT =
  /(^|[^cu]|[^c]u)bot\b|crawl|spider|preview|facebookexternalhit|embedly|vkshare|\bslack-|^whatsapp\/|\bgoogle-|googleother/i

/**
 * Whether a request for a contact page or its data is a scan. Prefetched pages may never be looked
 * at; a client without a name, or a command line, is somebody.
 */
export function countsAsScan(request: { method: string; headers: Pick<Headers, 'get'> }): boolean {
  const { method, headers } = request
  if (method !== 'GET') return false
  const purposes = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].map((name) => headers.get(name))
  if (purposes.some((purpose) => /prefetch|prerender|preview/i.test(purpose ?? ''))) return false
  return !ROBOT.test(headers.get('user-agent') ?? '')
}

/**
 * Whether a finder whose scan is counted comes back from another of our pages. An address alone,
 * copied or shared, says nothing: the browser tells where the step was made.
 */
export function isReturn(headers: Pick<Headers, 'get'>): boolean {
  return headers.get('sec-fetch-site') === 'same-origin'
}

export type DeviceKind = 'phone' | 'tablet' | 'desktop' | 'other'

/** The coarse kind of a browser's device. An iPad that asks for desktop pages passes for a Mac. */
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

/** Where a finder came from, by kind alone. A camera that read the printed code is `direct`. */
export function referrerKind(referer: string | undefined, ownOrigin: string): ReferrerKind {
  if (!referer) return 'direct'
  if (!URL.canParse(referer)) return 'other'
  const { origin, hostname } = new URL(referer)
  if (origin === ownOrigin) return 'own'
  if (SEARCH.test(hostname)) return 'search'
  return SOCIAL.test(hostname) ? 'social' : 'other'
}

import { roleLabel } from '#domain/accounts/roles.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { formatCount } from '#domain/number.ts'
import { onOffer } from '#domain/plans/offer.ts'
import { formatDateTime } from '#domain/time.ts'

/** An entry of the audit log. `before` and `after` are JSON objects. */
export type RecordedAct = {
  action: string
  actor: string
  /** name of the changed account or thing, if it still exists */
  about: string | null
  before: string | null
  after: string | null
}

export type ActDescription = { title: string; detail: string }

const NOUNS: Record<string, string> = {
  account: 'User',
  promo: 'Promo code',
  qr: 'QR codes',
  qr_code: 'QR code',
}

const FIELDS: Record<string, string> = {
  subscription_plan: 'plan',
  subscription_ends_at: 'plan until',
  qr_limit: 'QR limit',
  child_qr_quota: 'child QR codes left',
  is_active: 'status',
  expires_at: 'until',
}

type Values = Record<string, unknown>

/** Returns an entry as text: `Role granted` and `Asha Patil · role: Client → Admin · by Nandini Rao`. */
export function describeAct(act: RecordedAct, timezone: string): ActDescription {
  const before = parse(act.before)
  const after = parse(act.after)
  const values = { ...before, ...after }
  const name = act.about ?? (act.action.startsWith('report.') ? codeIn(values) : nameIn(values))
  const parts = [name, ...changes(before, after, timezone)]
  return {
    title: titleOf(act.action),
    detail: [...parts.filter(Boolean), `by ${act.actor}`].join(' · '),
  }
}

function titleOf(action: string): string {
  const [noun = '', ...verbs] = action.split('.')
  const words = spaced(noun)
  return `${NOUNS[noun] ?? words.charAt(0).toUpperCase() + words.slice(1)} ${spaced(verbs.join(' '))}`.trim()
}

/** The differences. A creation or deletion has none: the title says enough. */
function changes(
  before: Values | undefined,
  after: Values | undefined,
  timezone: string,
): string[] {
  if (!before || !after) return []
  const keys = onOffer([...new Set([...Object.keys(before), ...Object.keys(after)])])
  return keys
    .filter((key) => shown(key, before[key], timezone) !== shown(key, after[key], timezone))
    .map((key) => {
      const from = shown(key, before[key], timezone)
      const to = shown(key, after[key], timezone)
      return `${FIELDS[key] ?? spaced(key)}: ${from} → ${to}`
    })
}

function shown(key: string, value: unknown, timezone: string): string {
  if (value === null || value === undefined || value === '') return 'none'
  if (key === 'is_active') return value ? 'Active' : 'Inactive'
  if (key === 'decision') return spaced(String(value))
  if (key === 'role') return roleLabel(String(value))
  if (key === 'qr_limit' && value === -1) return 'unlimited'
  if (key.endsWith('_at')) return formatDateTime(String(value), timezone)
  return typeof value === 'object' ? JSON.stringify(value) : written(value)
}

function written(value: unknown): string {
  return typeof value === 'number' ? formatCount(value) : String(value)
}

function nameIn({ code, title, name, email, file, count }: Values): string | undefined {
  const named = code ?? title ?? name ?? email ?? file ?? count
  return named === null || named === undefined ? undefined : written(named)
}

/** The id of the QR code that a report is about, as people read it. */
function codeIn({ code }: Values): string {
  return formatQrId(String(code))
}

function spaced(text: string): string {
  return text.replaceAll('_', ' ')
}

function parse(json: string | null): Values | undefined {
  return json === null ? undefined : (JSON.parse(json) as Values)
}

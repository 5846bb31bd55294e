/** The events of alerts. */
export const ALERT_EVENTS = [
  'message',
  'scan',
  'lost_scan',
  'police_view',
  'reset_request',
  'plan',
  'due',
  'security',
] as const
export type AlertEvent = (typeof ALERT_EVENTS)[number]

/** The events of shared codes that people hear of. */
export const SHARED_EVENTS = ['message', 'scan', 'lost_scan', 'due'] as const

/** The ways in which an alert reaches somebody. */
export const CHANNEL_KINDS = ['email', 'push', 'telegram', 'ntfy', 'webhook'] as const
export type ChannelKind = (typeof CHANNEL_KINDS)[number]
export const CHANNEL_LABELS: Record<ChannelKind, string> = {
  email: 'Email',
  push: 'Push',
  telegram: 'Telegram',
  ntfy: 'ntfy',
  webhook: 'Webhook',
}
/** The kinds that an account connects. Its e-mail is its address. */
export const CONNECTED_KINDS = ['push', 'telegram', 'ntfy', 'webhook'] as const
export type ConnectedKind = (typeof CONNECTED_KINDS)[number]

/**
 * The content of an alert on every channel: plain text without a secret, without a hidden number,
 * and with an address that signs nobody in.
 */
export type Alert = {
  event: AlertEvent
  title: string
  body: string
  /** absolute: where to look */
  url: string
  /** an accident or a lost code: it does not wait for the end of quiet hours */
  isUrgent: boolean
  /** the code that it is about */
  qr_id: string | null
  /** for a child user whose parent hides the product: without its mark */
  isUnmarked?: true
  /** a sample of its event, by which an owner tries a channel */
  isTest?: true
}

export type Choices = Record<AlertEvent, Record<ChannelKind, boolean>>
/** `isShared`: for codes that others share with the account. */
export type Choice = { event: AlertEvent; kind: ChannelKind; isOn: boolean; isShared?: boolean }

const ON_BY_DEFAULT: Record<AlertEvent, readonly ChannelKind[]> = {
  message: CHANNEL_KINDS,
  scan: [],
  lost_scan: CHANNEL_KINDS,
  police_view: [],
  reset_request: ['email'],
  plan: ['email'],
  due: ['email'],
  security: ['email'],
}

const ON_FOR_SHARED: readonly AlertEvent[] = ['message', 'lost_scan']

export function isOnByDefault(event: AlertEvent, kind: ChannelKind, isShared = false): boolean {
  if (isShared) return kind === 'email' && ON_FOR_SHARED.includes(event)
  return ON_BY_DEFAULT[event].includes(kind)
}

/** Returns whether the choice cannot be changed: an intruder must not be able to switch the warning off. */
export function isFixed(event: AlertEvent, kind: ChannelKind): boolean {
  return event === 'security' && kind === 'email'
}

/** Returns all choices of an account for its own codes, or for shared ones, from those that differ from the default. */
export function toChoices(changed: readonly Choice[], isShared = false): Choices {
  const choices = {} as Choices
  for (const event of ALERT_EVENTS) {
    const row = {} as Record<ChannelKind, boolean>
    for (const kind of CHANNEL_KINDS) row[kind] = isOnByDefault(event, kind, isShared)
    choices[event] = row
  }
  for (const { event, kind, isOn, isShared: isOfShared = false } of changed) {
    if (isOfShared === isShared && !isFixed(event, kind)) choices[event][kind] = isOn
  }
  return choices
}

/** Returns how long an alert is tried, in seconds. A scan is old news after an hour. */
export function lifeOf(event: AlertEvent): number {
  return event === 'scan' || event === 'lost_scan' ? HOUR : DAY
}

const HOUR = 3_600
const DAY = 86_400

/** In how many seconds a code alerts of its scans at most once. */
export const SCAN_ALERT_EVERY_SECONDS = { scan: 15 * 60, lost_scan: 60 } as const
export type ScanEvent = keyof typeof SCAN_ALERT_EVERY_SECONDS

/** The time of failures after which a channel counts as not reachable. */
export const UNREACHABLE_AFTER_SECONDS = DAY

/** The channels that one account can connect. */
export const MOST_CHANNELS = 20

/** The number of listed deliveries of a webhook. */
export const LISTED_DELIVERIES = 50
/** For how long. They hold what finders wrote, which is not kept for ever. */
export const DELIVERY_LIFE_SECONDS = 30 * DAY

/** For how long a code for Telegram works. */
export const TELEGRAM_CODE_SECONDS = 10 * 60

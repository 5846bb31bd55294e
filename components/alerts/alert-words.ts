import type { IconName } from '#components/icons/icon.tsx'
import type { AlertEvent, ChannelKind } from '#domain/alerts/alert.ts'
import { onOffer } from '#domain/plans/offer.ts'

export const CHANNEL_ICONS: Record<ChannelKind, IconName> = {
  email: 'mail',
  push: 'bell',
  telegram: 'send',
  ntfy: 'ntfy',
  webhook: 'plug',
}

/** The events that are offered where there are plans. */
export const EVENT_WORDS = {
  message: {
    label: 'A finder wrote a message',
    hint: 'Waits in quiet hours. Accidents and lost codes do not wait.',
  },
  scan: { label: 'A code was scanned', hint: 'At most one alert in 15 minutes for a code.' },
  lost_scan: { label: 'A lost code was scanned', hint: 'Also in quiet hours.' },
  police_view: {
    label: 'The authority page was opened',
    hint: 'Somebody looked at the public documents.',
  },
  reset_request: {
    label: 'A child user asks for a reset',
    hint: 'You decide about it on the dashboard.',
  },
  due: {
    label: 'Papers and services are due',
    hint: 'Once a day at most, at 09:00: 30, 15, 7 and 1 day before, on the day, and weekly for four weeks.',
  },
  plan: {
    label: 'A plan or promo code is decided',
    hint: 'Approved or rejected. Also a week and a day before your plan ends, and when it has ended.',
  },
  security: {
    label: 'Security',
    hint: 'A new device signed in, or your password or second step changed.',
  },
} as const satisfies Record<AlertEvent, { label: string; hint: string }>
export type OfferedEvent = keyof typeof EVENT_WORDS

/** Returns the events in display order. */
export function offeredEvents(): readonly OfferedEvent[] {
  return onOffer(Object.keys(EVENT_WORDS) as OfferedEvent[])
}

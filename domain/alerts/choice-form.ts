import {
  type AlertEvent,
  CHANNEL_KINDS,
  type ChannelKind,
  type Choice,
  isFixed,
} from '#domain/alerts/alert.ts'

/** The field of the form that names the channels whose choices it shows. */
export const SHOWN_FIELD = 'shown'

/** Returns the name of a choice in the form. */
export function choiceName(event: AlertEvent, kind: ChannelKind): string {
  return `${event}.${kind}`
}

/** Reads the choices of a form. A choice that the form did not show stays as it was. */
export function readChoices(form: Record<string, string>, events: readonly AlertEvent[]): Choice[] {
  const shown = (form[SHOWN_FIELD] ?? '').split(' ')
  const kinds = CHANNEL_KINDS.filter((kind) => shown.includes(kind))
  return events.flatMap((event) =>
    kinds
      .filter((kind) => !isFixed(event, kind))
      .map((kind) => ({ event, kind, isOn: form[choiceName(event, kind)] === 'on' })),
  )
}

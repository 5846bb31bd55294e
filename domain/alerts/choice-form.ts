import {
  type AlertEvent,
  CHANNEL_KINDS,
  type ChannelKind,
  type Choice,
  isFixed,
} from '#domain/alerts/alert.ts'

/** The field of the form that names the channels whose choices it shows. */
export const SHOWN_FIELD = 'shown'

/** The field of a form that shows the choices for shared codes. */
export const SHARED_FIELD = 'shared'

/** Returns the name of a choice in the form. */
export function choiceName(event: AlertEvent, kind: ChannelKind, isShared = false): string {
  return `${isShared ? `${SHARED_FIELD}.` : ''}${event}.${kind}`
}

/** Reads the choices of a form. A choice that the form did not show stays as it was. */
export function readChoices(
  form: Record<string, string>,
  events: readonly AlertEvent[],
  isShared = false,
): Choice[] {
  if (isShared && !form[SHARED_FIELD]) return []
  const shown = (form[SHOWN_FIELD] ?? '').split(' ')
  const kinds = CHANNEL_KINDS.filter((kind) => shown.includes(kind))
  return events.flatMap((event) =>
    kinds
      .filter((kind) => !isFixed(event, kind))
      .map((kind) => ({
        event,
        kind,
        isOn: form[choiceName(event, kind, isShared)] === 'on',
        ...(isShared && { isShared }),
      })),
  )
}

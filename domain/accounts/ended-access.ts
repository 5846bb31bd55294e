import { CHANNEL_LABELS, type ConnectedKind } from '#domain/alerts/alert.ts'
import { quotedName, unlinked } from '#domain/text.ts'

/**
 * The names of API keys, the number of shared links, the kinds of channels of alerts, the calendar, and the own domain
 * that new links leave out.
 */
export type EndedAccess = {
  keys: string[]
  links: number
  channels: ConnectedKind[]
  calendar: boolean
  domain: string | null
}

/** The action of the form by which an account says that it has read what ended. */
export const ENDED_ACCESS_ACTION = '/dashboard/ended-access'

/**
 * Returns a sentence or two for each kind of ended access. An intruder may have named the keys, so
 * their names are in quotes and no links.
 */
export function endedSentences({ keys, links, channels, calendar, domain }: EndedAccess): string[] {
  const names = keys.map(quotedName).join(', ')
  const kinds = channels.map((kind) => CHANNEL_LABELS[kind]).join(', ')
  const shared = links === 1 ? 'One shared link has' : `${links} shared links have`
  return [
    ...(keys.length > 0
      ? [`These API keys have ended: ${names}. You can make new ones in the settings.`]
      : []),
    ...(links > 0 ? [`${shared} ended. You can share the documents again in your gallery.`] : []),
    ...(channels.length > 0
      ? [`Alerts do not come by ${kinds} any more. You can connect again in the settings.`]
      : []),
    ...(calendar
      ? ['The address of your calendar has ended. You can make a new one in the settings.']
      : []),
    ...(domain
      ? [
          `New links leave your own address ${unlinked(domain)} out until you confirm it in the settings.`,
        ]
      : []),
  ]
}

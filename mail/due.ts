import { DUE_HREF } from '#domain/dashboard.ts'
import { type Due, dueText } from '#domain/papers/due.ts'
import { whose } from '#domain/people/whose.ts'
import { unlinked } from '#domain/text.ts'
import { asAlert, codeName, type WrittenAlert } from '#mail/alerts.ts'
import { writeLetter } from '#mail/letter.ts'

type Item = Due & Parameters<typeof codeName>[0]
type Digested = {
  items: readonly Item[]
  hasMore: boolean
  today: string
  /** by which the owner of the vehicles shares them with the reader */
  share?: { owner_name: string } | undefined
}

/** Writes the alert of everything that is due for an account. The first item names the message. */
export function dueAlert(
  { items, hasMore, today, share }: Digested,
  { site, publicUrl }: { site: string; publicUrl: string },
): WrittenAlert {
  const person = share && { ownerName: share.owner_name }
  const lines = items.map((item) => `${dueText(item, today)} · ${codeName({ ...item, person })}`)
  const whoseVehicle = person ? unlinked(whose(person.ownerName)) : 'your'
  const [first = ''] = lines
  const others = `${lines.length - 1}${hasMore ? ' or' : ''} more`
  const more = hasMore ? ['There is more on your dashboard.'] : []
  const url = publicUrl + DUE_HREF
  const letter = writeLetter({
    subject: lines.length === 1 ? first : `${first} and ${others}`,
    site,
    reason:
      lines.length === 1
        ? `This is due for ${whoseVehicle} vehicle:`
        : `This is due for ${whoseVehicle} vehicles:`,
    parts: [
      ...lines,
      ...more,
      { label: 'Open your dashboard', url },
      'Add the new date or the new paper, and these reminders end.',
    ],
  })
  const body = [...lines, ...more].join('\n')
  const codes = new Set(items.map(({ qr_id }) => qr_id))
  const qr_id = codes.size === 1 ? (items[0]?.qr_id ?? null) : null
  return asAlert(letter, { event: 'due', url, body, qr_id })
}

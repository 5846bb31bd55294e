import { toDayIn } from '#domain/time.ts'
import { LANGUAGES, type Lang } from '#locales/languages.ts'

/** Isolated from right to left, where `PM` would stand on the other side of the digits. */
const TIME = /\d+:\d+\s[AP]M/

const formatters = new Map<string, Intl.DateTimeFormat>()

/**
 * Formats the time of a message for its reader: `10:42 am`, and `18 Nov, 10:42 am` on another day.
 * Only servers call it, so that `Intl` of one version writes all of it.
 */
export function formatMoment(lang: Lang, timezone: string, instant: string, now: Date): string {
  const date = new Date(instant)
  const isToday = toDayIn(timezone, date) === toDayIn(timezone, now)
  const moment = formatterFor(lang, timezone, isToday).format(date)
  return LANGUAGES[lang].dir === 'rtl' ? moment.replace(TIME, '\u2066$&\u2069') : moment
}

function formatterFor(lang: string, timezone: string, isToday: boolean): Intl.DateTimeFormat {
  const key = `${lang} ${timezone} ${isToday}`
  const known = formatters.get(key)
  if (known) return known
  const formatter = new Intl.DateTimeFormat(`${lang}-IN`, {
    timeZone: timezone,
    numberingSystem: 'latn',
    hour: 'numeric',
    minute: '2-digit',
    ...(!isToday && { day: 'numeric', month: 'short' }),
  })
  formatters.set(key, formatter)
  return formatter
}

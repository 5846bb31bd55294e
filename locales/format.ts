import type { Catalogue } from '#locales/catalogue.ts'
import { format } from '#locales/message.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Returns a sentence that says when to try again, in the largest unit of which there are two. */
export function formatWait({ page }: Pick<Catalogue, 'page'>, seconds: number): string {
  const { again } = page
  if (seconds < 2 * MINUTE) return format(again.second, { n: seconds })
  if (seconds < 2 * HOUR) return format(again.minute, { n: Math.ceil(seconds / MINUTE) })
  if (seconds < 2 * DAY) return format(again.hour, { n: Math.ceil(seconds / HOUR) })
  return format(again.day, { n: Math.ceil(seconds / DAY) })
}

/** The texts that a page needs to show a refusal. */
export type RefusalTexts = Pick<Catalogue, 'lang' | 'page' | 'refusals' | 'otherwise'>

const TOO_LONG = /must be at most [\d,]+ characters$/
const TOO_MANY = /\. Try again in (\d+) (second|minute|hour|day)s?\.$/

/** Returns a refusal of the rules or of the API in the page's language. The English sentence is the key. */
export function formatRefusal(texts: RefusalTexts, sentence: string): string {
  const { lang, page, refusals, otherwise } = texts
  if (lang === 'en') return sentence
  const known = (refusals as Record<string, string>)[sentence]
  if (known) return known
  if (TOO_LONG.test(sentence)) return otherwise.tooLong
  const [, n, unit] = TOO_MANY.exec(sentence) ?? []
  if (unit) {
    const again = format(page.again[unit as keyof typeof page.again], { n: Number(n) })
    return `${otherwise.tooMany} ${again}`
  }
  return /\bimages?\b/i.test(sentence) ? otherwise.photo : otherwise.failed
}

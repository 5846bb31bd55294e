import type { Catalogue } from '#domain/languages/en.ts'
import { DAY, HOUR, MINUTE } from '#domain/rate-limits.ts'

/** The text with its slots filled: `fill('Reported lost on {day}', { day: '18 Nov 2026' })`. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (slot, name) => String(values[name] ?? slot))
}

type Counted = { one: string; other: string }
const pluralRules = new Map<string, Intl.PluralRules>()

/** The form of the text for a number, with the number in it. */
export function fillCount(lang: string, { one, other }: Counted, n: number): string {
  const rules = pluralRules.get(lang) ?? new Intl.PluralRules(lang)
  pluralRules.set(lang, rules)
  return fill(rules.select(n) === 'one' ? one : other, { n })
}

/** When to try again, as a sentence. */
export function sayAgain(
  { lang, page }: Pick<Catalogue, 'lang' | 'page'>,
  seconds: number,
): string {
  const { again } = page
  if (seconds < 2 * MINUTE) return fillCount(lang, again.second, seconds)
  if (seconds < 2 * HOUR) return fillCount(lang, again.minute, Math.ceil(seconds / MINUTE))
  if (seconds < 2 * DAY) return fillCount(lang, again.hour, Math.ceil(seconds / HOUR))
  return fillCount(lang, again.day, Math.ceil(seconds / DAY))
}

/** What a page needs to say a refusal. */
export type RefusalWords = Pick<Catalogue, 'lang' | 'page' | 'refusals' | 'otherwise'>

const TOO_LONG = /must be at most [\d,]+ characters$/
const TOO_MANY = /\. Try again in (\d+) (second|minute|hour|day)s?\.$/

/**
 * A refusal of the rules or of the API in the page's language. English pages say the same sentence:
 * it is the key of its translations, and of what it is about (`placeBy`).
 */
export function sayRefusal(words: RefusalWords, sentence: string): string {
  const { lang, page, refusals, otherwise } = words
  if (lang === 'en') return sentence
  const known = (refusals as Record<string, string>)[sentence]
  if (known) return known
  if (TOO_LONG.test(sentence)) return otherwise.tooLong
  const [, n, unit] = TOO_MANY.exec(sentence) ?? []
  if (unit) {
    const again = fillCount(lang, page.again[unit as keyof typeof page.again], Number(n))
    return `${otherwise.tooMany} ${again}`
  }
  return /\bimages?\b/i.test(sentence) ? otherwise.photo : otherwise.failed
}

import type { Catalogue } from '#locales/catalogue.ts'
import type { Lang } from '#locales/languages.ts'
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

/** Names that English writes with an article within a sentence. */
const WITH_ARTICLE =
  /^(?:United |Bahamas|Comoros|Gambia|Isle of|Maldives|Netherlands|Philippines)|(?:Islands|Netherlands|Republic|Territory|Territories)$/

/** Returns the name of a country within a sentence, by its ISO code. */
export function formatCountry(lang: Lang, code: string): string {
  const name = new Intl.DisplayNames(lang, { type: 'region' }).of(code) ?? code
  return lang === 'en' && WITH_ARTICLE.test(name) ? `the ${name}` : name
}

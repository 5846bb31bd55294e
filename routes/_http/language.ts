import type { Next } from 'hono'
import { getCookie } from 'hono/cookie'
import type { Brand } from '#domain/brands/brand.ts'
import { inBrand } from '#domain/brands/in-brand.ts'
import { type Catalogue, en, loadCatalogue } from '#locales/catalogue.ts'
import { preferredLang, toLang } from '#locales/languages.ts'
import { type AppContext, type FinderContext, varOf } from '#routes/_http/context.ts'
import { keepPreference } from '#routes/_http/cookies.ts'

const COOKIE = 'lang'
/** Each link repeats the query, and those of our pages are shorter. */
const LONGEST_QUERY = 200

/**
 * The texts of a page for people without an account: in the language that was chosen, by a button of
 * a form, by the query or before, or else in the browser's. The answer then says what it depends on.
 * Other pages never ask, and are English.
 */
export async function speak(c: FinderContext, byForm?: string): Promise<Catalogue> {
  const chosen = toLang(byForm) ?? toLang(c.req.query('lang'))
  if (chosen && chosen !== c.var.words?.lang) keepPreference(c, COOKIE, chosen, '/')
  const kept = () => (c.req.header('Cookie') ? toLang(getCookie(c, COOKIE)) : undefined)
  const spokenIn = chosen ?? kept() ?? preferredLang(c.req.header('Accept-Language'))
  const ownWords = await loadCatalogue(spokenIn)
  const words = nameWords(ownWords, varOf(c, 'brand'))
  const spoken = c as AppContext
  spoken.set('ownWords', ownWords)
  spoken.set('words', words)
  return words
}

/** For pages in several languages: whatever is wrong with a request is said in the browser's. */
export async function speakFirst(c: AppContext, next: Next): Promise<void> {
  await speak(c)
  await next()
}

/** What the links to other languages keep of the query: all but the language, as `qr=7K3M&`. */
export function keptQuery(c: FinderContext): string {
  const { lang: _, ...kept } = c.req.query()
  const query = String(new URLSearchParams(kept))
  return query && query.length <= LONGEST_QUERY ? `${query}&` : ''
}

/** The texts that the page speaks, English before it was asked. */
export function wordsOf(c: FinderContext): Catalogue {
  return varOf(c, 'words') ?? nameWords(en, varOf(c, 'brand'))
}

/** The texts with the name of the brand where the product's stands. */
export function nameWords(words: Catalogue, brand: Brand | undefined): Catalogue {
  return brand?.name ? inBrand(words, brand.name) : words
}

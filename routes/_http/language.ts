import type { Next } from 'hono'
import { getCookie } from 'hono/cookie'
import { inBrand } from '#domain/brands/in-brand.ts'
import { keepUpTo } from '#domain/kept.ts'
import { type Catalogue, en, loadCatalogue } from '#locales/catalogue.ts'
import { preferredLang, toLang } from '#locales/languages.ts'
import { type AppContext, type FinderContext, setVar, varOf } from '#routes/_http/context.ts'
import { keepPreference } from '#routes/_http/cookies.ts'

const COOKIE = 'lang'
/** Each link repeats the query, and those of our pages are shorter. */
const LONGEST_QUERY = 200

/**
 * Sets the language of a page for people without an account, from a form's button, the query or the
 * cookie, or else the browser. The answer then names its dependencies. Other pages are English.
 * Returns the texts.
 */
export async function setLocale(c: FinderContext, byForm?: string): Promise<Catalogue> {
  const chosen = toLang(byForm) ?? toLang(c.req.query('lang'))
  if (chosen && chosen !== c.var.words?.lang) keepPreference(c, COOKIE, chosen, '/')
  const kept = () => (c.req.header('Cookie') ? toLang(getCookie(c, COOKIE)) : undefined)
  const lang = chosen ?? kept() ?? preferredLang(c.req.header('Accept-Language'))
  setVar(c, 'words', await loadCatalogue(lang))
  return wordsOf(c)
}

/** Sets the language before the page, so that a refusal is in it too. */
export async function setLocaleFirst(c: AppContext, next: Next): Promise<void> {
  await setLocale(c)
  await next()
}

/** Returns the part of the query that links to other languages keep: all but the language, as `qr=7K3M&`. */
export function keptQuery(c: FinderContext): string {
  const { lang: _, ...kept } = c.req.query()
  const query = String(new URLSearchParams(kept))
  return query && query.length <= LONGEST_QUERY ? `${query}&` : ''
}

/** Naming the brand takes half as long as all the rest of a scan. */
const namedWords = keepUpTo<Catalogue>(256)

/** Returns the texts of the page with the name of its brand; English before its language was set. */
export function wordsOf(c: FinderContext, brand = varOf(c, 'brand')): Catalogue {
  const words = varOf(c, 'words') ?? en
  const name = brand?.name
  return name ? namedWords(`${words.lang} ${name}`, () => inBrand(words, name)) : words
}

import { type Catalogue, en } from '#domain/languages/en.ts'
import type { Lang } from '#domain/languages/languages.ts'

const files: Partial<Record<Lang, () => Catalogue | Promise<Catalogue>>> = {
  en: () => en,
  bn: async () => (await import('#domain/languages/bn.ts')).bn,
  mr: async () => (await import('#domain/languages/mr.ts')).mr,
  gu: async () => (await import('#domain/languages/gu.ts')).gu,
  hi: async () => (await import('#domain/languages/hi.ts')).hi,
}

const loaded: Partial<Record<Lang, Catalogue>> = {}

/** The texts of a language. Other languages than English are loaded when they are first asked for. */
export async function loadCatalogue(lang: Lang): Promise<Catalogue> {
  const words = loaded[lang] ?? (await files[lang]?.()) ?? en
  loaded[lang] = words
  return words
}

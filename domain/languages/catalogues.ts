import { type Catalogue, en } from '#domain/languages/en.ts'
import type { Lang } from '#domain/languages/languages.ts'

const files: Record<Lang, () => Catalogue | Promise<Catalogue>> = {
  en: () => en,
  hi: async () => (await import('#domain/languages/hi.ts')).hi,
  bn: async () => (await import('#domain/languages/bn.ts')).bn,
  te: async () => (await import('#domain/languages/te.ts')).te,
  mr: async () => (await import('#domain/languages/mr.ts')).mr,
  ta: async () => (await import('#domain/languages/ta.ts')).ta,
  gu: async () => (await import('#domain/languages/gu.ts')).gu,
  kn: async () => (await import('#domain/languages/kn.ts')).kn,
  ml: async () => (await import('#domain/languages/ml.ts')).ml,
  pa: async () => (await import('#domain/languages/pa.ts')).pa,
  ur: async () => (await import('#domain/languages/ur.ts')).ur,
}

const loaded: Partial<Record<Lang, Catalogue>> = {}

/** The texts of a language. Other languages than English are loaded when they are first asked for. */
export async function loadCatalogue(lang: Lang): Promise<Catalogue> {
  const words = loaded[lang] ?? (await files[lang]())
  loaded[lang] = words
  return words
}

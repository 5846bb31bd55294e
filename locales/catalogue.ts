import { type Compiled, compileTexts } from '#locales/compile.ts'
import finder from '#locales/en/finder.json' with { type: 'json' }
import refusals from '#locales/en/refusals.json' with { type: 'json' }
import type { Lang } from '#locales/languages.ts'
import type { Message } from '#locales/message.ts'
import type { Slots } from '#locales/slots.ts'

type Flat<Texts> = { [K in keyof Texts]: K extends keyof Slots ? Message<Slots[K]> : string }

/** `{ 'scan.title': … }` as `{ scan: { title: … } }` */
type Nested<Texts> = {
  [Name in First<keyof Texts>]: Name extends keyof Texts
    ? Texts[Name]
    : Nested<{ [K in keyof Texts as Rest<K, Name>]: Texts[K] }>
}
type First<K> = K extends `${infer Name}.${string}` ? Name : K & string
type Rest<K, Name extends string> = K extends `${Name}.${infer Others}` ? Others : never

export type EnglishRefusals = typeof refusals

/** All texts in one language for people without an account. */
export type Catalogue = Nested<Flat<typeof finder>> & {
  lang: Lang
  /** by their codes; in other languages only those that somebody without an account can get */
  refusals: Compiled
}
export type ScanTexts = Catalogue['scan']

type Files = { finder: Record<string, string>; refusals: Record<string, string> }

function compile(lang: Lang, { finder, refusals }: Files): Catalogue {
  const texts = nest(compileTexts(lang, finder))
  return { lang, ...texts, refusals: compileTexts(lang, refusals) } as unknown as Catalogue
}

type Tree = { [name: string]: Tree | Compiled[string] }

function nest(texts: Compiled): Tree {
  const tree: Tree = {}
  for (const [key, text] of Object.entries(texts)) {
    const path = key.split('.')
    const name = path.pop() ?? ''
    let branch = tree
    for (const step of path) {
      branch[step] ??= {}
      branch = branch[step] as Tree
    }
    branch[name] = text
  }
  return tree
}

export const en = compile('en', { finder, refusals })

const loaded: Partial<Record<Lang, Catalogue>> = { en }

/** Returns the texts of a language, and loads those of another language than English when first asked for. */
export async function loadCatalogue(lang: Lang): Promise<Catalogue> {
  const known = loaded[lang]
  if (known) return known
  const [finder, refusals] = await Promise.all([
    import(`./${lang}/finder.json`, { with: { type: 'json' } }),
    import(`./${lang}/refusals.json`, { with: { type: 'json' } }),
  ])
  const texts = compile(lang, { finder: finder.default, refusals: refusals.default })
  loaded[lang] = texts
  return texts
}

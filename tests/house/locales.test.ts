import { readFileSync } from 'node:fs'
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { LANGS } from '#locales/languages.ts'
import { compiledLocales } from '#scripts/_locales.ts'

const PARTS = ['finder', 'refusals']

type Texts = Record<string, string>

function read(lang: string, part: string): Texts {
  return JSON.parse(readFileSync(`locales/${lang}/${part}.json`, 'utf8'))
}

/** The slots of a text by their type, and the forms of its plurals. The parser wants `other` in a selection. */
function shapeOf(text: string): { slots: Record<string, string>; plurals: string[][] } {
  const slots: Record<string, string> = {}
  const plurals: string[][] = []
  const visit = (elements: MessageFormatElement[]) => {
    for (const element of elements) {
      if (element.type === TYPE.literal) continue
      if (element.type === TYPE.plural) {
        slots[element.value] = 'number'
        plurals.push(Object.keys(element.options))
        for (const { value } of Object.values(element.options)) visit(value)
      } else if (element.type === TYPE.select) {
        slots[element.value] ??= 'string | number'
        for (const { value } of Object.values(element.options)) visit(value)
      } else if (element.type === TYPE.argument) slots[element.value] ??= 'string | number'
      else throw new Error(`has something else than slots, plurals and selections: ${text}`)
    }
  }
  visit(parse(text, { ignoreTag: true }))
  return { slots, plurals }
}

/** Returns what differs from the English texts, as `hi/finder.json: key: problem`. */
function problemsOf(lang: string, part: string, texts: Texts, english: Texts): string[] {
  const categories = new Intl.PluralRules(lang).resolvedOptions().pluralCategories.sort()
  const problems = Object.keys({ ...english, ...texts }).flatMap((key) => {
    const [text, source] = [texts[key], english[key]]
    if (source === undefined) return [`${key}: is not in English`]
    if (text === undefined) return [`${key}: is missing`]
    const { slots, plurals } = shapeOf(text)
    const [own, others] = [slots, shapeOf(source).slots].map((each) => Object.keys(each).sort())
    return [
      ...(own?.join() === others?.join() ? [] : [`${key}: has other slots than “${source}”`]),
      ...plurals
        .filter((forms) => forms.sort().join() !== categories.join())
        .map((forms) => `${key}: has the plural forms ${forms}, not ${categories}`),
    ]
  })
  return problems.map((problem) => `${lang}/${part}.json: ${problem}`)
}

/** Returns the English texts that a language must have: of the refusals, those that any other language has. */
function sourceOf(part: string, lang: string): Texts {
  const english = read('en', part)
  if (lang === 'en' || part === 'finder') return english
  const others = LANGS.filter((each) => each !== 'en')
  const translated = new Set(others.flatMap((each) => Object.keys(read(each, part))))
  return Object.fromEntries(Object.entries(english).filter(([key]) => translated.has(key)))
}

describe.each(PARTS)('the texts of %s', (part) => {
  test.each(LANGS)(
    'are complete in %s, with the same slots and the plural forms of the language',
    (lang) => {
      expect(problemsOf(lang, part, read(lang, part), sourceOf(part, lang))).toEqual([])
    },
  )
})

test('a missing text, another slot and another plural form are found', () => {
  const english = {
    day: 'Until {day}',
    hours: '{n, plural, one {{n} hour} other {{n} hours}}',
    title: 'Found',
  }
  const texts = { day: '{date} तक', hours: '{n, plural, other {{n} घंटे}}', other: 'कुछ और' }
  expect(problemsOf('hi', 'finder', texts, english)).toEqual([
    'hi/finder.json: day: has other slots than “Until {day}”',
    'hi/finder.json: hours: has the plural forms other, not one,other',
    'hi/finder.json: title: is missing',
    'hi/finder.json: other: is not in English',
  ])
})

test('the types of the slots are those of the English texts', async () => {
  const lines = PARTS.flatMap((part) => Object.entries(read('en', part))).flatMap(([key, text]) => {
    const slots = Object.entries(shapeOf(text).slots).map(([name, type]) => `${name}: ${type}`)
    return slots.length > 0 ? [`  '${key}': { ${slots.join('; ')} }`] : []
  })
  const head = '/** Written from the English texts by `npx vitest run tests/house/locales -u`. */'
  const source = [head, 'export type Slots = {', ...lines, '}', ''].join('\n')
  await expect(source).toMatchFileSnapshot('../../locales/slots.ts')
})

test('the build compiles the texts, loads other languages later and leaves the parser out', async () => {
  const { outputFiles } = await build({
    bundle: true,
    charset: 'utf8',
    entryPoints: { catalogue: 'locales/catalogue.ts' },
    format: 'esm',
    outdir: 'dist',
    plugins: [compiledLocales],
    splitting: true,
    write: false,
  })
  const texts = outputFiles.map((file) => file.text)
  const all = texts.join()
  expect(all).toMatch(/\{ "?slot"?: "day" \}/)
  expect(all).not.toContain('EXPECT_PLURAL_ARGUMENT_SELECTOR')
  const [english, hindi] = ['Found these keys?', 'क्या आपको ये चाबियाँ मिली हैं?'].map((text) =>
    texts.filter((each) => each.includes(text)),
  )
  expect([english?.length, hindi?.length]).toEqual([1, 1])
  expect(english).not.toEqual(hindi)
})

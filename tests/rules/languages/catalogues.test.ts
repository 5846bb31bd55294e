import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Catalogue, en } from '#domain/languages/en.ts'
import { SCRIPTS } from '#tests/support/scripts.ts'

/** Words that are the same in every language. */
const SAME_EVERYWHERE = /^(?:WhatsApp|SMS|PIN|OTP|WhatsApp · SMS)$/
/** Names, and what is typed or pressed as it is written. */
const LATIN_WORDS =
  /\b(?:DriveQR|QR|WhatsApp|SMS|PIN|OTP|IND|JPEG|JPG|PNG|WebP|MB|DigiLocker|mParivahan|RC|PUC|ID)\b|\{\w+\}/g

/** The signs between sentences, and in them, that the language does not use. */
const DANDA_ALONE = /[۔،؛؟]|\.(?:\s|$)/u
const SIGNS_OF_OTHERS: Record<string, RegExp> = {
  hi: DANDA_ALONE,
  bn: DANDA_ALONE,
  pa: DANDA_ALONE,
  ur: /[।,;?]|\.(?:\s|$)/u,
}
const LATIN_SIGNS = /[।۔،؛؟]/u

/** Beside letters, digits, slots and the joiners of Indic scripts and of Urdu. */
const ODD_SIGN = /[^\p{L}\p{M}\d\s{}"“”‘’'.,:;!?…()/·&\-–।۔،؛؟]/u

type Texts = { [key: string]: string | Texts }

/** Every text by its path: `message.reasons.found`. */
function textsOf(texts: Texts, path = ''): [string, string][] {
  return Object.entries(texts).flatMap(([key, value]): [string, string][] => {
    const at = path ? `${path}.${key}` : key
    return typeof value === 'string' ? [[at, value]] : textsOf(value, at)
  })
}

function slotsOf(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([slot]) => slot).sort()
}

/** What is wrong with a catalogue, as `path: what`. */
function problemsOf(words: Catalogue): string[] {
  const { lang, ...texts } = words
  const { lang: _, ...source } = en
  const english = new Map(textsOf(source))
  const script = SCRIPTS[lang]
  return textsOf(texts).flatMap(([path, text]) => {
    const source = english.get(path) ?? ''
    const stranger = strangerIn(text, script)
    const problems = [
      text.trim() !== text || /\s\s/.test(text) ? 'has spaces too many' : '',
      text ? '' : 'is empty',
      slotsOf(text).join() === slotsOf(source).join() ? '' : `has other slots than “${source}”`,
      SAME_EVERYWHERE.test(source) || text !== source ? '' : 'is English',
      SAME_EVERYWHERE.test(source) || script.test(text) ? '' : 'is in another script',
      stranger ? `has a letter of another script: ${stranger}` : '',
      ODD_SIGN.test(text.replaceAll(/[\u200c\u200d]/g, '')) ? 'has an odd sign' : '',
      (SIGNS_OF_OTHERS[lang] ?? LATIN_SIGNS).test(text) ? 'has a sign of another script' : '',
      /\p{Nd}/u.test(text.replace(/\d/g, '')) ? 'has digits that are not 0 to 9' : '',
      text.endsWith(':') === source.endsWith(':') ? '' : 'ends with a colon, or lacks it',
    ]
    return problems.filter(Boolean).map((problem) => `${path}: ${problem} (${text})`)
  })
}

/** Letters of other scripts than the language's, but for names. */
function strangerIn(text: string, script: RegExp): string | undefined {
  const rest = text.replaceAll(LATIN_WORDS, '').match(/\p{L}/gu) ?? []
  return rest.find((letter) => !script.test(letter))
}

const files = globSync('domain/languages/??.ts').map((file) => basename(file, '.ts'))
const others = files.filter((lang) => lang !== 'en')

async function read(lang: string): Promise<Catalogue> {
  const module = (await import(`../../../domain/languages/${lang}.ts`)) as Record<string, Catalogue>
  return module[lang] as Catalogue
}

describe.each(others)('the texts in %s', async (lang) => {
  const words = await read(lang)

  test('say which language they are in', () => expect(words.lang).toBe(lang))

  test('are translations of the English ones, with the same slots', () => {
    expect(problemsOf(words)).toEqual([])
  })
})

test('a catalogue with mistakes is found out', () => {
  const words = structuredClone({ ...en, lang: 'hi' }) as Catalogue
  words.scan.lostOn = '{date} को खोने की सूचना'
  words.scan.call = ' '
  words.scan.trust = 'மாலிக் यह'
  words.scan.written = 'संदेश लिखा है.'
  const problems = problemsOf(words).map((problem) => problem.split(' (')[0])
  expect(problems).toEqual(
    expect.arrayContaining([
      'scan.found: is English',
      'scan.lostOn: has other slots than “Reported lost on {day}”',
      'scan.call: is in another script',
      'scan.trust: has a letter of another script: ம',
      'scan.written: has a sign of another script',
    ]),
  )
})

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { compileTexts } from '#locales/compile.ts'
import { LANGS, type Lang } from '#locales/languages.ts'
import type { Part } from '#locales/message.ts'
import { SCRIPTS } from '#tests/support/scripts.ts'

/** Words that are the same in every language. */
const SAME_EVERYWHERE = /^(?:WhatsApp|SMS|PIN|OTP|WhatsApp · SMS)$/
/** Names, and texts that are typed or pressed literally. */
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
const ODD_SIGN = /[^\p{L}\p{M}\d\s{}"“”‘’'.,:;!?…()/·&+\-–।۔،؛؟]/u

type Texts = Record<string, string>

/** Returns every text, and each form of those that follow a number as a text of its own. */
function read(lang: Lang): Texts {
  const [finder, refusals] = ['finder', 'refusals'].map((part) =>
    JSON.parse(readFileSync(`locales/${lang}/${part}.json`, 'utf8')),
  )
  const compiled = Object.entries(compileTexts(lang, { ...finder, ...refusals }))
  return Object.fromEntries(compiled.flatMap(([key, text]) => textsOf(key, text)))
}

function textsOf(key: string, text: string | Part[]): [string, string][] {
  if (typeof text === 'string') return [[key, text]]
  const forms = text.flatMap((part) =>
    typeof part === 'object' && 'forms' in part ? Object.entries(part.forms) : [],
  )
  if (forms.length > 0) return forms.flatMap(([form, parts]) => textsOf(`${key}, ${form}`, parts))
  return [[key, text.map((part) => (typeof part === 'string' ? part : `{${part.slot}}`)).join('')]]
}

const english = read('en')

/** Returns the mistakes in a translation, as `key: mistake`. */
function problemsOf(lang: Lang, texts: Texts): string[] {
  const script = SCRIPTS[lang]
  return Object.entries(texts).flatMap(([key, text]) => {
    const source = english[key] ?? key
    const stranger = strangerIn(text, script)
    const problems = [
      text.trim() !== text || /\s\s/.test(text) ? 'has spaces too many' : '',
      text ? '' : 'is empty',
      SAME_EVERYWHERE.test(source) || text !== source ? '' : 'is English',
      SAME_EVERYWHERE.test(source) || script.test(text) ? '' : 'is in another script',
      stranger ? `has a letter of another script: ${stranger}` : '',
      ODD_SIGN.test(text.replaceAll(/[\u200c\u200d]/g, '')) ? 'has an odd sign' : '',
      (SIGNS_OF_OTHERS[lang] ?? LATIN_SIGNS).test(text) ? 'has a sign of another script' : '',
      /\p{Nd}/u.test(text.replace(/\d/g, '')) ? 'has digits that are not 0 to 9' : '',
      text.endsWith(':') === source.endsWith(':') ? '' : 'ends with a colon, or lacks it',
    ]
    return problems.filter(Boolean).map((problem) => `${key}: ${problem} (${text})`)
  })
}

/** Letters of other scripts than the language's, but for names. */
function strangerIn(text: string, script: RegExp): string | undefined {
  const rest = text.replaceAll(LATIN_WORDS, '').match(/\p{L}/gu) ?? []
  return rest.find((letter) => !script.test(letter))
}

const others = LANGS.filter((lang) => lang !== 'en')

test.each(others)('the texts in %s are translations of the English ones', (lang) => {
  expect(problemsOf(lang, read(lang))).toEqual([])
})

test('a catalogue with mistakes is found out', () => {
  const texts = {
    'scan.things.keys.found': english['scan.things.keys.found'] ?? '',
    'scan.call': ' ',
    'scan.trust': 'மாலிக் यह',
    'scan.written': 'संदेश लिखा है.',
  }
  const problems = problemsOf('hi', texts).map((problem) => problem.split(' (')[0])
  expect(problems).toEqual(
    expect.arrayContaining([
      'scan.things.keys.found: is English',
      'scan.call: is in another script',
      'scan.trust: has a letter of another script: ம',
      'scan.written: has a sign of another script',
    ]),
  )
})

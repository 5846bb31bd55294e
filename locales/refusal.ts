import { type Catalogue, type EnglishRefusals, en } from '#locales/catalogue.ts'
import type { Compiled } from '#locales/compile.ts'
import { formatCountry, formatWait } from '#locales/format.ts'
import { format, type Values } from '#locales/message.ts'
import type { Slots } from '#locales/slots.ts'

/** The kind of the refusal, which sets the HTTP status, and a name: `not_found.qr_code`. */
export type RefusalCode = keyof EnglishRefusals
type Slotted = Extract<RefusalCode, keyof Slots>

/** A code, with values where its text has slots. `wait` is in seconds, `country` an ISO code. */
export type Refusal =
  | Exclude<RefusalCode, Slotted>
  | { [C in Slotted]: { code: C; values: Slots[C] } }[Slotted]

/** Texts by their codes. An island gets those of its own rules. */
export type RefusalTexts = Compiled

export function codeOf(refusal: Refusal): RefusalCode {
  return typeof refusal === 'string' ? refusal : refusal.code
}

export function valuesOf(refusal: Refusal): Values {
  return typeof refusal === 'string' ? {} : refusal.values
}

/** Returns what a form finds the field of a refusal by: the field that it names, or else its code. */
export function subjectOf(refusal: Refusal): string {
  return String(valuesOf(refusal).field ?? codeOf(refusal))
}

/** Returns the English sentence of a refusal, which the API answers to readers of every language. */
export function englishText(refusal: Refusal): string {
  // In a browser there are no English texts, and nobody reads it.
  return fill(en, en.refusals[codeOf(refusal)] ?? codeOf(refusal), refusal)
}

/** Returns a refusal in the language of the page. */
export function formatRefusal(words: Words, refusal: Refusal): string {
  return fill(words, textOf(words, refusal), refusal)
}

/** Returns a refusal in the language of the texts that an island has. */
export function refusalText(texts: RefusalTexts, refusal: Refusal): string {
  const text = texts[codeOf(refusal)] ?? codeOf(refusal)
  return typeof text === 'string' ? text : format(text, valuesOf(refusal))
}

/** Returns the texts of some codes in the language of the page, for an island. */
export function refusalTexts(words: Words, codes: readonly RefusalCode[]): RefusalTexts {
  return Object.fromEntries(codes.map((code) => [code, textOf(words, code as Refusal)]))
}

/** Returns the English texts of some codes, for an island. */
export function englishTexts(codes: readonly RefusalCode[]): RefusalTexts {
  return refusalTexts(en, codes)
}

type Words = Pick<Catalogue, 'lang' | 'page' | 'refusals' | 'otherwise'>

/** Returns the text of a refusal, or a general one if the language has none for it. */
function textOf({ refusals, otherwise }: Words, refusal: Refusal): Compiled[string] {
  const code = codeOf(refusal)
  const text = refusals[code]
  if (text) return text
  if ('wait' in valuesOf(refusal)) return [`${otherwise.tooMany} `, { slot: 'wait' }]
  if (code === 'invalid.too_long') return otherwise.tooLong
  return code.includes('image') ? otherwise.photo : otherwise.failed
}

function fill(
  words: Pick<Catalogue, 'lang' | 'page'>,
  text: Compiled[string],
  refusal: Refusal,
): string {
  if (typeof text === 'string') return text
  const values = valuesOf(refusal)
  const { wait, country } = values
  return format(text, values, {
    ...values,
    ...(wait && { wait: formatWait(words, Number(wait)) }),
    ...(country && { country: formatCountry(words.lang, String(country)) }),
  })
}

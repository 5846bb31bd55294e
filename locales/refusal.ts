import { type Compiled, compileTexts } from '#locales/compile.ts'
import texts from '#locales/en/refusals.json' with { type: 'json' }
import { format } from '#locales/message.ts'
import type { Slots } from '#locales/slots.ts'

/** The kind of the refusal, which sets the HTTP status, and a name: `not_found.qr_code`. */
export type RefusalCode = keyof typeof texts
type Slotted = Extract<RefusalCode, keyof Slots>

/** A code, with values where its text has slots. */
export type Refusal =
  | Exclude<RefusalCode, Slotted>
  | { [C in Slotted]: { code: C; values: Slots[C] } }[Slotted]

/** Texts by their codes. An island gets those of its own rules. */
export type RefusalTexts = Compiled

/** The build for browsers leaves them out. */
const english: RefusalTexts = /* @__PURE__ */ compileTexts('en', texts)

export function codeOf(refusal: Refusal): RefusalCode {
  return typeof refusal === 'string' ? refusal : refusal.code
}

/** Returns the English sentence of a refusal, which the API answers to readers of every language. */
export function englishText(refusal: Refusal): string {
  return refusalText(english, refusal)
}

/** Returns the sentence of a refusal; its code, if the texts have none for it. */
export function refusalText(texts: RefusalTexts, refusal: Refusal): string {
  const code = codeOf(refusal)
  const text = texts[code] ?? code
  if (typeof text === 'string') return text
  return format(text, typeof refusal === 'string' ? {} : refusal.values)
}

/** Returns the English texts of some codes, for an island. */
export function englishTexts(codes: readonly RefusalCode[]): RefusalTexts {
  return Object.fromEntries(codes.map((code) => [code, english[code] ?? code]))
}

import type { Refusal } from '#locales/refusal.ts'

/** The most UTF-16 units a field may hold, as `maxlength` in a form counts them. */
export const LENGTHS = { name: 120, message: 1000, notes: 2000, other: 200 } as const

/**
 * Control characters, lone surrogates, direction marks and other invisible characters, which can
 * make a text look like another one. Not included: the joiners used in Indic scripts and emoji, and
 * the Arabic signs around numbers.
 */
const HIDDEN =
  '[\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\u115f\\u1160\\u3164\\uffa0]|(?![\\u200c\\u200d\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2])\\p{Cf}'
/** The flags of England, Scotland and Wales, which are made of hidden characters. */
const FLAG = '\\u{1f3f4}[\\u{e0061}-\\u{e007a}]+\\u{e007f}'
const FLAG_OR_HIDDEN = new RegExp(`(${FLAG})|${HIDDEN}`, 'gu')
/** Printable ASCII, in which nothing is hidden. Most texts are, and tables have hundreds of thousands. */
const PLAIN = /^[ -~]*$/
const LINE_END = /\r\n?|[\v\f\u0085\u2028\u2029]/g

/** Returns the text without hidden characters, including line ends and tabs. */
export function withoutHidden(text: string): string {
  return text.replace(FLAG_OR_HIDDEN, '$1')
}

/**
 * Returns a text of several lines as it is stored: trimmed, without hidden characters, line ends as
 * `\n` (a form sends `\r\n`), and letters spelt one way, so that a search finds what another
 * keyboard wrote. Null when nothing visible is left or the value is no string.
 */
export function cleanText(value: unknown): string | null {
  if (typeof value !== 'string') return null
  if (PLAIN.test(value)) return value.trim() || null
  const parts = value
    .normalize()
    .replace(LINE_END, '\n')
    .split(/([\n\t])/)
  const text = parts
    .map((part, i) => (i % 2 ? part : withoutHidden(part)))
    .join('')
    .trim()
  return /[^\s\p{Cf}\p{M}\u2800]/u.test(text) ? text : null
}

/** Returns a text of one line as it is stored, like `cleanText`. */
export function cleanLine(value: unknown): string | null {
  return cleanText(value)?.replace(/[\n\t]+/g, ' ') ?? null
}

/** The blocks of Latin letters with marks. */
const MARKED = /[\u00c0-\u024f\u1e00-\u1eff]/
const LAST_MARKED = 0x1eff
let plainLetters: Uint16Array | undefined
/** Ten times as fast as `String.fromCharCode` for a long text. */
const DECODER = new TextDecoder('utf-16le', { ignoreBOM: true })

/** Maps each letter up to the last marked one to itself, or to the letter under its marks. */
function findPlainLetters(): Uint16Array {
  return new Uint16Array(LAST_MARKED + 1).map((_, code) => {
    const letter = String.fromCharCode(code)
    const plain = MARKED.test(letter) ? letter.normalize('NFD').charCodeAt(0) : code
    return /[a-z]/i.test(String.fromCharCode(plain)) ? plain : code
  })
}

/**
 * Returns a text of a field, spelt as it is stored, without the marks of its Latin letters: `José` becomes `Jose`.
 * A search calls this for all names of an account, so it looks letters up: `normalize` takes five times as long.
 */
export function withoutMarks(text: string): string {
  if (!MARKED.test(text)) return text
  plainLetters ??= findPlainLetters()
  const codes = new Uint16Array(text.length)
  for (let n = 0; n < text.length; n++) {
    const code = text.charCodeAt(n)
    codes[n] = plainLetters[code] ?? code
  }
  return DECODER.decode(codes)
}

/**
 * Returns a user's name for a mail to another person: in quotes that it cannot close, with spaces
 * where a mail program would see a link. `Dr.Rao` becomes `Dr. Rao`.
 */
export function quotedName(name: string): string {
  const unlinked = (cleanLine(name) ?? '')
    .replace(/["“”„‟«»]/g, "'")
    .replace(/([.:\u2024\u3002\ufe52\uff0e\uff1a\uff61])(?=[^\s\p{P}]|\/)/gu, '$1 ')
    .replace(/\s*@\s*/g, ' @ ')
  return `“${unlinked}”`
}

/**
 * Returns a stranger's text for a mail to another person: with spaces where a mail program would
 * make a link. Numbers and times stay as they are.
 */
export function unlinked(text: string): string {
  return text
    .replace(/([.\u2024\u3002\ufe52\uff0e\uff61])(?=[\u200c\u200d]*\p{L})/gu, '$1 ')
    .replace(/([:\uff1a])(?=\/)/gu, '$1 ')
    .replace(/\s*@\s*/g, ' @ ')
}

/** Returns the refusal of a text that is too long for its field. */
export function lengthProblem(
  field: string,
  value: string | null | undefined,
  most: number,
): Refusal | undefined {
  if (!value || value.length <= most) return undefined
  return { code: 'invalid.too_long', values: { field, most } }
}

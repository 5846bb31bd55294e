import type { ScanWords } from '#domain/languages/en.ts'

/** What the links of a language say, encoded once: the greeting before and after the code, and the subject. */
type LinkTexts = { before: string; after: string; subject: string }
const encoded = new WeakMap<ScanWords, LinkTexts>()

export function linkTextsOf(words: ScanWords): LinkTexts {
  const known = encoded.get(words)
  if (known) return known
  const [before = '', after = ''] = words.greeting.split('{code}').map(encodeSigns)
  const made = { before, after, subject: encodeSigns(words.subject) }
  encoded.set(words, made)
  return made
}

/** Browsers encode letters themselves, and encoded Hindi is a seventh of its page. */
function encodeSigns(text: string): string {
  return encodeURIComponent(text).replace(/(?:%[89A-F][0-9A-F])+/g, decodeURIComponent)
}

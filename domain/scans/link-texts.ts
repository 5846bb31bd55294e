import type { Thing } from '#domain/codes/visibility.ts'
import type { ScanTexts } from '#locales/catalogue.ts'
import { format } from '#locales/message.ts'

/** Marks the place of the code in the greeting. */
const SLOT = '\0'

/** The texts in the links about a thing, encoded once: the greeting before and after the code, and the subject. */
type LinkTexts = { before: string; after: string; subject: string }
type ThingTexts = ScanTexts['things'][Thing]
const encoded = new WeakMap<ThingTexts, LinkTexts>()

export function linkTextsOf(words: ThingTexts): LinkTexts {
  const known = encoded.get(words)
  if (known) return known
  const [before = '', after = ''] = format(words.greeting, { code: SLOT })
    .split(SLOT)
    .map(encodeSigns)
  const made = { before, after, subject: encodeSigns(words.subject) }
  encoded.set(words, made)
  return made
}

/** Browsers encode letters themselves, and encoded Hindi is a seventh of its page. */
function encodeSigns(text: string): string {
  return encodeURIComponent(text).replace(/(?:%[89A-F][0-9A-F])+/g, decodeURIComponent)
}

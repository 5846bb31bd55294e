import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import type { Part } from '#locales/message.ts'

type Texts = Record<string, string>
export type Compiled = Record<string, string | Part[]>

/**
 * Parses the texts that have slots; the others stay strings. The build does this, so that the built
 * programs neither parse nor contain the parser (`scripts/_locales.ts`). Throws an error for numbers,
 * dates and tags, which the product does not format.
 */
export function compileTexts(lang: string, texts: Texts): Compiled {
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [
      key,
      text.includes('{') ? toParts(lang, parse(text, { ignoreTag: true })) : text,
    ]),
  )
}

function toParts(lang: string, elements: MessageFormatElement[]): Part[] {
  return elements.map((element) => {
    if (element.type === TYPE.literal) return element.value
    if (element.type === TYPE.argument) return { slot: element.value }
    const isPlural = element.type === TYPE.plural
    if (!isPlural && element.type !== TYPE.select) {
      throw new Error(`Not supported in a text: ${element.type}`)
    }
    const forms = Object.entries(element.options).map(([form, { value }]) => [
      form,
      toParts(lang, value),
    ])
    const parts = { slot: element.value, forms: Object.fromEntries(forms) }
    return isPlural ? { ...parts, lang } : parts
  })
}

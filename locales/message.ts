export type Values = Record<string, string | number>

/** Literal text, a slot, or the forms of a text that follow a number. */
export type Part =
  | string
  | { slot: string }
  | { slot: string; lang: string; forms: Record<string, Part[]> }

/** A compiled text with slots for these values. A text without slots is a plain string. */
export type Message<V = Values> = readonly Part[] & { readonly slots?: V }

const pluralRules = new Map<string, Intl.PluralRules>()

/** Returns the text with its slots filled. */
export function format<V extends Values>(message: Message<V>, values: V): string {
  return message.map((part) => formatPart(part, values)).join('')
}

function formatPart(part: Part, values: Values): string {
  if (typeof part === 'string') return part
  const value = values[part.slot]
  if (!('forms' in part)) return String(value)
  const { lang, forms } = part
  const rules = pluralRules.get(lang) ?? new Intl.PluralRules(lang)
  pluralRules.set(lang, rules)
  return format(forms[rules.select(Number(value))] ?? [], values)
}

/** Returns the message with its literal text replaced; plural forms stay as they are. */
export function mapText<V>(message: Message<V>, change: (text: string) => string): Message<V> {
  return message.map((part) => (typeof part === 'string' ? change(part) : part))
}

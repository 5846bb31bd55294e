export type Values = Record<string, string | number>

/** Literal text, a slot, or the forms of a text that follow a number in a language, or else a value itself. */
export type Part =
  | string
  | { slot: string }
  | { slot: string; lang?: string; forms: Record<string, Part[]> }

/** A compiled text with slots for these values. A text without slots is a plain string. */
export type Message<V = Values> = readonly Part[] & { readonly slots?: V }

const pluralRules = new Map<string, Intl.PluralRules>()

/** Returns the text with its slots filled with the `shown` values. Its forms follow the others. */
export function format<V extends Values>(
  message: Message<V>,
  values: V,
  shown: Values = values,
): string {
  return message.map((part) => formatPart(part, values, shown)).join('')
}

function formatPart(part: Part, values: Values, shown: Values): string {
  if (typeof part === 'string') return part
  if (!('forms' in part)) return String(shown[part.slot])
  const { slot, forms } = part
  const form = formOf(part.lang, values[slot])
  return format(forms[form] ?? forms.other ?? [], values, shown)
}

function formOf(lang: string | undefined, value: Values[string] | undefined): string {
  if (lang === undefined) return String(value)
  const rules = pluralRules.get(lang) ?? new Intl.PluralRules(lang)
  pluralRules.set(lang, rules)
  return rules.select(Number(value))
}

/** Returns the message with its literal text replaced; plural forms stay as they are. */
export function mapText<V>(message: Message<V>, change: (text: string) => string): Message<V> {
  return message.map((part) => (typeof part === 'string' ? change(part) : part))
}

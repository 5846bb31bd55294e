import { type PageHead, packHead } from '#routes/_http/gzip.ts'

/** A page in two parts: up to its first fact it is the same for all of its shape. */
export type FilledPage = { head: PageHead; rest: string }
type Template = { head: PageHead; places: string[] }

/** Marks where a fact goes; control characters are in no page of ours and survive escaping. */
const PLACE = '\u0001'
const MOST_SHAPES = 256
const ENTITIES: Record<string, string> = {
  '"': '&quot;',
  '&': '&amp;',
  "'": '&#x27;',
  '<': '&lt;',
  '>': '&gt;',
}

/**
 * Renders once for each shape of `value` (which texts it has, and everything in it that is no
 * text), and from then on only fills the texts in, escaped as React escapes them: a tenth of the
 * work. It holds only for a `render` that places texts as they are: one that looks into a text
 * or changes it must get it ready-made.
 */
export function renderByShape<T>(render: (value: T) => string): (value: T) => FilledPage {
  const templates = new Map<string, Template>()
  return (value) => {
    const facts: string[] = []
    const shape = describe(value, facts)
    let template = templates.get(shape)
    if (!template) {
      if (templates.size >= MOST_SHAPES) templates.clear()
      template = toTemplate(render(open(value)))
      templates.set(shape, template)
    }
    const { head, places } = template
    let rest = ''
    for (let i = 0; i < places.length; i += 2) {
      rest += escapeText(facts[Number(places[i])] ?? '') + places[i + 1]
    }
    return { head, rest }
  }
}

function toTemplate(rendered: string): Template {
  const [head = '', ...places] = rendered.split(PLACE)
  return { head: packHead(head), places }
}

/** What two values have in common that differ in their texts alone; the texts go to `facts`. */
function describe(value: unknown, facts: string[]): string {
  if (typeof value === 'string' && value !== '') {
    facts.push(value)
    return 's'
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'u'
  let shape = '{'
  for (const key in value) shape += `${key}:${describe((value as never)[key], facts)},`
  return `${shape}}`
}

/** The value with a numbered place instead of each text, in the order in which `describe` sees them. */
function open<T>(value: T): T {
  let places = 0
  const copy = (part: unknown): unknown => {
    if (typeof part === 'string' && part !== '') return `${PLACE}${places++}${PLACE}`
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, copy(each)]))
  }
  return copy(value) as T
}

function escapeText(text: string): string {
  return /["&'<>]/.test(text) ? text.replace(/["&'<>]/g, (c) => ENTITIES[c] ?? c) : text
}

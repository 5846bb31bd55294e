import { type FilledPage, makeTemplate, type PageTemplate } from '#routes/_http/gzip.ts'

/** Marks the place of a text. No page contains this control character, and escaping keeps it. */
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
 * Renders once for each shape of `value`: which texts it has, and all its other values. After that
 * it only fills in the texts, escaped as React escapes them, which is a tenth of the work. `render`
 * must output texts unchanged and must not depend on their content. It may depend on what `nameOf`
 * tells apart, such as the language.
 */
export function renderByShape<T, By>(
  render: (value: T, by: By) => string,
  nameOf: (by: By) => string,
): (value: T, by: By) => FilledPage {
  const templates = new Map<string, PageTemplate>()
  return (value, by) => {
    const texts: string[] = []
    const shape = nameOf(by) + describe(value, texts)
    let template = templates.get(shape)
    if (!template) {
      if (templates.size >= MOST_SHAPES) templates.clear()
      template = toTemplate(render(open(value), by))
      templates.set(shape, template)
    }
    return { template, texts: texts.map(escapeText) }
  }
}

function toTemplate(rendered: string): PageTemplate {
  const [head = '', ...places] = rendered.split(PLACE)
  const pieces = places.filter((_, i) => i % 2 === 1)
  const texts = places.filter((_, i) => i % 2 === 0).map(Number)
  return makeTemplate(head, pieces, texts)
}

/** The shape of a value, equal for values that differ only in texts. The texts go to `texts`. */
function describe(value: unknown, texts: string[]): string {
  if (typeof value === 'string' && value !== '') {
    texts.push(value)
    return 's'
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'u'
  let shape = '{'
  for (const key in value) shape += `${key}:${describe((value as never)[key], texts)},`
  return `${shape}}`
}

/** The value with a numbered place for each text, in the order of `describe`. */
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

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
  let shapes = new Shape()
  let known = 0
  return (value, by) => {
    if (known >= MOST_SHAPES) {
      shapes = new Shape()
      known = 0
    }
    const texts: string[] = []
    const shape = describe(value, texts, shapes.after(nameOf(by)))
    if (!shape.template) {
      shape.template = toTemplate(render(open(value), by))
      known++
    }
    return { template: shape.template, texts: texts.map(escapeText) }
  }
}

/** A step in a tree of shapes, which is quicker to follow than a text of the shape is to build. */
class Shape {
  template: PageTemplate | undefined
  readonly #next = new Map<unknown, Shape>()

  after(step: unknown): Shape {
    const known = this.#next.get(step)
    if (known) return known
    const made = new Shape()
    this.#next.set(step, made)
    return made
  }
}

function toTemplate(rendered: string): PageTemplate {
  const [head = '', ...places] = rendered.split(PLACE)
  const pieces = places.filter((_, i) => i % 2 === 1)
  const texts = places.filter((_, i) => i % 2 === 0).map(Number)
  return makeTemplate(head, pieces, texts)
}

/** Values that differ only in texts lead from a shape to the same one. The texts go to `texts`. */
function describe(value: unknown, texts: string[], before: Shape): Shape {
  if (typeof value === 'string' && value !== '') {
    texts.push(value)
    return before.after(PLACE)
  }
  if (typeof value !== 'object' || value === null) return before.after(value)
  let shape = before.after('{')
  for (const key in value) shape = describe((value as never)[key], texts, shape.after(key))
  return shape.after('}')
}

/** The value with a numbered place for each text, in the order of `describe`. */
function open<T>(value: T): T {
  let places = 0
  const copy = (part: unknown): unknown => {
    if (typeof part === 'string' && part !== '') return `${PLACE}${places++}${PLACE}`
    if (typeof part !== 'object' || part === null) return part
    if (Array.isArray(part)) return part.map(copy)
    return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, copy(each)]))
  }
  return copy(value) as T
}

function escapeText(text: string): string {
  return /["&'<>]/.test(text) ? text.replace(/["&'<>]/g, (c) => ENTITIES[c] ?? c) : text
}

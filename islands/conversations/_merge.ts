import { ISLAND, renewProps } from '#islands/_refresh.ts'

/**
 * Makes an element equal to the server's by changing only the differences: elements that stay keep
 * their focus, their typed text and their loaded pictures. Children are matched by their id, or by
 * their order. An island draws itself.
 */
export function merge(old: Element, fresh: Element): void {
  if (old.isEqualNode(fresh)) return
  if (old.matches(ISLAND)) {
    renewProps(old, fresh)
    return
  }
  mergeAttributes(old, fresh)
  const left = new Set(old.childNodes)
  let place = old.firstChild
  for (const next of [...fresh.childNodes]) {
    const twin = [...left].find((each) => isTwin(each, next))
    if (twin) {
      left.delete(twin)
      if (twin instanceof Element) merge(twin, next as Element)
      else twin.nodeValue = next.nodeValue
    }
    const shown = twin ?? document.adoptNode(next)
    if (shown === place) place = place.nextSibling
    else old.insertBefore(shown, place)
  }
  for (const gone of left) gone.remove()
}

function isTwin(old: Node, fresh: Node): boolean {
  if (old.nodeName !== fresh.nodeName) return false
  return !(old instanceof Element && fresh instanceof Element) || old.id === fresh.id
}

/** Keeps the notes of scripts in data attributes. */
function mergeAttributes(old: Element, fresh: Element): void {
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !name.startsWith('data-')) old.removeAttribute(name)
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value)
  }
}

type Heard = 'click' | 'submit' | 'change' | 'input' | 'keydown'

/**
 * Listens on the whole page for what happens to elements of a kind, so that elements that are
 * swapped in later are heard too. A click that is meant for a new tab is left alone.
 */
export function listen<E extends HTMLElement>(
  type: Heard,
  selector: string,
  act: (element: E, event: Event) => void,
): void {
  document.addEventListener(type, (event) => {
    const element = (event.target as Element).closest<E>(selector)
    if (!element || event.defaultPrevented) return
    if (event instanceof MouseEvent && isForNewTab(event)) return
    act(element, event)
  })
}

function isForNewTab({ button, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  return button !== 0 || ctrlKey || metaKey || shiftKey
}

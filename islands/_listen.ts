type Heard = 'click' | 'submit' | 'change' | 'input' | 'keydown'

/**
 * Listens on the whole page for events of a kind of element, so that elements that are swapped in
 * later are covered too. A click that opens a new tab is left alone.
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

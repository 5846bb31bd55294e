import { useEffect } from 'react'

/** A choice that narrows a list, for which whoever has no script presses a button. */
export const SUBMIT_ON_CHANGE = '[data-action="submit-on-change"]'

/**
 * Listens on the whole page for what happens to elements of a kind, so that those are heard too
 * that are swapped in later. A click that is meant for a new tab is left alone.
 */
export function useDelegated<E extends HTMLElement>(
  type: 'click' | 'submit' | 'change',
  selector: string,
  act: (element: E, event: Event) => void,
): void {
  useEffect(() => {
    function hear(event: Event) {
      const element = (event.target as Element).closest<E>(selector)
      if (!element || (event instanceof MouseEvent && isForNewTab(event))) return
      act(element, event)
    }
    document.addEventListener(type, hear)
    return () => document.removeEventListener(type, hear)
  })
}

function isForNewTab({ button, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  return button !== 0 || ctrlKey || metaKey || shiftKey
}

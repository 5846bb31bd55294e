import { useEffect } from 'react'

const OPEN_MENU = 'details.menu[open]'

/** Closes a menu when its work is done: something was chosen, or somebody looks elsewhere. */
export function QrMenus() {
  useEffect(() => {
    function close(menu: HTMLDetailsElement) {
      // What is in the menu disappears with it; the focus must not.
      if (menu.contains(document.activeElement)) menu.querySelector('summary')?.focus()
      menu.open = false
    }
    function openMenus() {
      return [...document.querySelectorAll<HTMLDetailsElement>(OPEN_MENU)]
    }
    function onClick({ target }: MouseEvent) {
      for (const menu of openMenus()) {
        if (!menu.querySelector('summary')?.contains(target as Node)) close(menu)
      }
    }
    function onKeyDown({ key }: KeyboardEvent) {
      if (key === 'Escape') openMenus().forEach(close)
    }
    document.addEventListener('click', onClick, true)
    document.addEventListener('keydown', onKeyDown)
    return () => {
      document.removeEventListener('click', onClick, true)
      document.removeEventListener('keydown', onKeyDown)
    }
  }, [])
  return null
}

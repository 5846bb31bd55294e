const OPEN_MENU = 'details.menu[open]'

/**
 * Closes a menu after a choice, a click outside of it or Escape, and when the focus leaves it. Scrolls
 * to one that opens.
 */
export function watchMenus(): void {
  document.addEventListener('click', closeOthers, true)
  // It does not bubble.
  document.addEventListener('toggle', show, true)
  document.addEventListener('focusin', closeLeft)
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') openMenus().forEach(close)
  })
}

function closeOthers({ target }: MouseEvent): void {
  const clicked = target as Element
  for (const menu of openMenus()) {
    // A field of a menu is not its choice.
    const isIn = menu.contains(clicked) && clicked.closest('summary, select')
    if (!isIn) close(menu)
  }
}

/**
 * Closes a menu that the focus has left, because it would lie over the next focused element. A
 * press beside its control keeps the focus there. A press elsewhere closes it with its click:
 * earlier, the page would move under the pointer.
 */
function closeLeft({ target }: FocusEvent): void {
  const focused = target as Element
  if (!focused.matches(':focus-visible')) return
  for (const menu of openMenus()) {
    if (!menu.contains(focused) && !focused.contains(menu)) menu.open = false
  }
}

/** A menu opens downwards, where the page can grow for it. */
function show({ target }: Event): void {
  if (target instanceof Element && target.matches(OPEN_MENU)) {
    target.querySelector('.menu-list')?.scrollIntoView({ block: 'nearest' })
  }
}

function close(menu: HTMLDetailsElement): void {
  // The menu's items disappear with it; the focus must not.
  if (menu.contains(document.activeElement)) menu.querySelector('summary')?.focus()
  menu.open = false
}

function openMenus(): HTMLDetailsElement[] {
  return [...document.querySelectorAll<HTMLDetailsElement>(OPEN_MENU)]
}

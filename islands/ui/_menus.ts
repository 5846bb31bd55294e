const OPEN_MENU = 'details.menu[open]'
/** Pixels between a menu's control, its list and the edge of the screen. */
const GAP = 6
/** Four entries: lower than that, a list is no longer read. */
const LEAST_HEIGHT = 192

/**
 * Closes a menu after a choice, a click outside of it or Escape, and when the focus leaves it. Fits
 * one that opens to the screen.
 */
export function watchMenus(): void {
  document.addEventListener('click', closeOthers, true)
  // It does not bubble.
  document.addEventListener('toggle', fit, true)
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

/**
 * Opens a menu where it has room: below its control, else above it, and as high as that side. The page
 * does not scroll, so that no entry comes under the finger that has opened it.
 */
function fit({ target }: Event): void {
  if (!(target instanceof Element) || !target.matches(OPEN_MENU)) return
  const list = target.querySelector<HTMLElement>('.menu-list')
  const around = list?.offsetParent?.getBoundingClientRect()
  if (!list || !around) return
  const bar = document.querySelector('.topbar')?.getBoundingClientRect().bottom ?? 0
  const below = innerHeight - around.bottom - 2 * GAP
  const above = around.top - Math.max(bar, 0) - 2 * GAP
  const isUp = list.scrollHeight > below && above > Math.max(below, LEAST_HEIGHT)
  list.classList.toggle('menu-up', isUp)
  list.style.maxBlockSize = `${Math.max(isUp ? above : below, LEAST_HEIGHT)}px`
}

function close(menu: HTMLDetailsElement): void {
  // The menu's items disappear with it; the focus must not.
  if (menu.contains(document.activeElement)) menu.querySelector('summary')?.focus()
  menu.open = false
}

function openMenus(): HTMLDetailsElement[] {
  return [...document.querySelectorAll<HTMLDetailsElement>(OPEN_MENU)]
}

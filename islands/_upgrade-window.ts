import { upgradeHref } from '#domain/dashboard.ts'
import { reloadList } from '#islands/_dialog.ts'
import { swapIn } from '#islands/_refresh.ts'
import { showToast } from '#islands/_toast.ts'

const SLOT = 'upgrade'
const RELOAD_MS = 2000

let opener: Element | null = null

/** Opens the Upgrade dialog over the page, and over a form whose values it leaves as they are. */
export async function openUpgrade(why?: 'limit'): Promise<void> {
  opener = document.activeElement
  await showUpgrade(upgradeHref(why))
}

/** Shows the dialog as the server has it now. */
export async function showUpgrade(href = upgradeHref()): Promise<void> {
  await swapIn(SLOT, `${href}&part=dialog`).catch(() =>
    showToast('Failed to load subscription plans', 'error'),
  )
}

export function closeUpgrade(): void {
  const slot = document.getElementById(SLOT)
  slot?.querySelector('dialog')?.close()
  slot?.replaceChildren()
  if (opener instanceof HTMLElement) opener.focus()
  const query = new URLSearchParams(location.search)
  query.delete('upgrade')
  history.replaceState(null, '', `${location.pathname}?${query}`)
}

/**
 * With its new plan the whole page is another one; it comes when the toast has been read. A form
 * that is still open keeps what was typed in it.
 */
export function showNewPlan(): void {
  closeUpgrade()
  if (document.querySelector('#dialog dialog')) reloadList()
  else setTimeout(() => location.reload(), RELOAD_MS)
}

import { upgradeHref } from '#domain/dashboard.ts'
import { closeDialog, openDialog, reloadList } from '#islands/_dialog.ts'
import { renewIsland } from '#islands/_refresh.ts'
import { showToast } from '#islands/_toast.ts'

const SLOT = 'upgrade'
const RELOAD_MS = 2000

/** Opens the Upgrade dialog over the page, and over a form whose values it leaves as they are. */
export async function openUpgrade(why?: 'limit'): Promise<void> {
  await openDialog(upgradeHref(why), SLOT).catch(sayFailure)
}

/** Shows in the open dialog what the server has made of it; what is typed and chosen in it stays. */
export async function renewUpgrade(): Promise<void> {
  await renewIsland(SLOT, dialogOf(upgradeHref())).catch(sayFailure)
  const dialog = document.querySelector(`#${SLOT} dialog`)
  // The button that was pressed may have gone with its form.
  if (!dialog?.contains(document.activeElement)) dialog?.querySelector('h2')?.focus()
}

const dialogOf = (href: string) => `${href}&part=dialog`
const sayFailure = () => showToast('Failed to load subscription plans', 'error')

export const closeUpgrade = () => closeDialog(SLOT)

/**
 * With its new plan the whole page is another one; it comes when the toast has been read. A form
 * that is still open keeps what was typed in it.
 */
export function showNewPlan(): void {
  closeUpgrade()
  if (document.querySelector('#dialog dialog')) reloadList()
  else setTimeout(() => location.reload(), RELOAD_MS)
}

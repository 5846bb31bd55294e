import { isGone } from '#islands/_api.ts'
import { useDelegated } from '#islands/_delegate.ts'
import { openDialog, showChange } from '#islands/_dialog.ts'
import { showToast } from '#islands/_toast.ts'
import { openUpgrade } from '#islands/_upgrade-window.ts'

/** Opens the dialogs that links lead to over the page where somebody is. */
export function QrDialogs() {
  useDelegated<HTMLAnchorElement>('click', 'a[data-dialog]', async (link, event) => {
    event.preventDefault()
    link.setAttribute('aria-busy', 'true')
    const opening = link.dataset.dialog === 'upgrade' ? openUpgrade() : openDialog(link.href)
    await opening.catch((error) =>
      isGone(error)
        ? showChange(link.dataset.gone ?? 'QR code not found', '', 'error')
        : showToast('This could not be opened. Check your connection and try again.', 'error'),
    )
    link.removeAttribute('aria-busy')
  })
  return null
}

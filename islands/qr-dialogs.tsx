import { isGone } from '#islands/_api.ts'
import { actOnce } from '#islands/_busy.ts'
import { useDelegated } from '#islands/_delegate.ts'
import { openDialog, showChange } from '#islands/_dialog.ts'
import { showToast } from '#islands/_toast.ts'
import { openUpgrade } from '#islands/_upgrade-window.ts'

/** Opens the dialogs that links lead to over the page where somebody is. */
export function QrDialogs() {
  useDelegated<HTMLAnchorElement>('click', 'a[data-dialog]', (link, event) => {
    event.preventDefault()
    // A second answer would take the place of a dialog in which somebody types already.
    actOnce(link, () => open(link))
  })
  return null
}

async function open({ dataset, href }: HTMLAnchorElement): Promise<void> {
  const opening = dataset.dialog === 'upgrade' ? openUpgrade() : openDialog(href)
  await opening.catch((error) =>
    isGone(error)
      ? showChange(dataset.gone ?? 'QR code not found', '', 'error')
      : showToast('This could not be opened. Check your connection and try again.', 'error'),
  )
}

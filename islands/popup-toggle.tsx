import { callApi, isGone } from '#islands/_api.ts'
import { useDelegated } from '#islands/_delegate.ts'
import { showChange } from '#islands/_dialog.ts'
import { showToast } from '#islands/_toast.ts'

const FAILED = 'Failed to toggle image status'

/** Shows an image to finders or hides it, where it stands. */
export function PopupToggle() {
  useDelegated<HTMLFormElement>('submit', '[data-action="toggle-image"]', async (form, event) => {
    event.preventDefault()
    const button = form.querySelector('button') as HTMLButtonElement
    button.disabled = true
    const path = `/popup-images/${form.dataset.id}/toggle`
    await callApi<{ is_active: boolean }>('PUT', path, {}).then(
      ({ is_active }) => showChange(`Image ${is_active ? '' : 'de'}activated!`, button.id),
      (error) => {
        button.disabled = false
        return isGone(error) ? showChange(FAILED, '', 'error') : showToast(FAILED, 'error')
      },
    )
  })
  return null
}

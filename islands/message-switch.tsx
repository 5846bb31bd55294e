import { MESSAGE_TEXTS } from '#domain/admin-message.ts'
import { callApi, isGone } from '#islands/_api.ts'
import { useDelegated } from '#islands/_delegate.ts'
import { showChange } from '#islands/_dialog.ts'
import { showToast } from '#islands/_toast.ts'

const FAILED = 'Failed to update message'

/** Shows a message to finders or hides it, where it stands. */
export function MessageSwitch() {
  useDelegated<HTMLFormElement>('submit', '[data-action="toggle-message"]', async (form, event) => {
    event.preventDefault()
    const button = form.querySelector('button') as HTMLButtonElement
    button.disabled = true
    const path = `/admin/messages/${form.dataset.id}/toggle`
    await callApi<{ is_active: boolean }>('PUT', path, {}).then(
      ({ is_active }) =>
        showChange(is_active ? MESSAGE_TEXTS.shown : MESSAGE_TEXTS.hidden, button.id),
      (error) => {
        button.disabled = false
        return isGone(error) ? showChange(FAILED, '', 'error') : showToast(FAILED, 'error')
      },
    )
  })
  return null
}

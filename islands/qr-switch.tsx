import { callApi, isGone } from '#islands/_api.ts'
import { actOnce } from '#islands/_busy.ts'
import { useDelegated } from '#islands/_delegate.ts'
import { showChange } from '#islands/_dialog.ts'
import { showToast } from '#islands/_toast.ts'

/** Activates and deactivates a code where it stands. */
export function QrSwitch() {
  useDelegated<HTMLFormElement>('submit', '[data-action="switch"]', (form, event) => {
    event.preventDefault()
    actOnce(form, () => switchCode(form))
  })
  return null
}

async function switchCode(form: HTMLFormElement): Promise<void> {
  const { qr } = form.dataset
  const is_active = new FormData(form).get('is_active') === '1'
  await callApi('PUT', `/qr/${qr}`, { is_active }).then(
    () => showChange('QR code updated successfully!', `qr-${qr}`),
    (error) => {
      const failed = 'Failed to update QR code'
      return isGone(error) ? showChange(failed, '', 'error') : showToast(failed, 'error')
    },
  )
}

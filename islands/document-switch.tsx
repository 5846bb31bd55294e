import { visibilityText } from '#domain/document.ts'
import { callApi, isGone } from '#islands/_api.ts'
import { useDelegated } from '#islands/_delegate.ts'
import { showChange } from '#islands/_dialog.ts'
import { showToast } from '#islands/_toast.ts'

/** Shows and hides documents where they stand. */
export function DocumentSwitch() {
  useDelegated<HTMLFormElement>('submit', '[data-action="show-document"]', (form, event) => {
    event.preventDefault()
    save(form, 'PATCH', `/documents/${form.dataset.id}`)
  })
  useDelegated<HTMLFormElement>('submit', '[data-action="show-all"]', (form, event) => {
    event.preventDefault()
    save(form, 'PUT', `/documents/${form.dataset.id}/visibility`, true)
  })
  return null
}

async function save(form: HTMLFormElement, method: string, path: string, all = false) {
  const button = form.querySelector('button') as HTMLButtonElement
  const is_public = new FormData(form).get('is_public') === 'true'
  button.disabled = true
  await callApi(method, path, { is_public }).then(
    () => showChange(visibilityText(is_public, all), button.id),
    (error) => {
      button.disabled = false
      const failed = 'Failed to update document'
      return isGone(error) ? showChange(failed, '', 'error') : showToast(failed, 'error')
    },
  )
}

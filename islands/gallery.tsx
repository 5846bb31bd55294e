import { callApi, isGone } from '#islands/_api.ts'
import { SUBMIT_ON_CHANGE, useDelegated } from '#islands/_delegate.ts'
import { showChange } from '#islands/_dialog.ts'
import { openShare } from '#islands/_share-document.ts'
import { showToast } from '#islands/_toast.ts'

/** Shares documents where they stand, ends links, and filters as soon as a kind is chosen. */
export function Gallery() {
  useDelegated<HTMLAnchorElement>('click', '[data-action="share-document"]', (link, event) => {
    event.preventDefault()
    share(link)
  })
  useDelegated<HTMLFormElement>('submit', '[data-action="end-link"]', (form, event) => {
    event.preventDefault()
    endLink(form)
  })
  useDelegated<HTMLSelectElement>('change', SUBMIT_ON_CHANGE, ({ form }) => form?.requestSubmit())
  return null
}

async function share(link: HTMLAnchorElement) {
  const { id = '', method } = link.dataset
  const way = method === 'whatsapp' ? 'whatsapp' : 'download'
  link.setAttribute('aria-busy', 'true')
  await openShare(id, way).then(
    () =>
      showChange(
        way === 'whatsapp' ? 'WhatsApp opens with the link' : 'Download starts',
        `gallery-${id}`,
      ),
    (error) => {
      const failed = 'Failed to share document'
      return isGone(error) ? showChange(failed, '', 'error') : showToast(failed, 'error')
    },
  )
  link.removeAttribute('aria-busy')
}

async function endLink(form: HTMLFormElement) {
  await callApi<{ message: string }>('DELETE', `/gallery/shares/${form.dataset.id}`).then(
    ({ message }) => showChange(message, 'shared-links'),
    (error) =>
      isGone(error)
        ? showChange('This link has ended already', '', 'info')
        : showToast('Failed to end the link', 'error'),
  )
}

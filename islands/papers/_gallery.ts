import { isGone } from '#islands/_api.ts'
import { showChange } from '#islands/_dialog.ts'
import { listen } from '#islands/_listen.ts'
import { showToast } from '#islands/_toast.ts'
import { openShare } from '#islands/papers/_share-document.ts'

/** Shares documents where they stand; an e-mail needs its dialog. */
export function watchGallery(): void {
  listen<HTMLAnchorElement>('click', '[data-action="share-document"]', (link, event) => {
    event.preventDefault()
    void share(link)
  })
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

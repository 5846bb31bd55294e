import { listen } from '#islands/_listen.ts'
import { saveQrImage } from '#islands/codes/_downloads.ts'
import { copyText } from '#islands/ui/_copy.ts'

const IMAGE_SIZE = 15
const FOLLOW_UP_MS = 500

/** Copies, sends and shares a code's link. */
export function watchSharing(): void {
  listen('click', '[data-action="copy-link"]', ({ dataset }) => copyText('Link', dataset.url ?? ''))
  listen('click', '[data-action="share"]', ({ dataset }) =>
    share(dataset.qr ?? '', dataset.url ?? ''),
  )
  listen<HTMLAnchorElement>('click', '[data-action="send"]', (link, event) => {
    event.preventDefault()
    send(link.dataset.qr ?? '', link.href)
  })
}

async function share(qrId: string, url: string): Promise<void> {
  try {
    const { fetchQrImage } = await import('#islands/codes/_qr-image.ts')
    const files = [await fetchQrImage(qrId, 'png', IMAGE_SIZE)]
    await navigator.share({ title: 'My QR code', text: url, files })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return
    await copyText('Link', url, 'Unable to share file. Copying link instead.')
  }
}

/** Neither WhatsApp nor a mail takes a file from a link: it is saved first, to be attached. */
async function send(qrId: string, href: string): Promise<void> {
  await saveQrImage(qrId, 'png', IMAGE_SIZE)
  setTimeout(
    () => open(href, href.startsWith('mailto:') ? '_self' : '_blank', 'noreferrer'),
    FOLLOW_UP_MS,
  )
}

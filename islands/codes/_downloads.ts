import { listen } from '#islands/_listen.ts'
import { fetchQrImage, type ImageFormat, saveFile } from '#islands/codes/_qr-image.ts'
import { showToast } from '#islands/ui/_toast.ts'

/** Downloads that can say when they fail; without it their links answer the file. */
export function watchDownloads(): void {
  listen('click', '[data-action="download"]', async ({ dataset }, event) => {
    event.preventDefault()
    const { qr = '', format, size = '', frame } = dataset
    await fetchQrImage(qr, format as ImageFormat, size, frame).then(saveFile, () =>
      showToast('Failed to download QR code', 'error'),
    )
  })
}

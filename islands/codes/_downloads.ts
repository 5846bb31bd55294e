import { listen } from '#islands/_listen.ts'
import type { fetchQrImage, ImageFormat } from '#islands/codes/_qr-image.ts'
import { showResult } from '#islands/ui/_result.ts'

/** Downloads that can say when they fail; without it their links answer the file. Of other files the bar says the start. */
export function watchDownloads(): void {
  listen('click', 'a[download]:not([data-action])', sayStarted)
  listen('submit', 'form[data-action="file"]', sayStarted)
  listen('click', '[data-action="download"]', async ({ dataset }, event) => {
    event.preventDefault()
    const { qr = '', format, size = '', frame } = dataset
    await saveQrImage(qr, format as ImageFormat, size, frame)
  })
}

/** Says that the browser fetches a file; its end is the browser's to say. */
export function sayStarted(): void {
  showResult('Download started')
}

/** Saves the image of a code, or says that it could not. The script for it comes with the first one. */
export async function saveQrImage(...image: Parameters<typeof fetchQrImage>): Promise<void> {
  try {
    const { fetchQrImage, saveFile } = await import('#islands/codes/_qr-image.ts')
    saveFile(await fetchQrImage(...image))
    showResult(`${image[1].toUpperCase()} downloaded`)
  } catch {
    showResult('Failed to download QR code', 'error')
  }
}

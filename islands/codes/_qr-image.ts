import { callApi } from '#islands/_api.ts'

export type ImageFormat = 'png' | 'svg'
type Download = { filename: string; image_data?: string; svg_content?: string }

/** Fetches the image of a code as a file. `size` is pixels per module. Throws ApiProblem. */
export async function fetchQrImage(
  qrId: string,
  format: ImageFormat,
  size: number | string,
  frame?: string,
): Promise<File> {
  const query = new URLSearchParams({ format, size: String(size), ...(frame && { frame }) })
  const { filename, image_data, svg_content } = await callApi<Download>(
    'GET',
    `/qr/${qrId}/download?${query}`,
  )
  if (svg_content !== undefined) return new File([svg_content], filename, { type: 'image/svg+xml' })
  return new File([bytesOf(image_data ?? '')], filename, { type: 'image/png' })
}

/** Hands a file to the browser's downloads. */
export function saveFile(file: File): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = file.name
  link.click()
  // Safari reads the file after the click has returned.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

/** The longest side of a photo that is made smaller. The server keeps even fewer pixels. */
const MOST_PIXELS = 2048
const QUALITY = 0.85

/**
 * Returns a photo as a JPEG of at most 2,048 pixels, turned as its camera was held. Returns the file itself if it is
 * no image, is already smaller, or the browser cannot read it.
 */
export async function makeSmaller(file: File): Promise<File> {
  try {
    // Earlier browsers turn every photo, and do not know the option.
    const image = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() =>
      createImageBitmap(file),
    )
    const scale = Math.min(1, MOST_PIXELS / Math.max(image.width, image.height))
    const canvas = document.createElement('canvas')
    canvas.width = image.width * scale
    canvas.height = image.height * scale
    const context = canvas.getContext('2d') as CanvasRenderingContext2D
    // A JPEG has no transparency, which would become black.
    context.fillStyle = '#fff'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
    const small = await new Promise<Blob | null>((resolve) => {
      canvas.toBlob(resolve, 'image/jpeg', QUALITY)
    })
    if (!small || small.size >= file.size) return file
    return new File([small], file.name.replace(/(\.\w+)?$/, '.jpg'), small)
  } catch {
    return file
  }
}

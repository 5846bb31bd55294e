import jsQR from 'jsqr'
import sharp from 'sharp'

/** The text that a phone's camera reads from the image. */
export async function decode(png: Buffer): Promise<string> {
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const found = jsQR(new Uint8ClampedArray(data), info.width, info.height)
  if (!found) throw new Error('The picture holds no QR code that can be read')
  return found.data
}

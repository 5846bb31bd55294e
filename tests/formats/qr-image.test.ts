import jsqr from 'jsqr'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { assertQrSize, qrMatrix, qrPng, qrSvg } from '#formats/qr-image.ts'

/** The smallest one by one, where rounding shows; of the larger ones, which differ less, odd and even ones. */
const SIZES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 16, 25, 33, 40]
const SHORT = 'https://keys.example.in/scan/7K3MQ9WD4XTP'
const LONG = `https://${'keys-of-the-whole-district.'.repeat(7)}example.in/scan/7K3MQ9WD4XTP`

/** A byte for each pixel: how light it is. */
type Picture = { width: number; height: number; pixels: Uint8Array }

async function read(image: Buffer): Promise<Picture> {
  const { data, info } = await sharp(image)
    .removeAlpha()
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect(info.channels).toBe(1)
  return { width: info.width, height: info.height, pixels: data }
}

// The decoder samples between pixels, so modules of one pixel have to be enlarged to be read; a very
// large picture is seen smaller, as a camera would.
async function decode(image: Buffer): Promise<string | undefined> {
  const { width } = await sharp(image).metadata()
  const seen = width > 600 ? 600 : width * Math.max(1, Math.round(600 / width))
  const kernel = width > 600 ? 'lanczos3' : 'nearest'
  const { data, info } = await sharp(image)
    .resize({ width: seen, kernel })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return jsqr(new Uint8ClampedArray(data), info.width, info.height)?.data
}

function isDark({ width, pixels }: Picture, x: number, y: number): boolean {
  return (pixels[y * width + x] ?? 255) < 128
}

/** Returns the white pixels on the left, the top, the right and the bottom. */
function margins(picture: Picture): number[] {
  const { width, height } = picture
  let [left, top, right, bottom] = [width, height, width, height]
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (!isDark(picture, x, y)) continue
      left = Math.min(left, x)
      top = Math.min(top, y)
      right = Math.min(right, width - 1 - x)
      bottom = Math.min(bottom, height - 1 - y)
    }
  }
  return [left, top, right, bottom]
}

describe('a QR picture of an ordinary address', () => {
  it.each(SIZES)('is read back from PNG and SVG alike at %i pixels a module', async (size) => {
    expect(await decode(qrPng(SHORT, size))).toBe(SHORT)
    expect(await decode(Buffer.from(qrSvg(SHORT, size)))).toBe(SHORT)
  })

  it.each(SIZES)('keeps 4 modules of white on every side at %i pixels a module', async (size) => {
    const quiet = 4 * size
    const all = [quiet, quiet, quiet, quiet]
    expect(margins(await read(qrPng(SHORT, size)))).toEqual(all)
    expect(margins(await read(Buffer.from(qrSvg(SHORT, size))))).toEqual(all)
  })
})

describe('a QR picture of a long address', () => {
  it('is of an address that is long indeed', () => {
    expect(LONG.length).toBeGreaterThan(200)
  })

  it.each(SIZES)('is read back from PNG and SVG alike at %i pixels a module', async (size) => {
    expect(await decode(qrPng(LONG, size))).toBe(LONG)
    expect(await decode(Buffer.from(qrSvg(LONG, size)))).toBe(LONG)
  })
})

describe('the PNG', () => {
  it.each([1, 3, 7, 8, 10, 40])(
    'is the matrix, pixel for pixel, at %i pixels a module',
    async (size) => {
      const matrix = qrMatrix(SHORT)
      const picture = await read(qrPng(SHORT, size))
      expect(picture.width).toBe((matrix.size + 8) * size)
      expect(picture.height).toBe(picture.width)
      let wrong = 0
      for (let y = 0; y < picture.height; y++) {
        for (let x = 0; x < picture.width; x++) {
          const column = Math.floor(x / size) - 4
          const row = Math.floor(y / size) - 4
          const inside = Math.min(column, row) >= 0 && Math.max(column, row) < matrix.size
          const dark = inside && matrix.modules[row * matrix.size + column] === 1
          if (isDark(picture, x, y) !== dark) wrong++
        }
      }
      expect(wrong).toBe(0)
    },
  )

  it('has one bit a pixel, so that it stays small', async () => {
    const png = qrPng(SHORT, 10)
    expect(await sharp(png).metadata()).toMatchObject({ format: 'png', channels: 1 })
    expect(png[24]).toBe(1)
    expect(png.length).toBeLessThan(1500)
  })

  it('is whole: a strict reader finds no broken checksum', async () => {
    const png = qrPng(SHORT, 10)
    await expect(sharp(png, { failOn: 'warning' }).raw().toBuffer()).resolves.toBeDefined()
    const broken = Buffer.from(png)
    broken[45] = (broken[45] ?? 0) ^ 0xff
    await expect(sharp(broken, { failOn: 'warning' }).raw().toBuffer()).rejects.toThrow()
  })
})

describe('the SVG', () => {
  const svg = qrSvg(SHORT, 10)

  it('is one path with crisp edges that a screen reader takes for a picture', () => {
    expect(svg.match(/<path /g)).toHaveLength(1)
    expect(svg).toContain('shape-rendering="crispEdges"')
    expect(svg).toContain('role="img" aria-label="QR code"')
  })

  it('counts modules inside and pixels outside', () => {
    const side = qrMatrix(SHORT).size + 8
    expect(svg).toContain(`viewBox="0 0 ${side} ${side}"`)
    expect(svg).toContain(`width="${side * 10}" height="${side * 10}"`)
  })

  it('holds nothing of the text it encodes', () => {
    expect(qrSvg('"><script>alert(1)</script>', 10)).not.toContain('script')
  })
})

describe('the error correction', () => {
  it('is Q unless M is asked for, which takes fewer modules', () => {
    expect(qrMatrix(SHORT)).toEqual(qrMatrix(SHORT, { errorCorrection: 'Q' }))
    expect(qrMatrix(SHORT, { errorCorrection: 'M' }).size).toBeLessThan(qrMatrix(SHORT).size)
  })

  it('lets a picture with a scratch across it be read', async () => {
    const png = qrPng(SHORT, 10)
    const scratch = { create: { width: 60, height: 60, channels: 3, background: '#888' } } as const
    const damaged = await sharp(png)
      .toColourspace('srgb')
      .composite([{ input: await sharp(scratch).png().toBuffer(), left: 200, top: 200 }])
      .png()
      .toBuffer()
    expect(await decode(damaged)).toBe(SHORT)
  })
})

describe('the size', () => {
  it.each([1, 10, 15, 25, 40])('may be %i', (size) => {
    expect(() => assertQrSize(size)).not.toThrow()
  })

  it.each([0, -1, 41, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '10', null, undefined])(
    'may not be %s',
    (size) => {
      const refusal = { kind: 'invalid', message: 'Size must be between 1 and 40' }
      expect(() => assertQrSize(size)).toThrow(expect.objectContaining(refusal))
      expect(() => qrPng(SHORT, size as number)).toThrow(expect.objectContaining(refusal))
      expect(() => qrSvg(SHORT, size as number)).toThrow(expect.objectContaining(refusal))
    },
  )
})

import { crc32, deflateRawSync } from 'node:zlib'
import { Zip, type ZipInputFile } from 'fflate'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { qrMatrix, qrPng, qrSvg } from '#formats/qr-image.ts'
import { turnToDraw } from '#formats/turn-to-draw.ts'

/** Images drawn in a row before other requests get their turn: ten of 10 pixels per module, one of 40. */
const atOnce = (size: number) => Math.max(1, Math.min(10, Math.floor(1000 / size ** 2)))

/** Node compresses the files, because fflate would keep 100 KB for each until the ZIP ends. */
const STORED = 0
const DEFLATED = 8

type Packing = {
  /** the text of the list of codes */
  list: string
  /** what the names of the files begin with */
  prefix: string
  /** pixels per module of the images */
  size: number
  now: Date
}

/**
 * Streams a ZIP with a list of the codes, and a PNG and an SVG of each. `url` is the text that the
 * images encode.
 */
export async function* zipCodes(
  codes: Iterable<{ qr_id: string; url: string }>,
  { list, prefix, size, now }: Packing,
): AsyncGenerator<Uint8Array, void> {
  const pieces: Uint8Array[] = []
  const zip = new Zip((error, piece) => {
    if (error) throw error
    pieces.push(piece)
  })
  const add = (filename: string, content: Uint8Array, { packed = false } = {}) => {
    const file: ZipInputFile = {
      filename,
      mtime: now,
      size: content.length,
      crc: crc32(content),
      compression: packed ? STORED : DEFLATED,
    }
    zip.add(file)
    const stored = packed ? new Uint8Array(content) : deflateRawSync(content, { level: 1 })
    file.ondata?.(null, stored, true)
  }
  add(`${prefix}-codes.csv`, Buffer.from(list))
  let drawn = 0
  for (const { qr_id, url } of codes) {
    const name = `${prefix}-${formatQrId(qr_id)}`
    const matrix = qrMatrix(url)
    add(`png/${name}.png`, qrPng(matrix, size), { packed: true })
    add(`svg/${name}.svg`, Buffer.from(qrSvg(matrix, size)))
    if (++drawn % atOnce(size) > 0) continue
    yield* pieces.splice(0)
    await turnToDraw()
  }
  zip.end()
  yield* pieces.splice(0)
}

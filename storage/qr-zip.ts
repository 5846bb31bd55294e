import { setImmediate } from 'node:timers/promises'
import { strToU8, Zip, ZipDeflate, type ZipInputFile, ZipPassThrough } from 'fflate'
import { formatQrId } from '#domain/qr-id.ts'
import { qrPng, qrSvg } from '#storage/qr-image.ts'

/** Pictures keep the thread busy: between some of them other requests get their turn. */
const AT_ONCE = 20

type Packing = {
  /** the text of DriveQR-codes.csv */
  list: string
  /** pixels per module of the pictures */
  size: number
  now: Date
}

/**
 * A ZIP of a PNG and an SVG for each code with a list of them, in pieces as they are drawn, so
 * that its size does not matter to memory. `url` is what the picture says.
 */
export async function* zipCodes(
  codes: Iterable<{ qr_id: string; url: string }>,
  { list, size, now }: Packing,
): AsyncGenerator<Uint8Array, void> {
  const pieces: Uint8Array[] = []
  const zip = new Zip((error, piece) => {
    if (error) throw error
    pieces.push(piece)
  })
  const add = (file: ZipInputFile & { push: ZipPassThrough['push'] }, bytes: Uint8Array) => {
    file.mtime = now
    zip.add(file)
    file.push(bytes, true)
  }
  add(new ZipDeflate('DriveQR-codes.csv', { level: 1 }), strToU8(list))
  let drawn = 0
  for (const { qr_id, url } of codes) {
    const name = imageName(qr_id)
    add(new ZipPassThrough(`png/${name}.png`), qrPng(url, size))
    add(new ZipDeflate(`svg/${name}.svg`, { level: 1 }), strToU8(qrSvg(url, size)))
    if (++drawn % AT_ONCE > 0) continue
    yield* pieces.splice(0)
    await setImmediate()
  }
  zip.end()
  yield* pieces.splice(0)
}

/** What the file of a code's picture is called, wherever it is downloaded. */
export function imageName(qrId: string): string {
  return `DriveQR-${formatQrId(qrId)}`
}

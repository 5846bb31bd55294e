import { crc32, deflateSync } from 'node:zlib'
import QRCode, { type QRCodeSegment } from 'qrcode'
import { DomainError } from '#domain/error.ts'

/** A QR symbol without its quiet zone: `modules` row by row, 1 is dark. */
export type QrMatrix = { size: number; modules: Uint8Array }

/** White modules on every side, as the standard requires. */
export const QUIET_ZONE = 4
export const SIZE_MAX = 40
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const FILTER_NONE = 0
const FILTER_UP = 2

/** Throws invalid unless `size`, in pixels per module, is a whole number from 1 to 40. */
export function assertQrSize(size: unknown): asserts size is number {
  if (Number.isInteger(size) && Number(size) >= 1 && Number(size) <= SIZE_MAX) return
  throw new DomainError({ code: 'invalid.image_size', values: { most: SIZE_MAX } })
}

/** Returns the symbol of a text. Q survives scratches on a key ring; M makes larger modules for small print. */
export function qrMatrix(
  text: string,
  { errorCorrection = 'Q' }: { errorCorrection?: 'M' | 'Q' } = {},
): QrMatrix {
  const options = { errorCorrectionLevel: errorCorrection }
  const { size, data } = QRCode.create(segmentsOf(text), options).modules
  return { size, modules: data }
}

/**
 * Splits off the id at the end of a scan URL, whose capitals and digits take a third less space in
 * alphanumeric mode. The library finds the same segments, but takes a third longer for the symbol.
 */
function segmentsOf(text: string): QRCodeSegment[] {
  const [capitals = ''] = /[0-9A-Z $%*+\-./:]*$/.exec(text) ?? []
  const start = Buffer.from(text.slice(0, text.length - capitals.length))
  return [
    ...(start.length > 0 ? [{ mode: 'byte', data: start } as const] : []),
    ...(capitals ? [{ mode: 'alphanumeric', data: capitals } as const] : []),
  ]
}

/**
 * Draws a text, or the symbol made of it, as a PNG of one bit a pixel with its quiet zone. `size` is in
 * pixels per module, 1 to 40.
 */
export function qrPng(code: string | QrMatrix, size: number): Buffer {
  assertQrSize(size)
  const matrix = typeof code === 'string' ? qrMatrix(code) : code
  const width = (matrix.size + 2 * QUIET_ZONE) * size
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(width, 4)
  header[8] = 1 // bits a pixel; colour type 0 (gray) and the rest are zero
  return Buffer.concat([
    PNG_SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(scanlines(matrix, size, width), { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/**
 * Returns the rows of pixels, each after its filter byte. A row equal to the one above is all zeros
 * under the filter "up", which compresses to almost nothing.
 */
function scanlines(matrix: QrMatrix, size: number, width: number): Buffer {
  const stride = 1 + Math.ceil(width / 8)
  const lines = Buffer.alloc(stride * width)
  for (let y = 0; y < width; y++) {
    const start = y * stride
    if (y % size > 0) lines[start] = FILTER_UP
    else drawRow(lines.subarray(start, start + stride), matrix, y / size - QUIET_ZONE, size)
  }
  return lines
}

function drawRow(line: Buffer, { size: count, modules }: QrMatrix, row: number, size: number) {
  line.fill(0xff)
  line[0] = FILTER_NONE
  if (row < 0 || row >= count) return
  for (let column = 0; column < count; column++) {
    if (modules[row * count + column]) blacken(line, (column + QUIET_ZONE) * size, size)
  }
}

function blacken(line: Buffer, from: number, count: number): void {
  for (let x = from; x < from + count; x++) {
    const at = 1 + (x >> 3)
    line[at] = (line[at] ?? 0) & ~(0x80 >> (x & 7))
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const bytes = Buffer.alloc(data.length + 12)
  bytes.writeUInt32BE(data.length, 0)
  bytes.write(type, 4, 'latin1')
  data.copy(bytes, 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, data.length + 8)), data.length + 8)
  return bytes
}

/** Draws the same image as an SVG, for a file or a page. */
export function qrSvg(code: string | QrMatrix, size: number): string {
  assertQrSize(size)
  const matrix = typeof code === 'string' ? qrMatrix(code) : code
  const side = matrix.size + 2 * QUIET_ZONE
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}"` +
    ` width="${side * size}" height="${side * size}" shape-rendering="crispEdges"` +
    ` role="img" aria-label="QR code"><rect width="${side}" height="${side}" fill="#fff"/>` +
    `<path fill="#000" d="${outline(matrix)}"/></svg>`
  )
}

/** Returns an SVG path with a rectangle for each run of dark modules in a row. */
export function outline({ size, modules }: QrMatrix): string {
  let path = ''
  for (let row = 0; row < size; row++) {
    for (let from = 0; from < size; from++) {
      if (!modules[row * size + from]) continue
      let to = from + 1
      while (to < size && modules[row * size + to]) to++
      path += `M${from + QUIET_ZONE} ${row + QUIET_ZONE}h${to - from}v1h-${to - from}z`
      from = to
    }
  }
  return path
}

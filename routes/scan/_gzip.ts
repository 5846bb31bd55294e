import { constants, crc32, deflateRawSync } from 'node:zlib'

/** The start that all pages of a template share, as it is and as the start of a gzip file (RFC 1952). */
export type PageHead = { bytes: Buffer; crc: number; gzipped: Buffer }

/** A page in two parts: `rest` is its own. */
export type FilledPage = { head: PageHead; rest: Buffer }

const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
const TRAILER_BYTES = 8
/** A window as long as the longest page, and small buffers: zlib allocates them for each page. */
const SMALL = { windowBits: 14, memLevel: 7, chunkSize: 2_048 }

export function makeHead(html: string): PageHead {
  const bytes = Buffer.from(html)
  const deflated = deflateRawSync(bytes, { ...SMALL, finishFlush: constants.Z_SYNC_FLUSH })
  return { bytes, crc: crc32(bytes), gzipped: Buffer.concat([HEADER, deflated]) }
}

export function plainPage({ head, rest }: FilledPage): Buffer<ArrayBuffer> {
  return Buffer.concat([head.bytes, rest])
}

/** Compresses the rest alone. It may repeat parts of the head, because a reader has unpacked that before. */
export function gzipPage({ head, rest }: FilledPage): Buffer<ArrayBuffer> {
  const deflated = deflateRawSync(rest, { ...SMALL, dictionary: head.bytes })
  const trailer = Buffer.allocUnsafe(TRAILER_BYTES)
  trailer.writeUInt32LE(crc32(rest, head.crc))
  trailer.writeUInt32LE(head.bytes.length + rest.length, 4)
  return Buffer.concat([head.gzipped, deflated, trailer])
}

import { constants, crc32, deflateRawSync } from 'node:zlib'

/** The beginning of many pages, compressed once for all of them. */
export type PageHead = {
  plain: Buffer
  crc: number
  packed: Buffer
  /** its end, used as the dictionary for the rest */
  window: Buffer
}

const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
/** How much of the head the rest can refer to. */
const WINDOW = { small: 3000, thorough: 8000 }
/** Small buffers: allocating zlib's defaults for each page costs more than the compression. */
const SMALL = { level: 3, windowBits: 12, memLevel: 5, chunkSize: 4096 }
/** A lost code in another language than English would not fit the first round trip otherwise. */
const THOROUGH = { level: 5, windowBits: 14, memLevel: 6, chunkSize: 4096 }
const LONG_BYTES = 5500

export function packHead(text: string): PageHead {
  const bytes = Buffer.from(text)
  const deflated = deflateRawSync(bytes, { level: 9, finishFlush: constants.Z_SYNC_FLUSH })
  return {
    plain: bytes,
    crc: crc32(bytes),
    packed: Buffer.concat([HEADER, deflated]),
    window: bytes.subarray(-WINDOW.thorough),
  }
}

/** Text beyond Latin letters is ten times as quick to encode without the head. */
export function plainAfter(head: PageHead, rest: string): Uint8Array<ArrayBuffer> {
  return Buffer.concat([head.plain, Buffer.from(rest)])
}

/** A gzip file is a sequence of blocks (RFC 1952): the head's, made earlier, and those of the rest. */
export function gzipAfter(head: PageHead, rest: string): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(rest)
  const deflated =
    bytes.length > LONG_BYTES
      ? deflateRawSync(bytes, { ...THOROUGH, dictionary: head.window })
      : deflateRawSync(bytes, { ...SMALL, dictionary: head.window.subarray(-WINDOW.small) })
  const trailer = Buffer.allocUnsafe(8)
  trailer.writeUInt32LE(crc32(bytes, head.crc), 0)
  trailer.writeUInt32LE(head.plain.length + bytes.length, 4)
  return Buffer.concat([head.packed, deflated, trailer])
}

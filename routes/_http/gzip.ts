import { constants, crc32, deflateRawSync } from 'node:zlib'

/** What many pages begin with, compressed once for all of them. */
export type PageHead = {
  text: string
  bytes: number
  crc: number
  packed: Buffer
  /** the end of it, which what follows may refer back to */
  window: Buffer
}

const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
const WINDOW_BYTES = 700
/** Enough for a page. What zlib takes for each costs more than its work: it drives the garbage collector. */
const SMALL = { level: 3, windowBits: 11, memLevel: 5, chunkSize: 2048 }

export function packHead(text: string): PageHead {
  const bytes = Buffer.from(text)
  const deflated = deflateRawSync(bytes, { level: 9, finishFlush: constants.Z_SYNC_FLUSH })
  return {
    text,
    bytes: bytes.length,
    crc: crc32(bytes),
    packed: Buffer.concat([HEADER, deflated]),
    window: bytes.subarray(-WINDOW_BYTES),
  }
}

/** Gzip is a row of blocks (RFC 1952): the head's stand ready, and those of the rest follow. */
export function gzipAfter(head: PageHead, rest: string): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(rest)
  const deflated = deflateRawSync(bytes, { ...SMALL, dictionary: head.window })
  const trailer = Buffer.allocUnsafe(8)
  trailer.writeUInt32LE(crc32(bytes, head.crc), 0)
  trailer.writeUInt32LE(head.bytes + bytes.length, 4)
  return Buffer.concat([head.packed, deflated, trailer])
}

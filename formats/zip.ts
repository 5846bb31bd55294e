import { pipeline } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

/** The methods of compression. */
const STORED = 0
const DEFLATED = 8
/** Sizes and checksum follow the content, and names are UTF-8. */
const FLAGS = 0x0808
const MADE_BY = 45
/** Marks a 32-bit field whose value is in the 64 bits of the extra field. */
const IN_EXTRA = 0xffffffff
const MANY = 0xffff
const MODE = 0o600
type Bytes = AsyncIterable<Uint8Array>
type Entry = { name: Buffer; method: number; crc: number; packed: number; size: number; at: number }

export type Zip = ReturnType<typeof createZip>

/**
 * Makes a ZIP of any size, entry after entry, with little memory: fflate knows no ZIP64, and keeps all
 * that it has written. `write` receives the pieces in order.
 */
export function createZip(write: (piece: Uint8Array) => Promise<void>, madeAt: Date) {
  const entries: Entry[] = []
  const time = dosTime(madeAt)
  let at = 0

  async function append(piece: Uint8Array): Promise<void> {
    await write(piece)
    at += piece.length
  }

  return {
    /** Adds a file. `packed` content is compressed already, and is stored unchanged. */
    async add(name: string, content: Bytes, { packed = false } = {}): Promise<void> {
      const method = packed ? STORED : DEFLATED
      const entry = { name: Buffer.from(name), method, crc: 0, packed: 0, size: 0, at }
      await append(localHeader(entry, time))
      const counted = count(content, entry)
      for await (const piece of packed ? counted : deflate(counted)) {
        await append(piece)
        entry.packed += piece.length
      }
      await append(descriptor(entry))
      entries.push(entry)
    },
    /** Adds the directory of the files. */
    async end(): Promise<void> {
      const begin = at
      for (const entry of entries) await append(centralHeader(entry, time))
      await append(endOf(entries.length, { begin, size: at - begin, at }))
    },
  }
}

/** Fails when the content fails, and ends the content when its own reader stops. */
function deflate(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  // The iterator throws the errors.
  return pipeline(content, createDeflateRaw(), () => {})
}

async function* count(content: Bytes, entry: Entry): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    entry.crc = crc32(piece, entry.crc)
    entry.size += piece.length
    yield piece
  }
}

/** Returns a DOS time: steps of two seconds since 1980, in UTC. */
function dosTime(date: Date): number {
  const day =
    ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate()
  const time =
    (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1)
  return ((day << 16) | time) >>> 0
}

/** Writes numbers in little-endian order: 32 bits each, 16 if `short`, 64 if `long`. */
function bytes(...fields: (number | { short: number } | { long: number })[]): Buffer {
  return Buffer.concat(
    fields.map((field) => {
      if (typeof field === 'number') {
        const four = Buffer.alloc(4)
        four.writeUInt32LE(field)
        return four
      }
      if ('short' in field) return Buffer.from([field.short & 0xff, field.short >> 8])
      const eight = Buffer.alloc(8)
      eight.writeBigUInt64LE(BigInt(field.long))
      return eight
    }),
  )
}

const short = (value: number) => ({ short: value })
const long = (value: number) => ({ long: value })

function localHeader({ name, method }: Entry, time: number): Buffer {
  const head = bytes(0x04034b50, short(MADE_BY), short(FLAGS), short(method), time, 0, 0, 0)
  return Buffer.concat([head, bytes(short(name.length), short(0)), name])
}

/** Has 32-bit sizes, because no single file has 4 GB. */
function descriptor({ crc, packed, size }: Entry): Buffer {
  return bytes(0x08074b50, crc, packed, size)
}

function centralHeader({ name, method, crc, packed, size, at }: Entry, time: number): Buffer {
  const isFar = at >= IN_EXTRA
  const extra = isFar ? bytes(short(1), short(8), long(at)) : Buffer.alloc(0)
  const versions = [short((3 << 8) | MADE_BY), short(MADE_BY)]
  const head = bytes(0x02014b50, ...versions, short(FLAGS), short(method), time, crc, packed, size)
  const lengths = [short(name.length), short(extra.length), short(0), short(0), short(0)]
  const rest = bytes(...lengths, (0o100000 | MODE) * 0x10000, isFar ? IN_EXTRA : at)
  return Buffer.concat([head, rest, name, extra])
}

type Directory = { begin: number; size: number; at: number }

function endOf(count: number, { begin, size, at }: Directory): Buffer {
  const isLarge = count >= MANY || at >= IN_EXTRA
  const versions = [short((3 << 8) | MADE_BY), short(MADE_BY)]
  const sizes = [long(count), long(count), long(size), long(begin)]
  const large = bytes(0x06064b50, long(44), ...versions, 0, 0, ...sizes)
  const locator = bytes(0x07064b50, 0, long(at), 1)
  const files = short(isLarge ? MANY : count)
  const where = isLarge ? [IN_EXTRA, IN_EXTRA] : [size, begin]
  const end = bytes(0x06054b50, short(0), short(0), files, files, ...where, short(0))
  return Buffer.concat(isLarge ? [large, locator, end] : [end])
}

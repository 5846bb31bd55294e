import type { FileHandle } from 'node:fs/promises'
import type { ByteRange } from '#domain/papers/byte-range.ts'
import { inLaterTurn } from '#storage/later-turn.ts'

const CHUNK_BYTES = 64 * 1024
const PIECE_BYTES = 256 * 1024
/** Enough to keep a fast line busy. Pages are answered between two reads, which wait for many. */
const READS_AT_ONCE = 2
/** Buffers kept for reuse; further ones are left to the garbage collector. */
const MOST_SPARE = 64

/**
 * Streams a part of a file with backpressure. The file is opened on the first read and closed after
 * the last byte or on cancel, so an unsent answer opens nothing.
 */
export function readPart(
  open: () => Promise<FileHandle>,
  { first, last }: ByteRange,
): ReadableStream {
  let handle: FileHandle | undefined
  let at = first

  async function readChunk(): Promise<Uint8Array> {
    handle ??= await open()
    const chunk = await readAt(handle, at, Math.min(CHUNK_BYTES, last + 1 - at))
    if (chunk.length === 0) throw new Error('A stored file is shorter than it was')
    at += chunk.length
    return chunk
  }

  return new ReadableStream(
    {
      async pull(controller) {
        try {
          controller.enqueue(await readChunk())
          if (at <= last) return
          controller.close()
        } catch (error) {
          controller.error(error)
        }
        await handle?.close()
      },
      cancel: () => handle?.close(),
    },
    { highWaterMark: 0 },
  )
}

/** Two buffers of `readWhole`, kept for the next file. */
let sparePair: Buffer[] | undefined

/**
 * Reads a file in pieces, each valid until the next is requested, and closes it. The next piece is read
 * ahead. A new buffer for each piece or file would give the garbage collector as much work as the disk.
 */
export async function* readWhole(handle: FileHandle): AsyncGenerator<Buffer> {
  const buffers =
    sparePair ?? [PIECE_BYTES, PIECE_BYTES].map((size) => Buffer.allocUnsafeSlow(size))
  sparePair = undefined
  const read = (n: number) => {
    const reading = handle.read(buffers[n % 2] as Buffer, 0, PIECE_BYTES)
    // It may fail before its piece is requested.
    reading.catch(() => undefined)
    return reading
  }
  let next = read(0)
  try {
    for (let n = 1; ; n++) {
      const { bytesRead, buffer } = await next
      if (bytesRead === 0) return
      next = read(n)
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await next.catch(() => undefined)
    sparePair = buffers
    await handle.close()
  }
}

const reusable = new WeakSet<ArrayBufferLike>()
const spare: Buffer[] = []

/**
 * Takes back a buffer of `readPart` that is no longer used. New memory for each piece would wait for
 * the garbage collector, which lets 64 MB accumulate first.
 */
export function reusePiece({ buffer }: Uint8Array): void {
  if (reusable.delete(buffer) && spare.length < MOST_SPARE) spare.push(Buffer.from(buffer))
}

let reading = 0
const waiting: (() => void)[] = []

async function readAt(handle: FileHandle, at: number, length: number): Promise<Uint8Array> {
  if (reading < READS_AT_ONCE) reading++
  else await new Promise<void>((begin) => waiting.push(begin))
  try {
    const buffer = spare.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES)
    const { bytesRead } = await handle.read(buffer, 0, length, at)
    reusable.add(buffer.buffer)
    return buffer.subarray(0, bytesRead)
  } finally {
    const next = waiting.shift()
    if (next) inLaterTurn(next, waiting.length)
    else reading--
  }
}

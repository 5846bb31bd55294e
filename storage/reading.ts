import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { ByteRange } from '#domain/papers/byte-range.ts'

const CHUNK_BYTES = 256 * 1024

/**
 * Reads a part of a file as fast as it is taken, and no link in its place. The file is open from
 * the first byte to the last, or until nobody listens: an answer that is never sent opens nothing.
 */
export function readPart(path: string, { first, last }: ByteRange): ReadableStream {
  let handle: FileHandle | undefined
  let at = first

  async function readChunk(): Promise<Uint8Array> {
    handle ??= await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
    const length = Math.min(CHUNK_BYTES, last + 1 - at)
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, at)
    if (bytesRead === 0) throw new Error('A stored file is shorter than it was')
    at += bytesRead
    return buffer.subarray(0, bytesRead)
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

import type { FileHandle } from 'node:fs/promises'
import type { ByteRange } from '#domain/byte-range.ts'

const CHUNK_BYTES = 256 * 1024

/** Reads a part of a file as it is asked for, and closes it at the end or when nobody listens. */
export function streamPart(handle: FileHandle, { first, last }: ByteRange): ReadableStream {
  let at = first
  return new ReadableStream(
    {
      async pull(controller) {
        const length = Math.min(CHUNK_BYTES, last + 1 - at)
        const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, at)
        at += bytesRead
        if (bytesRead > 0) controller.enqueue(buffer.subarray(0, bytesRead))
        if (bytesRead < length) throw new Error('A stored file is shorter than it was')
        if (at <= last) return
        await handle.close()
        controller.close()
      },
      cancel: () => handle.close(),
    },
    { highWaterMark: 0 },
  )
}

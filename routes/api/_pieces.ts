import { ReadableStream } from 'node:stream/web'

/**
 * Streams a body while it is read. The first piece is read before the answer begins, so that an early failure
 * still gets its status.
 */
export async function begin(pieces: AsyncIterable<Uint8Array>): Promise<globalThis.ReadableStream> {
  const rest = pieces[Symbol.asyncIterator]()
  let first: IteratorResult<Uint8Array> | undefined = await rest.next()
  const begun: AsyncIterableIterator<Uint8Array> = {
    async next() {
      const piece = first ?? (await rest.next())
      first = undefined
      return piece
    },
    async return() {
      await rest.return?.()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]: () => begun,
  }
  return ReadableStream.from(begun) as globalThis.ReadableStream
}

import { ReadableStream } from 'node:stream/web'

/**
 * A body that is read while it is sent. The first piece is read before: what fails until then is refused with its
 * own status, and what fails later can only break off the answer.
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

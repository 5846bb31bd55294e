import { ReadableStream } from 'node:stream/web'
import type { TypedResponse } from 'hono'
import type { AppContext } from '#routes/_http/deps.ts'

type ListQuery = { search: string | null; limit?: number; offset?: number }

/** Whether a page was requested; otherwise the answer is the whole list. */
export function isPage<Q extends ListQuery>(query: Q): query is Q & Required<ListQuery> {
  return query.limit !== undefined
}

/** Streams a long list as JSON while it is read, so that it is never in memory as a whole. */
export function sendArray<T>(
  c: AppContext,
  pieces: AsyncIterable<T[]>,
): Response & TypedResponse<T[], 200, 'json'> {
  c.header('Content-Type', 'application/json')
  const bytes = ReadableStream.from(toJson(pieces)) as globalThis.ReadableStream
  const sent: Response = c.body(bytes, 200)
  // A stream has no type of its own.
  return sent as Response & TypedResponse<T[], 200, 'json'>
}

async function* toJson(pieces: AsyncIterable<unknown[]>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let before = '['
  for await (const items of pieces) {
    for (const part of [before, items.map((item) => JSON.stringify(item)).join(',')]) {
      yield encoder.encode(part)
    }
    before = ','
  }
  yield encoder.encode(before === '[' ? '[]' : ']')
}

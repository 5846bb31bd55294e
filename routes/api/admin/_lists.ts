import type { TypedResponse } from 'hono'
import type { AppContext } from '#routes/_http/context.ts'
import { begin } from '#routes/api/_pieces.ts'

type ListQuery = { search: string | null; limit?: number; offset?: number }

/** Returns whether a page was requested; otherwise the answer is the whole list. */
export function isPage<Q extends ListQuery>(query: Q): query is Q & Required<ListQuery> {
  return query.limit !== undefined
}

/** Streams a long list as JSON while it is read, so that it is never in memory as a whole. */
export async function sendArray<T>(
  c: AppContext,
  pieces: AsyncIterable<T[]>,
): Promise<Response & TypedResponse<T[], 200, 'json'>> {
  const body = await begin(toJson(pieces))
  c.header('Content-Type', 'application/json')
  const sent: Response = c.body(body, 200)
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

import { ReadableStream } from 'node:stream/web'
import { z } from '@hono/zod-openapi'
import type { AppContext } from '#routes/_http/context.ts'
import { assertMayTry, countTry } from '#routes/_http/rate-limits.ts'

/** Describes the response of a call that returns a file. */
export function fileAnswer<T extends string>(description: string, type: T) {
  const schema = z.string().openapi({ format: 'binary' })
  return { description, content: { [type]: { schema } } as Record<T, { schema: typeof schema }> }
}

/** Describes the responses of a call that returns a stored file, or a part of it. */
export function storedFileAnswers(description: string, type: string) {
  const file = fileAnswer(description, type)
  return {
    200: file,
    206: { ...file, description: 'The part that the Range header requests' },
    304: { description: 'Unchanged' },
    416: { description: 'The file ends before the range' },
  }
}

/** Streams a download while it is generated, with backpressure. Counted by the limit `counted`. */
export function sendFile(
  c: AppContext,
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  { name, type }: { name: string; type: string },
  counted: 'print' | 'export' = 'print',
): Response {
  assertMayTry(c, counted)
  // The answer to a HEAD is never generated.
  if (c.req.method !== 'HEAD') countTry(c, counted)
  c.header('Content-Type', type)
  c.header('Content-Disposition', `attachment; filename="${name}"`)
  return c.body(ReadableStream.from(pieces) as globalThis.ReadableStream)
}

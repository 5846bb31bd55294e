import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { AppContext } from '#routes/_http/context.ts'
import type { EventStream } from '#routes/_http/conversations/event-stream.ts'

/** What waits for a client that reads nothing. Its connection would be ended soon anyway. */
const MOST_WAITING_BYTES = 4_096

const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  // For nginx, which would keep events until there are enough of them.
  'X-Accel-Buffering': 'no',
} as const

/**
 * Answers with the stream: straight to Node's response where there is one, because a web stream and
 * what belongs to it take 50 KB of memory for as long as a page is open.
 */
export function answerEvents(c: AppContext, stream: EventStream): Response {
  // It would stay open on a connection whose client or proxy has its answer and asks for something else.
  if (c.req.method === 'HEAD') {
    stream.end()
    return c.body(null, 200, HEADERS)
  }
  const { outgoing } = (c.env ?? {}) as Partial<HttpBindings>
  if (!outgoing) return c.body(toWebStream(stream), 200, HEADERS)
  const { headers } = c.body(null, 200, HEADERS)
  outgoing.writeHead(200, Object.fromEntries(headers))
  outgoing.flushHeaders()
  outgoing.once('close', stream.close)
  // Who left while the stream was made ready is not heard of again.
  if (outgoing.destroyed) stream.close()
  stream.attach({
    write(text) {
      outgoing.write(text)
      return outgoing.writableLength < MOST_WAITING_BYTES
    },
    end: () => outgoing.end(),
  })
  return alreadySent()
}

/** Node's server looks for the mark only in a response whose body was asked for. */
function alreadySent(): Response {
  if (RESPONSE_ALREADY_SENT.body) throw new Error('What is sent already has no body')
  return RESPONSE_ALREADY_SENT
}

function toWebStream(stream: EventStream): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const size = ({ length }: Uint8Array) => length
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        stream.attach({
          write(text) {
            controller.enqueue(encoder.encode(text))
            return (controller.desiredSize ?? 0) > 0
          },
          end: () => controller.close(),
        })
      },
      cancel: stream.close,
    },
    { highWaterMark: MOST_WAITING_BYTES, size },
  )
}

import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'

/** A comment, which browsers ignore. */
const HEARTBEAT = ':\n\n'
/** The most that waits for a client that reads nothing. Its connection would be ended soon anyway. */
const MOST_WAITING_BYTES = 4_096

const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  // Stops nginx from buffering events.
  'X-Accel-Buffering': 'no',
} as const

/** Takes text, and returns whether there is room for more. */
type Client = { write(text: string): boolean; end(): void }
export type EventStream = ReturnType<typeof openEventStream>

/** Opens a stream of server-sent events for one client. Calls `onEnd` once, at the end of the stream. */
export function openEventStream(onEnd: () => void) {
  let isOpen = true
  let client: Client | undefined
  let early = ''

  function close(): void {
    if (!isOpen) return
    isOpen = false
    onEnd()
  }

  function end(): void {
    if (!isOpen) return
    close()
    client?.end()
  }

  function write(text: string): void {
    if (!isOpen) return
    if (!client) early += text
    else if (!client.write(text)) end()
  }

  return {
    send: (data: string) => write(`data: ${data}\n\n`),
    /** Sends a comment that shows proxies and the server's own guards that the stream lives. */
    beat: () => write(HEARTBEAT),
    end,
    /** Closes the stream of a client that has left. */
    close,
    /** Sends earlier events and all later ones to a client. */
    attach(to: Client): void {
      client = to
      if (early) to.write(early)
      early = ''
      if (!isOpen) to.end()
    },
  }
}

/**
 * Answers with the stream, straight to Node's response where there is one. Hono's `streamSSE` takes 21 KB of
 * heap for each open page instead of 8, and has no limit for a client that does not read.
 */
export function answerEvents(c: Context, stream: EventStream): Response {
  // The stream would stay open on a connection whose client sends its next request.
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
  // A client that left earlier emits no further event.
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

/** Reads the body of the mark, because the server looks for the mark only in a response with a body. */
function alreadySent(): Response {
  if (RESPONSE_ALREADY_SENT.body) throw new Error('A response that is already sent has no body')
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

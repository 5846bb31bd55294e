const encoder = new TextEncoder()
/** A comment, which browsers ignore. */
const HEARTBEAT = encoder.encode(':\n\n')
/** Events that wait for a client that reads nothing. Its connection would be ended soon anyway. */
const MOST_WAITING = 8

export const EVENT_HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  // For nginx, which would keep events until there are enough of them.
  'X-Accel-Buffering': 'no',
} as const

export type EventStream = ReturnType<typeof openEventStream>

/** Server-sent events for one client. `onEnd` is called once, whoever ends the stream. */
export function openEventStream(onEnd: () => void) {
  let isOpen = true
  let controller: ReadableStreamDefaultController<Uint8Array>
  const body = new ReadableStream<Uint8Array>(
    {
      start(each) {
        controller = each
      },
      cancel: close,
    },
    new CountQueuingStrategy({ highWaterMark: MOST_WAITING }),
  )

  function close(): void {
    if (!isOpen) return
    isOpen = false
    onEnd()
  }

  function end(): void {
    if (!isOpen) return
    close()
    controller.close()
  }

  function write(bytes: Uint8Array): void {
    if (!isOpen) return
    controller.enqueue(bytes)
    if ((controller.desiredSize ?? 0) <= 0) end()
  }

  return {
    body,
    send: (data: string) => write(encoder.encode(`data: ${data}\n\n`)),
    /** Sends something that shows proxies and the server's own guards that the stream lives. */
    beat: () => write(HEARTBEAT),
    end,
  }
}

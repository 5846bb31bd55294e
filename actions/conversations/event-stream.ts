/** A comment, which browsers ignore. */
const HEARTBEAT = ':\n\n'
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

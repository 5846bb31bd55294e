/** A comment, which browsers ignore. */
const HEARTBEAT = ':\n\n'
/** Takes text, and says whether there is room for more. */
type Client = { write(text: string): boolean; end(): void }

export type EventStream = ReturnType<typeof openEventStream>

/** Server-sent events for one client. `onEnd` is called once, whoever ends the stream. */
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
    /** Sends something that shows proxies and the server's own guards that the stream lives. */
    beat: () => write(HEARTBEAT),
    end,
    /** For a client that has left. */
    close,
    /** What was sent before goes to the client first. */
    attach(to: Client): void {
      client = to
      if (early) to.write(early)
      early = ''
      if (!isOpen) to.end()
    },
  }
}

import { once } from 'node:events'
import type { Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** A received mail: the envelope's recipients, the whole source as text, and when, in milliseconds. */
export type Received = { from: string; to: string[]; raw: string; at: number }

/**
 * A misbehaviour of a mail server: `refuse` is its answer to recipients, with this code; `dies`
 * breaks the connection in the middle of a mail or before it confirms the mail.
 */
export type Mood = {
  refuse?: string
  responseCode?: number
  slowMs?: number
  dies?: 'halfway' | 'unthanked'
}

/** A mail server on loopback, on a free port or the given one, until it is stopped. */
export async function startMailServer(mood: Mood = {}, port = 0) {
  const received: Received[] = []
  const sockets = new Set<Socket>()
  const breakAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo(_address, _session, done) {
      const { refuse, responseCode = 550, slowMs = 0 } = mood
      const refusal = refuse ? Object.assign(new Error(refuse), { responseCode }) : null
      setTimeout(() => done(refusal), slowMs)
    },
    onData(stream, { envelope }, done) {
      if (mood.dies === 'halfway') stream.once('data', breakAll)
      let raw = ''
      stream.setEncoding('utf8')
      stream.on('data', (chunk: string) => {
        raw += chunk
      })
      stream.on('end', () => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        if (mood.dies === 'halfway') return
        const to = envelope.rcptTo.map(({ address }) => address)
        received.push({ from, to, raw, at: Date.now() })
        if (mood.dies === 'unthanked') return breakAll()
        done()
      })
    },
  })
  // Some tests break the connection on purpose.
  server.on('error', () => undefined)
  const listening = server.listen(port, '127.0.0.1')
  listening.on('connection', (socket: Socket) => sockets.add(socket))
  await once(listening, 'listening')
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()))
  /** Sets the server's behaviour. */
  const behave = (next: Mood) => {
    mood = next
  }
  /** Counts the connections so far. */
  const clients = () => sockets.size
  return { url: `smtp://127.0.0.1:${portOf(listening)}`, received, behave, clients, stop }
}

export function portOf(server: { address(): unknown }): number {
  return (server.address() as { port: number }).port
}

/** The header fields by their names in lower case, folded lines joined; each may come only once. */
export function headersOf({ raw }: Received): Record<string, string> {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ')
  const fields = head.split('\r\n').map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
  })
  const names = fields.map(([name]) => name)
  if (new Set(names).size < names.length) throw new Error(`A header twice: ${names.join(', ')}`)
  return Object.fromEntries(fields)
}

export function textOf(mail: Received): string {
  return partOf(mail, 'text/plain')
}

/** The decoded part of a mail with this type. */
export function partOf({ raw }: Received, type: 'text/plain' | 'text/html'): string {
  const boundary = /boundary="([^"]+)"/.exec(raw)?.[1] ?? ''
  const part = raw.split(`--${boundary}\r\n`).find((each) => each.includes(`Type: ${type}`)) ?? ''
  const body = part.slice(part.indexOf('\r\n\r\n') + 4).split(`\r\n\r\n--${boundary}`)[0] ?? ''
  const text = part.includes('Transfer-Encoding: quoted-printable') ? unquote(body) : body
  // The line before the next boundary is not the mail's.
  return `${text.replace(/\r\n/g, '\n').trimEnd()}\n`
}

function unquote(text: string): string {
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

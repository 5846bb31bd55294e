import { once } from 'node:events'
import { createServer } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'

/** A mail as it arrived: to whom the envelope said, and every byte of it as text. */
export type Received = { from: string; to: string[]; raw: string }

/** A mail server on loopback for the time of one test. `refuse` is what it says to recipients. */
export async function openMailServer({ refuse }: { refuse?: string } = {}) {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_address, _session, done) => done(refuse ? new Error(refuse) : null),
    onData(stream, { envelope }, done) {
      let raw = ''
      stream.setEncoding('utf8')
      stream.on('data', (chunk: string) => {
        raw += chunk
      })
      stream.on('end', () => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        received.push({ from, to: envelope.rcptTo.map(({ address }) => address), raw })
        done()
      })
    },
  })
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { url: `smtp://127.0.0.1:${portOf(listening)}`, received }
}

/** The address of a mail server that does not answer. */
export async function deadMailServer(): Promise<string> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const port = portOf(probe)
  probe.close()
  await once(probe, 'close')
  return `smtp://127.0.0.1:${port}`
}

function portOf(server: { address(): unknown }): number {
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

export function textOf({ raw }: Received): string {
  return raw.slice(raw.indexOf('\r\n\r\n') + 4).replace(/\r\n/g, '\n')
}

import { createServer, type Socket } from 'node:net'

const OID = { text: 25, number: 23, flag: 16 }

/** A value of a row as the server writes it. */
function encode(value: string | number | boolean) {
  if (typeof value === 'boolean') return { oid: OID.flag, text: value ? 't' : 'f' }
  return { oid: typeof value === 'number' ? OID.number : OID.text, text: String(value) }
}

export type Row = Record<string, string | number | boolean>

/**
 * Starts a server that accepts everybody and answers each statement with one row, or with none, for
 * answers that no installed PostgreSQL gives. Returns its port and the statements that it got.
 */
export async function fakePostgres(answer: (statement: string) => Row | undefined) {
  const statements: string[] = []
  const server = createServer((socket) => {
    let isStarted = false
    let rest: Buffer = Buffer.alloc(0)
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk])
      // The first message has no letter for its kind.
      for (let head = isStarted ? 1 : 0; rest.length >= head + 4; head = 1) {
        const end = head + rest.readInt32BE(head)
        if (rest.length < end) return
        const message = rest.subarray(0, end)
        rest = rest.subarray(end)
        if (!isStarted) {
          isStarted = true
          // Let in, and ready.
          socket.write(Buffer.concat([packet('R', int32(0)), packet('Z', 'I')]))
        } else if (message.toString('latin1', 0, 1) === 'Q') {
          const statement = message.toString('utf8', 5, end - 1)
          statements.push(statement)
          reply(socket, answer(statement))
        } else socket.end()
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port was given')
  return { port: address.port, statements, close: () => void server.close() }
}

function reply(socket: Socket, row: Row | undefined): void {
  const cells = Object.entries(row ?? {}).map(([name, value]) => ({ name, ...encode(value) }))
  const described = cells.flatMap(({ name, oid }) => [
    `${name}\0`,
    int32(0),
    int16(0),
    int32(oid),
    int16(-1),
    int32(-1),
    int16(0),
  ])
  const values = cells.flatMap(({ text }) => [int32(Buffer.byteLength(text)), text])
  const parts = [
    packet('T', int16(cells.length), ...described),
    ...(row ? [packet('D', int16(cells.length), ...values)] : []),
    packet('C', 'SELECT\0'),
    packet('Z', 'I'),
  ]
  socket.write(Buffer.concat(parts))
}

function packet(kind: string, ...parts: (string | Buffer)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)))
  return Buffer.concat([Buffer.from(kind), int32(body.length + 4), body])
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

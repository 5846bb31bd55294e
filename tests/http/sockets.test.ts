import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { open as openFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ReadableStream } from 'node:stream/web'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readPart } from '#storage/reading.ts'
import { openTestApp } from '#tests/support/app.ts'
import { serve } from '#tests/support/sockets.ts'

const MB = 1024 * 1024

async function listen(...served: Parameters<typeof serve>) {
  const { server, port } = await serve(...served)
  const open = async () => {
    const socket = connect(port, '127.0.0.1')
    // A server that has ended the connection may answer what still comes with a reset.
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    return socket
  }
  return { open, server, connections: () => countConnections(server) }
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
const pipelined = (paths: string[]) => paths.map(get).join('')

/** An application that answers its path, as many bytes as it is given. */
function echoing(bytes: number) {
  const seen: string[] = []
  let underWay = 0
  let most = 0
  const fetch = async ({ url }: Request) => {
    seen.push(new URL(url).pathname)
    most = Math.max(most, ++underWay)
    await sleep(1)
    underWay--
    return new Response(`${new URL(url).pathname};`.padEnd(bytes, 'x'))
  }
  return { fetch, seen, most: () => most }
}

/** Waits for an answer with a body of so many bytes. */
async function untilReceived(socket: Socket, bytes: number): Promise<string> {
  let received = ''
  for (;;) {
    const [piece] = await once(socket, 'data')
    received += (piece as Buffer).toString('latin1')
    const head = received.indexOf('\r\n\r\n')
    if (head >= 0 && received.length - head - 4 >= bytes) return received
  }
}

async function readAll(socket: Socket): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of socket) pieces.push(piece)
  return Buffer.concat(pieces).toString('latin1')
}

test.each(['Host: localhost\r\nHost: other.example', 'host: localhost\r\nHOST: localhost'])(
  'a request with two Host headers is refused: %j',
  async (hosts) => {
    const { fetch, seen } = echoing(10)
    const { open } = await listen(fetch)
    const socket = await open()
    const accept = 'Accept: application/problem+json'
    socket.write(`GET / HTTP/1.1\r\n${hosts}\r\n${accept}\r\n\r\n`)
    const answer = await readAll(socket)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('"code":"invalid.host"')
    expect(seen).toEqual([])
  },
)

test('requests of a connection that come after each answer are answered on it', async () => {
  const app = echoing(64 * 1024)
  const { open } = await listen(app.fetch)
  const socket = await open()
  const paths = Array.from({ length: 20 }, (_, i) => `/${i}`)
  for (const path of paths) {
    socket.write(get(path))
    await untilReceived(socket, 64 * 1024)
  }
  expect(app.seen).toEqual(paths)
})

test('a request that comes before the last one is answered closes the connection, unseen', async () => {
  const app = echoing(10)
  const { open } = await listen(app.fetch)
  const socket = await open()
  socket.write(pipelined(['/scan/first', '/second']))
  await once(socket.resume(), 'close')
  await sleep(20)
  expect(app.seen).toEqual(['/scan/first'])
})

test('a connection that sends a thousand requests at once is ended, and few are answered', async () => {
  const app = await openTestApp()
  const { fetch } = app.app
  const { open } = await listen(fetch)
  const ask = async () => {
    const socket = await open()
    socket.pause()
    socket.write(pipelined(Array(1_000).fill('/api/openapi.json')))
    return socket
  }
  await ask()
  await sleep(200)
  const idle = process.memoryUsage().rss
  const logged = app.logged.length
  const sockets = await Promise.all(Array.from({ length: 5 }, ask))
  await Promise.all(sockets.map((socket) => once(socket.resume(), 'close')))
  expect(process.memoryUsage().rss - idle).toBeLessThan(60 * MB)
  expect(app.logged.length - logged).toBeLessThanOrEqual(sockets.length)
})

test('the rest of a packet with pipelined requests is not parsed', async () => {
  const { open, server } = await listen(echoing(1).fetch)
  const parsed = vi.fn()
  server.on('request', parsed)
  const socket = await open()
  socket.write(pipelined(Array(1_000).fill('/')))
  await once(socket.resume(), 'close')
  expect(parsed.mock.calls.length).toBeLessThan(5)
})

test('a client that never reads is disconnected after the limit, even if it goes on sending', async () => {
  const app = echoing(16 * MB)
  const { open, connections } = await listen(app.fetch, { stallMs: 300 })
  const socket = await open()
  socket.pause()
  socket.write(get('/'))
  const sending = setInterval(() => socket.write('\r\n'), 50)
  await vi.waitFor(() => expect(app.seen).toEqual(['/']), 15_000)
  expect(await connections()).toBe(1)
  await vi.waitFor(async () => expect(await connections()).toBe(0), 15_000)
  clearInterval(sending)
  socket.destroy()
})

test('a client that reads slowly, or waits for data that is not there yet, stays connected', {
  tags: 'slow',
}, async () => {
  const bytes = 16 * MB
  const slow = echoing(bytes)
  const { open } = await listen(slow.fetch, { stallMs: 1_000 })
  const socket = await open()
  socket.pause()
  socket.write(get('/').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
  let read = 0
  socket.on('data', (piece) => {
    read += piece.length
    socket.pause()
    setTimeout(() => socket.resume(), 5)
  })
  socket.resume()
  await once(socket, 'close')
  expect(read).toBeGreaterThan(bytes)

  const events = async () => {
    async function* twice(): AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode('one')
      await sleep(900)
      yield new TextEncoder().encode('two')
    }
    return new Response(ReadableStream.from(twice()) as globalThis.ReadableStream)
  }
  const idle = await listen(events, { stallMs: 300 })
  const listener = await idle.open()
  listener.write(get('/').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
  expect(await readAll(listener)).toMatch(/one[\s\S]*two/)
})

test('a client without a request is disconnected after the limit, even if it sends empty lines', async () => {
  const { open, connections } = await listen(echoing(10).fetch, { stallMs: 300 })
  const socket = await open()
  socket.write(get('/'))
  await once(socket, 'data')
  const sending = setInterval(() => socket.write('\r\n'), 50)
  await vi.waitFor(async () => expect(await connections()).toBe(0), 15_000)
  clearInterval(sending)
})

test('a scan page does not wait for a hundred other requests', async () => {
  const seen: string[] = []
  const fetch = async ({ url }: Request) => {
    seen.push(new URL(url).pathname)
    return new Response('page')
  }
  const { open, connections } = await listen(fetch)
  const finder = await open()
  const others = await Promise.all(Array.from({ length: 100 }, open))
  await vi.waitFor(async () => expect(await connections()).toBe(101), 15_000)
  for (const socket of others) socket.write(get('/other'))
  await vi.waitFor(() => expect(seen.length).toBeGreaterThan(0), { interval: 1, timeout: 15_000 })
  finder.write(get('/scan/one'))
  await Promise.all([finder, ...others].map((socket) => once(socket, 'data')))
  expect(seen).toHaveLength(101)
  expect(seen.indexOf('/scan/one')).toBeLessThan(50)
})

test('a small body that does not come is not waited for, whether its length is known or not', async () => {
  const reading = async (request: Request) => new Response(await request.text())
  const { open, connections } = await listen(reading, { bodyMs: 300 })
  for (const begin of [
    'Content-Length: 9000\r\n\r\n',
    'Transfer-Encoding: chunked\r\n\r\n2328\r\n',
  ]) {
    const socket = await open()
    socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\n${begin}`)
    const dripping = setInterval(() => socket.write('a'), 100)
    await vi.waitFor(async () => expect(await connections()).toBe(0), 15_000)
    clearInterval(dripping)
  }
})

const inOne = (body: string) => `Content-Length: ${body.length}\r\n\r\n${body}`
const inPieces = (body: string) =>
  `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`

test.each([
  ['of 60 KB', inOne, 60_000, /^HTTP\/1.1 401 /],
  ['of 60 KB in pieces', inPieces, 60_000, /^HTTP\/1.1 401 /],
  ['of 70 KB', inOne, 70_000, /^HTTP\/1.1 413 /],
  ['of 70 KB in pieces', inPieces, 70_000, /^HTTP\/1.1 413 /],
  [
    'in pieces that says another length',
    (body: string) => `Content-Length: 5\r\n${inPieces(body)}`,
    70_000,
    /^HTTP\/1.1 400 Bad Request\r\nConnection: close\r\n\r\n$/,
  ],
])(
  'a body %s is accepted or refused by its length and encoding',
  async (_, sent, length, answer) => {
    const { app } = await openTestApp()
    const { open } = await listen(app.fetch)
    const socket = await open()
    const head = 'POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n'
    const body = JSON.stringify({
      contact: 'a@example.in',
      password: 'x',
      other: 'x'.repeat(length),
    })
    socket.write(`${head}Content-Type: application/json\r\n${sent(body)}`)
    const [answered] = await once(socket, 'data')
    expect(String(answered)).toMatch(answer)
  },
)

test.each([
  ['/login?mode=password', 'application/x-www-form-urlencoded'],
  ['/api/auth/login', 'application/json'],
])('a body of %s whose sender is gone is no failure of the server', async (path, type) => {
  const { app, deps, logged } = await openTestApp()
  const { open } = await listen(app.fetch)
  const socket = await open()
  const { origin, host } = new URL(deps.config.publicUrl)
  const head = `Host: ${host}\r\nOrigin: ${origin}\r\nContent-Type: ${type}\r\nContent-Length: 50`
  socket.write(`POST ${path} HTTP/1.1\r\n${head}\r\n\r\ncontact=`)
  await sleep(100)
  socket.destroy()
  await vi.waitFor(() => expect(logged.join()).toContain('"status":400'), 15_000)
  expect(logged.join()).not.toContain('request failed')
  expect(deps.health.countFailures()).toBe(0)
})

test("a body that nobody reads is in nobody's way", async () => {
  const { app } = await openTestApp()
  const { open } = await listen(app.fetch)
  const socket = await open()
  const head = 'POST /api/auth/passkey/options HTTP/1.1\r\nHost: localhost\r\n'
  for (let n = 0; n < 3; n++) {
    socket.write(`${head}Content-Length: 60000\r\n\r\n${'x'.repeat(60_000)}`)
    expect(await untilReceived(socket, 1)).toMatch(/^HTTP\/1.1 200/)
    await sleep(20)
  }
})

test('a large body has time while it is read, and none when its request is answered', async () => {
  const reading = async (request: Request) =>
    new Response(request.method === 'POST' ? `${(await request.text()).length} bytes` : 'page')
  const { open, connections } = await listen(reading, { bodyMs: 300 })
  const start = async (method: string) => {
    const socket = await open()
    const length = 256 * 1024
    socket.write(`${method} / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`)
    socket.write('x'.repeat(1024))
    return { socket, rest: 'x'.repeat(length - 1024) }
  }
  const answered = await start('GET')
  answered.socket.resume()
  const dripping = setInterval(() => answered.socket.write('x'), 100)
  await vi.waitFor(async () => expect(await connections()).toBe(0), 15_000)
  clearInterval(dripping)
  const { socket, rest } = await start('POST')
  await sleep(900)
  expect(await connections()).toBe(1)
  socket.write(rest)
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toContain('262144 bytes')
})

test('pieces of files are read into the same memory again, and arrive as they are', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'driveqr-sockets-'))
  const path = join(folder, 'file')
  const file = randomBytes(4 * MB)
  writeFileSync(path, file)
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const buffers = new Set<ArrayBufferLike>()
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for await (const piece of readPart(() => openFile(path), { first: 0, last: file.length - 1 })) {
      buffers.add(piece.buffer)
      yield piece
    }
  }
  const fetch = async () => {
    const body = ReadableStream.from(pieces()) as globalThis.ReadableStream
    return new Response(body, { headers: { 'Content-Length': String(file.length) } })
  }
  const { open } = await listen(fetch)
  const sockets = await Promise.all(Array.from({ length: 4 }, open))
  const ask = get('/').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')
  for (const socket of sockets) socket.write(ask)
  for (const answer of await Promise.all(sockets.map(readAll))) {
    const body = answer.slice(answer.indexOf('\r\n\r\n') + 4)
    expect(Buffer.from(body, 'latin1').equals(file)).toBe(true)
  }
  expect(buffers.size).toBeLessThan(40)
})

test('connections of an address are limited, and closed ones are free again', async () => {
  const { open, connections } = await listen(echoing(1).fetch, { perAddress: 3 })
  const sockets = await Promise.all([open(), open(), open()])
  const refused = await open()
  await once(refused.resume(), 'close')
  expect(await connections()).toBe(3)
  for (const socket of sockets) socket.destroy()
  await vi.waitFor(async () => expect(await connections()).toBe(0), 15_000)
  const again = await open()
  again.write(get('/'))
  await once(again, 'data')
})

test.each(['/dashboard', '/settings/plan', '/nothing', '/api/auth/me'])(
  'a host of which no address can be made is no fault of %s',
  async (path) => {
    const { app } = await openTestApp()
    const { open } = await listen(app.fetch)
    const socket = await open()
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 999.1\r\nConnection: close\r\n\r\n`)
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /)
  },
)

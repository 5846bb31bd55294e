import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { createGuard, type Ways } from '#mail/guarded-request.ts'

export type Received = {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

type Answer = (response: ServerResponse, received: Received) => void

/** The stand-ins for a public address and for one of the internal network. */
export const PUBLIC_HOST = '127.0.0.1'
export const INTERNAL_HOST = '127.0.0.2'

/** A guard to which `PUBLIC_HOST` is the only public address, and which asks no name servers. */
export function testGuard(ways: Partial<Ways> = {}) {
  const resolve: Ways['resolve'] = (name) => Promise.reject(new Error(`no such name: ${name}`))
  const isAllowed = (address: string) => address === PUBLIC_HOST
  return createGuard(
    { allowPrivateTargets: false },
    { resolve, isAllowed, limitMs: 5_000, ...ways },
  )
}

/** Opens an HTTP server for one test, which keeps the requests that it gets. */
export async function openReceiver(
  answer: Answer = (response) => response.end(),
  host = PUBLIC_HOST,
) {
  const { received, listener } = receiving(answer)
  const port = await listen(createServer(listener), host)
  return { received, port, url: `http://${host}:${port}` }
}

/** Opens an encrypted receiver like `openReceiver`; `names` are those that callers requested (SNI). */
export async function openTlsReceiver(
  certificate: { cert: string; key: string },
  answer: Answer = (response) => response.end(),
) {
  const { received, listener } = receiving(answer)
  const server = createTlsServer(certificate, listener)
  const names: (string | false)[] = []
  server.on('secureConnection', ({ servername }) => names.push(servername ?? false))
  const port = await listen(server, PUBLIC_HOST)
  return { received, names, port, url: `https://${PUBLIC_HOST}:${port}` }
}

function receiving(answer: Answer) {
  const received: Received[] = []
  const listener: RequestListener = async (request, response) => {
    const one = await toReceived(request)
    received.push(one)
    answer(response, one)
  }
  return { received, listener }
}

async function listen(server: Server, host: string): Promise<number> {
  server.listen(0, host)
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return (server.address() as AddressInfo).port
}

async function toReceived(request: IncomingMessage): Promise<Received> {
  let body = ''
  for await (const piece of request.setEncoding('utf8')) body += piece
  const { method = '', url: path = '', headers } = request
  return { method, path, headers, body }
}

/** A server for one test that speaks to each connection as the test says. */
export async function openSpeaker(speak: (socket: Socket) => void, host = PUBLIC_HOST) {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    // A caller may hang up at any time.
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    // Otherwise nobody notices when it does.
    socket.resume()
    speak(socket)
  })
  server.listen(0, host)
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const { port } = server.address() as AddressInfo
  return { sockets, port, url: `http://${host}:${port}` }
}

/** Limits for one connection and for one address. */
import type { IncomingMessage, RequestListener, Server } from 'node:http'
import type { Socket } from 'node:net'
import { networksOf } from '#domain/networks.ts'
import { inLaterTurn } from '#storage/later-turn.ts'

export type SocketLimits = {
  /** how long a client may take none of the data to be sent */
  stallMs?: number
  /** how long a small body may take to arrive */
  bodyMs?: number
  /** connections of one address; undefined for no limit, behind a proxy */
  perAddress?: number | undefined
}

const STALL_MS = 30_000
const BODY_MS = 30_000
/** A larger body is an upload. Its speed is checked where it is read. */
const SMALL_BODY_BYTES = 64 * 1024
/** A stall is detected late by at most this fraction of it. */
const CHECKS_PER_STALL = 6
/** Finders have priority over all other requests. */
const SCAN_PAGES = '/scan/'

/**
 * Answers one request of a connection at a time, and closes a connection that sends another one before.
 * Browsers and proxies do not pipeline requests. Node would start them all, and keep each unread answer in
 * memory. Scan pages start before other requests.
 */
export function oneAtATime(answer: RequestListener): RequestListener {
  return function answerAlone(request, response) {
    const { socket } = request
    // Node assigns the socket to a response when the one before has ended.
    if (!response.socket) return closeUnparsed(socket)
    const start = () => void (socket.destroyed || answer(request, response))
    if (request.url?.startsWith(SCAN_PAGES)) start()
    else startLater(start)
  }
}

type Parser = { onIncoming: () => number }

/** Tells Node's parser that another protocol follows, so it stops. */
const UPGRADED = 2

/**
 * Closes a connection without parsing the rest of its packet. Node would go on parsing: a packet of 1,000
 * requests takes 34 ms of processor time, and 4 with this. Node has no public function for it.
 */
function closeUnparsed(socket: Socket): void {
  const { parser } = socket as unknown as { parser?: Parser | null }
  if (parser) parser.onIncoming = () => UPGRADED
  socket.destroy()
}

const starts: (() => void)[] = []

/** Starts one request per turn of the event loop, so that a hundred at once do not delay finders. */
function startLater(start: () => void): void {
  if (starts.push(start) === 1) setImmediate(startNext)
}

function startNext(): void {
  const start = starts.shift()
  if (starts.length > 0) inLaterTurn(startNext, starts.length)
  start?.()
}

/**
 * Closes a connection whose request body is not complete in time, unless it is a large body that is
 * being read: only uploads may take longer.
 */
export function endSlowBodies(server: Server, { bodyMs = BODY_MS }: SocketLimits): void {
  server.on('request', (request, response) => {
    const { socket } = request
    if (socket.destroyed || !hasBody(request)) return
    const before = socket.bytesRead
    const check = setTimeout(() => {
      const isLarge = socket.bytesRead - before > SMALL_BODY_BYTES || isDeclaredLarge(request)
      if (!request.complete && (response.closed || !isLarge)) socket.destroy()
    }, bodyMs).unref()
    response.once('close', () => request.complete && clearTimeout(check))
  })
}

const hasBody = ({ headers }: IncomingMessage) =>
  'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0

const isDeclaredLarge = ({ headers }: IncomingMessage) =>
  Number(headers['content-length']) > SMALL_BODY_BYTES

type Progress = { sent: number; at: number; answering: number }

/** `net.Socket` uses these for its own timeout. Its public counts include unsent bytes. */
type Handle = { bytesWritten: number; writeQueueSize: number }

/**
 * Closes connections whose client takes none of the data to be sent, or requests nothing. A
 * connection that waits for its answer stays open. Received bytes are not progress: empty lines
 * between two requests would keep a connection open without end.
 */
export function endIdleSockets(server: Server, { stallMs = STALL_MS }: SocketLimits): void {
  const sockets = new Map<Socket, Progress>()
  server.on('connection', (socket) => {
    sockets.set(socket, { sent: 0, at: performance.now(), answering: 0 })
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    const progress = sockets.get(socket)
    if (!progress) return
    progress.answering++
    response.once('close', () => progress.answering--)
  })
  const check = setInterval(() => {
    const now = performance.now()
    for (const [socket, progress] of sockets) {
      const sent = sentBytes(socket)
      const isWaitedFor = socket.writableLength === 0 && progress.answering > 0
      if (isWaitedFor || sent !== progress.sent) Object.assign(progress, { sent, at: now })
      else if (now - progress.at >= stallMs) socket.destroy()
    }
  }, stallMs / CHECKS_PER_STALL).unref()
  server.once('close', () => clearInterval(check))
}

function sentBytes(socket: Socket): number {
  const { _handle: handle } = socket as unknown as { _handle: Handle | null }
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0
}

/** Closes new connections of an address that already has too many. */
export function capConnections(server: Server, { perAddress }: SocketLimits): void {
  if (perAddress === undefined) return
  const open = new Map<string, number>()
  server.on('connection', (socket) => {
    const address = networksOf(socket.remoteAddress ?? '')[0].name
    const count = open.get(address) ?? 0
    if (count >= perAddress) return socket.destroy()
    open.set(address, count + 1)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
  })
}

/** What one connection, and one address, may take of the server. */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { networksOf } from '#domain/networks.ts'
import { inLaterTurn } from '#storage/later-turn.ts'

export type SocketLimits = {
  /** how long a client may take nothing of what is to be sent */
  stallMs?: number
  /** in which a small body must be there */
  bodyMs?: number
  /** connections of one address; undefined where a proxy has its own */
  perAddress?: number | undefined
}

const STALL_MS = 30_000
const BODY_MS = 30_000
/** What is larger is an upload, whose pace is watched where it is read. */
const SMALL_BODY_BYTES = 64 * 1024
/** A stall is noticed late by at most this part of it. */
const CHECKS_PER_STALL = 6
/** Browsers send the next request after the answer; a few programs send some ahead. */
const MOST_WAITING = 8
/** What finders ask for comes before all else. */
const SCAN_PAGES = '/scan/'

type Exchange = [IncomingMessage, ServerResponse]

/**
 * Answers the requests of a connection one after the other, as the protocol sends the answers
 * anyway: a client that reads nothing keeps one answer in memory, however many it asks for. A
 * connection with too many of them is ended. Of many connections, scan pages come first.
 */
export function inTurn(answer: RequestListener): RequestListener {
  const busy = new WeakMap<Socket, Exchange[]>()

  function begin(waiting: Exchange[], [request, response]: Exchange): void {
    response.once('close', () => {
      const next = request.socket.writable ? waiting.shift() : undefined
      if (next) begin(waiting, next)
      else busy.delete(request.socket)
    })
    const start = () => request.socket.destroyed || answer(request, response)
    if (request.url?.startsWith(SCAN_PAGES)) start()
    else startLater(start)
  }

  return function answerInTurn(request, response) {
    const { socket } = request
    if (socket.destroyed) return
    const waiting = busy.get(socket)
    if (!waiting) {
      const none: Exchange[] = []
      busy.set(socket, none)
      begin(none, [request, response])
    } else if (waiting.push([request, response]) > MOST_WAITING) {
      waiting.length = 0
      leaveRest(socket)
      socket.destroy()
    }
  }
}

const starts: (() => void)[] = []

/** One request in a turn of the event loop: a hundred at once are no reason for finders to wait. */
function startLater(start: () => void): void {
  if (starts.push(start) === 1) setImmediate(startNext)
}

function startNext(): void {
  const start = starts.shift()
  if (starts.length > 0) inLaterTurn(startNext, starts.length)
  start?.()
}

type Parser = { onIncoming: () => number }

/** Node's parser takes what follows for another protocol's, and leaves it. */
const UPGRADED = 2

/**
 * Leaves the rest of a packet unread. Node parses all requests of it at once, also when their
 * connection has ended: a thousand take 15 ms and 3 MB.
 */
function leaveRest(socket: Socket): void {
  const { parser } = socket as unknown as { parser?: Parser | null }
  if (parser) parser.onIncoming = () => UPGRADED
}

/**
 * Ends a connection whose request has no whole body in time, unless it is a large one that is being
 * read: who asks for an upload may take as long as the upload, and nobody else.
 */
export function endSlowBodies(server: Server, { bodyMs = BODY_MS }: SocketLimits): void {
  server.on('request', (request, response) => {
    if (!hasBody(request)) return
    const { socket } = request
    const before = socket.bytesRead
    const check = setTimeout(() => {
      const isLarge = socket.bytesRead - before > SMALL_BODY_BYTES || isSaidLarge(request)
      if (!request.complete && (response.closed || !isLarge)) socket.destroy()
    }, bodyMs).unref()
    response.once('close', () => request.complete && clearTimeout(check))
  })
}

const hasBody = ({ headers }: IncomingMessage) =>
  'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0

const isSaidLarge = ({ headers }: IncomingMessage) =>
  Number(headers['content-length']) > SMALL_BODY_BYTES

type Progress = { sent: number; at: number; answering: number }

/** Where `net.Socket` itself looks for progress: its public counts end at what was handed over. */
type Handle = { bytesWritten: number; writeQueueSize: number }

/**
 * Ends connections whose client takes nothing of what is to be sent, or asks for nothing. One whose
 * answer is not there yet is left alone, however long that is open; bytes that come in are no
 * progress: empty lines between two requests would keep a connection for good.
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

/** Refuses the connections of an address that has too many open already. */
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

import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  ServerResponse,
} from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { DomainError } from '#domain/error.ts'
import { PROBLEM_TYPE, problemOf, wantsProblem } from '#routes/_http/problems.ts'
import {
  capConnections,
  endIdleSockets,
  endSlowBodies,
  oneAtATime,
  type SocketLimits,
} from '#server/sockets.ts'
import { handedOver } from '#storage/later-turn.ts'
import { reusePiece } from '#storage/reading.ts'

type Fetch = Parameters<typeof getRequestListener>[0]

/** Counts the bytes of an answer, and reuses the buffer of each piece of a file when the kernel has taken it. */
class PacedResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
  override write(piece: unknown): boolean {
    handedOver(lengthOf(piece))
    if (!(piece instanceof Uint8Array)) return super.write(piece)
    return super.write(piece, () => reusePiece(piece))
  }

  override end(...all: unknown[]): this {
    handedOver(lengthOf(all[0]))
    return super.end(...(all as [unknown]))
  }
}

function lengthOf(piece: unknown): number {
  return typeof piece === 'string' || piece instanceof Uint8Array ? piece.length : 0
}

const OPTIONS = {
  headersTimeout: 5_000,
  // A little more than the largest upload takes at the minimum speed in storage/upload-pace.ts.
  requestTimeout: 1_500_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 5_000,
  ServerResponse: PacedResponse,
}

/** Creates an HTTP server with all limits on connections. It does not listen yet. */
export function createHttpServer(fetch: Fetch, limits: SocketLimits = {}): Server {
  const server = createServer(OPTIONS, oneAtATime(refuseTwoHosts(getRequestListener(fetch))))
  server.maxConnections = 12_000
  server.maxRequestsPerSocket = 1_000
  capConnections(server, limits)
  endIdleSockets(server, limits)
  endSlowBodies(server, limits)
  return server as Server
}

/**
 * Refuses a request with several `Host` headers (RFC 9112, 3.2). Node reads the first one, and a proxy may have
 * decided by another.
 */
function refuseTwoHosts(listener: RequestListener): RequestListener {
  return function refuseHosts(incoming, outgoing) {
    const isName = (_: string, at: number) => at % 2 === 0
    const hosts = incoming.rawHeaders.filter(isName).filter((name) => /^host$/i.test(name))
    if (hosts.length <= 1) return void listener(incoming, outgoing)
    const problem = problemOf(new DomainError('invalid.host'))
    const isAsked = wantsProblem(incoming.headers.accept)
    outgoing.writeHead(problem.status, {
      'Content-Type': isAsked ? PROBLEM_TYPE : 'application/json',
      Refusal: problem.code,
      Connection: 'close',
    })
    outgoing.end(JSON.stringify(isAsked ? problem : { detail: problem.detail }))
  }
}

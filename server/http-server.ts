import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { capConnections, endSlowReaders, inTurn, type SocketLimits } from '#server/sockets.ts'

type Fetch = Parameters<typeof getRequestListener>[0]

const OPTIONS = {
  headersTimeout: 5_000,
  requestTimeout: 120_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 5_000,
}

/** An HTTP server that does not listen yet, with every limit on connections. */
export function createHttpServer(fetch: Fetch, limits: SocketLimits = {}): Server {
  const server = createServer(OPTIONS, inTurn(getRequestListener(fetch)))
  server.maxConnections = 12_000
  server.maxRequestsPerSocket = 1_000
  capConnections(server, limits)
  endSlowReaders(server, limits)
  return server
}

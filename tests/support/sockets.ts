import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { createHttpServer } from '#server/http-server.ts'
import type { SocketLimits } from '#server/sockets.ts'

type Fetch = Parameters<typeof createHttpServer>[0]

/** Serves an application on a port of 127.0.0.1, with the server's limits. Closes it after the test. */
export async function serve(fetch: Fetch, limits?: SocketLimits) {
  const server = createHttpServer(fetch, limits)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const { port } = server.address() as AddressInfo
  return { server, port }
}

import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Drill, Outcome } from '#lab/drills/_drill.ts'
import { findersUntil, inMs, percentile } from '#lab/drills/_finders.ts'
import { end, makeFolder, serve } from '#lab/drills/_folder.ts'
import { SERVER, withoutGuard } from '#lab/drills/_product.ts'

const SOCKETS = 10_000
const OPENED_AT_ONCE = 250
const ALL_GONE_MS = 20_000

export const slowConnections: Drill = {
  name: 'slow-connections',
  promise: `${SOCKETS.toLocaleString('en-IN')} connections that never complete a request are closed, and finders get the page meanwhile`,
  trial: (work) => holdOpen(work, SERVER),
  control: {
    without: "limits, with Node's defaults",
    trial: async (work) => holdOpen(work, await patient()),
  },
}

const patient = withoutGuard('patient', () => [
  { file: 'server/http-server.ts', text: 'headersTimeout: 5_000,', instead: '' },
  { file: 'server/http-server.ts', text: 'connectionsCheckingInterval: 1_000,', instead: '' },
])

async function holdOpen(work: string, program: string): Promise<Outcome> {
  const folder = await makeFolder(work)
  const server = await serve({ dataDir: folder.dataDir, program })
  const until = new AbortController()
  const urls = folder.codes.map((code) => `${server.url}/scan/${code}`)
  const finding = findersUntil(urls, until.signal, { everyMs: 20 })
  const open = new Set<Socket>()
  const startedAt = performance.now()
  let most = 0
  for (let opened = 0; opened < SOCKETS; opened += OPENED_AT_ONCE) {
    for (let i = 0; i < OPENED_AT_ONCE; i++) openSlowly(server.url, opened + i, open)
    await sleep(100)
    most = Math.max(most, open.size)
  }
  while (open.size > 0 && performance.now() - startedAt < ALL_GONE_MS) await sleep(100)
  const seconds = (performance.now() - startedAt) / 1000
  const left = open.size
  for (const socket of open) socket.destroy()
  until.abort()
  const { took, failed } = await finding
  await end(server)
  const p99 = percentile(took, 0.99)
  const figure = [
    `${SOCKETS.toLocaleString('en-IN')} connections, at most ${most.toLocaleString('en-IN')} at once, ${left.toLocaleString('en-IN')} left after ${seconds.toFixed(0)} s`,
    `scan pages meanwhile: ${took.length} of ${took.length + failed}, ${inMs(percentile(took, 0.5))} in the median, ${inMs(p99)} at 99 %`,
  ].join('; ')
  return { figure, isKept: left === 0 && failed === 0 }
}

/** From many loopback addresses, because one has too few ports. */
function openSlowly(url: string, i: number, open: Set<Socket>): void {
  const { port } = new URL(url)
  const localAddress = `127.0.${1 + (i % 20)}.1`
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress })
  socket.on('connect', () => {
    open.add(socket)
    socket.write('GET /scan/AAAAAAAAAAAA HTTP/1.1\r\nHost: localhost\r\nX-Slow: ')
  })
  socket.on('close', () => open.delete(socket)).on('error', () => open.delete(socket))
  socket.resume()
}

import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Drill, Outcome } from '#lab/drills/_drill.ts'
import { describePages, findersUntil } from '#lab/drills/_finders.ts'
import { end, makeFolder, serve } from '#lab/drills/_folder.ts'
import { withoutGuard } from '#lab/drills/_guards.ts'

const SOCKETS = 10_000
const OPENED_AT_ONCE = 250
const ALL_GONE_MS = 20_000

export const slowConnections: Drill = {
  name: 'slow-connections',
  promise: `${SOCKETS.toLocaleString('en-IN')} connections that never complete a request are closed, and finders get the page meanwhile`,
  trial: holdOpen,
  without: "limits, with Node's defaults",
  guardless: withoutGuard('patient', [
    ['server/http-server.ts', 'headersTimeout: 5_000,', ''],
    ['server/http-server.ts', 'connectionsCheckingInterval: 1_000,', ''],
  ]),
}

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
  const found = await finding
  await end(server)
  const figure = [
    `${SOCKETS.toLocaleString('en-IN')} connections, at most ${most.toLocaleString('en-IN')} at once, ${left.toLocaleString('en-IN')} left after ${seconds.toFixed(0)} s`,
    describePages(found),
  ].join('; ')
  return { figure, isKept: left === 0 && found.failed === 0 }
}

/** Connects from one of many loopback addresses, because one has too few ports. */
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

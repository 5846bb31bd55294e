import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Drill, Outcome } from '#lab/drills/_drill.ts'
import { inMs, openFinders, percentile } from '#lab/drills/_finders.ts'
import { end, type Folder, makeFolder, serve } from '#lab/drills/_folder.ts'
import { withoutGuard } from '#lab/drills/_guards.ts'
import { type StartedProxy, startProxy } from '#lab/drills/_proxy.ts'
import { documentForm, makePdf } from '#lab/drills/_uploads.ts'
import { residentMb } from '#lab/support/resident.ts'
import { findProgram } from '#scripts/bootstrap/debian.mjs'
import type { Launched } from '#tests/support/server.ts'

const HTTP = 'server/http-server.ts'
const SOCKETS = 100
const PIPELINED = 1_000
/** Long enough that stalled connections are closed and opened again. */
const FLOOD_MS = 40_000
const WARM_UP_MS = 2_000
/** Before and after the flood, together as many scans as during it. */
const ALONE_MS = FLOOD_MS / 2
const SCAN_EVERY_MS = 20
const REOPENED_AFTER_MS = 500
const ALL_GONE_MS = 45_000
const MOST_MB = 60
const SLOWEST = 3
/** The control is ended here, because it would take gigabytes. */
const FAR_TOO_MUCH_MB = 400
const FILE_BYTES = 9 * 1024 * 1024

export const slowReaders: Drill = {
  name: 'slow-readers',
  promise: `${SOCKETS} connections that pipeline requests and read nothing take ≤ ${MOST_MB} MB and are closed, and scans take ≤ ${SLOWEST} × their usual time (p99), also behind the proxy`,
  trial: async (work, program) => {
    const direct = await flood(work, { program })
    if (!findProgram(['caddy'])) return direct
    const proxied = await flood(work, { program, isProxied: true })
    const figure = `${direct.figure}; behind Caddy: ${proxied.figure}`
    return { figure, isKept: direct.isKept && proxied.isKept }
  },
  without:
    'answering one request at a time, closing stalled connections, one buffer for the API description, and reused buffers for files',
  control: (work, program) => flood(work, { program, isControl: true }),
  guardless: withoutGuard('answering-all', [
    [HTTP, 'oneAtATime(refuseTwoHosts(', '(('],
    [HTTP, '  endIdleSockets(server, limits)\n', ''],
    [HTTP, '  ServerResponse: PacedResponse,\n', ''],
    ['routes/api/openapi.ts', 'made ??= compress', 'made = compress'],
    ['routes/api/docs.tsx', 'made ??= compress', 'made = compress'],
  ]),
}

type Flood = { program: string; isProxied?: boolean; isControl?: boolean }

async function flood(work: string, { program, isProxied, isControl }: Flood): Promise<Outcome> {
  const folder = await makeFolder(work)
  const env = { TRUST_PROXY: isProxied ? '1' : '0' }
  const server = await serve({ dataDir: folder.dataDir, program, env })
  const proxy = isProxied ? await startProxy(work, [server.url]) : undefined
  const url = proxy?.url ?? server.url
  const file = await uploadLarge(server.url, folder)
  const paths = ['/api/openapi.json', file, '/api/docs', file]
  for (const path of paths) await (await fetch(url + path)).arrayBuffer()

  const scans = folder.codes.map((code) => `${url}/scan/${code}`)
  const finders = openFinders({ urls: scans, everyMs: SCAN_EVERY_MS })
  const find = async (ms: number) => {
    await sleep(ms)
    return finders.take()
  }
  await find(WARM_UP_MS)
  const before = await find(ALONE_MS)
  const idle = memoryOf(server, proxy)
  const openBefore = countOpen(server.child.pid)
  let peak = idle
  let isOver = false
  const watch = setInterval(() => {
    const now = memoryOf(server, proxy)
    peak = { server: Math.max(peak.server, now.server), proxy: Math.max(peak.proxy, now.proxy) }
    if (isOver || peak.server - idle.server < FAR_TOO_MUCH_MB) return
    isOver = true
    server.kill('SIGKILL')
  }, 20)
  const readers = openReaders(url, paths)
  const meanwhile = await find(FLOOD_MS)
  clearInterval(watch)
  const seconds = isControl || isOver ? undefined : await untilGone(server.child.pid, openBefore)
  readers.close()
  await finders.take()
  const after = isControl || isOver ? before : await find(ALONE_MS)
  await finders.stop()
  await proxy?.stop()
  await (isOver ? server.ended : end(server))

  const grown = peak.server - idle.server
  const p99 = percentile(meanwhile.took, 0.99)
  const alone = percentile([...before.took, ...after.took], 0.99)
  const figure = [
    `${readers.opened()} connections, ${grown.toFixed(0)} MB above idle${isOver ? ', and stopped there' : ''}`,
    ...(proxy ? [`the proxy ${(peak.proxy - idle.proxy).toFixed(0)} MB`] : []),
    ...(isControl
      ? []
      : [seconds === undefined ? 'not all closed' : `all closed ${seconds} s later`]),
    `scan pages meanwhile: ${meanwhile.took.length} of ${meanwhile.took.length + meanwhile.failed}, ${inMs(p99)} at 99 %, alone ${inMs(alone)}`,
  ].join(', ')
  const isKept =
    grown <= MOST_MB &&
    meanwhile.failed === 0 &&
    p99 <= SLOWEST * alone &&
    (isControl || seconds !== undefined)
  return { figure, isKept }
}

const memoryOf = (server: Launched, proxy: StartedProxy | undefined) => ({
  server: residentMb(server.child.pid),
  proxy: residentMb(proxy?.child.pid),
})

/** A quarter pipelines requests, the others send one. Closed connections are opened again. */
function openReaders(url: string, paths: string[]) {
  const until = performance.now() + FLOOD_MS
  const { port, host } = new URL(url)
  const ask = (path: string, times: number) =>
    `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(times)
  const requests = paths.map((path, i) => ask(path, i === 0 ? PIPELINED : 1))
  const open = new Set<ReturnType<typeof connect>>()
  let opened = 0
  const start = (i: number) => {
    opened++
    const socket = connect({ port: Number(port), host: '127.0.0.1' })
    open.add(socket.pause())
    socket.on('connect', () => socket.write(requests[i % requests.length] ?? ''))
    // A client that does not read notices a closed connection only by sending. Empty lines before a
    // request have no effect.
    const probing = setInterval(() => socket.write('\r\n'), REOPENED_AFTER_MS)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearInterval(probing)
      open.delete(socket)
      if (performance.now() < until) setTimeout(start, REOPENED_AFTER_MS, i)
    })
  }
  for (let i = 0; i < SOCKETS; i++) start(i)
  const close = () => {
    for (const socket of open) socket.destroy()
  }
  return { opened: () => opened, close }
}

/**
 * Seconds until the server has no more open than before; undefined if it still has after the limit.
 */
async function untilGone(pid: number | undefined, before: number): Promise<string | undefined> {
  const startedAt = performance.now()
  while (performance.now() - startedAt < ALL_GONE_MS) {
    const seconds = (performance.now() - startedAt) / 1000
    if (countOpen(pid) <= before) return seconds.toFixed(0)
    await sleep(200)
  }
  return undefined
}

/** The number of connections and open files: an unread answer has one of each. */
const countOpen = (pid = 0) => readdirSync(`/proc/${pid}/fd`).length

/** Uploads a public document, and returns its path. */
async function uploadLarge(url: string, { token, codes }: Folder): Promise<string> {
  const headers = { Authorization: `Bearer ${token}` }
  const body = documentForm(makePdf(FILE_BYTES), 'a.pdf')
  const sent = { method: 'POST', headers, body }
  const answer = await fetch(`${url}/api/documents/upload/${codes[0]}`, sent)
  return ((await answer.json()) as { file_url: string }).file_url
}

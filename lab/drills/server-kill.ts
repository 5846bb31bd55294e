import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { count, type Drill } from '#lab/drills/_drill.ts'
import { inMs } from '#lab/drills/_finders.ts'
import { killHard } from '#lab/drills/_folder.ts'
import { freeUrl, startProxy } from '#lab/drills/_proxy.ts'
import { assessLoad, describeTimes, startLoad, withServers } from '#lab/drills/_servers.ts'
import { freePort } from '#tests/support/server.ts'

const KILLS = 6
const CONTROL_KILLS = 2
const BETWEEN_KILLS_MS = 6_000
const DOWN_MS = 1_000
/**
 * The proxy's answer to requests of a killed server. Caddy 2.6 also gives it to a request with a
 * body that meets a dead server, because it cannot send the body twice.
 */
const CUT = 502
/** Longer than a second try takes on a busy machine, and shorter than any wait for a dead server. */
const LONGEST_PAGE_MS = 3_000
const BETWEEN_BROKEN_MS = 100
const BROKEN_AFTER_MS = 50

export const serverKill: Drill = {
  name: 'server-kill',
  promise: `Of two servers behind Caddy each is killed by kill -9: nothing acknowledged is lost, and finders are served by the other within ${LONGEST_PAGE_MS / 1000} s, while phones lose their connection in the middle of a request`,
  programs: { caddy: 'caddy' },
  trial: async (work) => {
    const { figure, losses, others, failed, late } = await killServers(work, KILLS)
    return { figure, isKept: losses + others + failed + late === 0 }
  },
  control: {
    without: 'trying another server in the proxy',
    trial: async (work) => {
      const change = (config: string) => config.replace(/^\s*(lb_try|fail|health)_.*\n/gm, '')
      const { figure, failed } = await killServers(work, CONTROL_KILLS, change)
      return { figure, isKept: failed === 0 }
    },
  },
}

async function killServers(work: string, kills: number, change?: (config: string) => string) {
  return withServers(work, async (servers) => {
    const url = await freeUrl()
    const env = { ROLE: 'web', PUBLIC_URL: url, TRUST_PROXY: '1' }
    const start = async (port: number) => servers.start({ env, port })
    const ports = [await freePort(), await freePort()]
    const running = [await start(ports[0] ?? 0), await start(ports[1] ?? 0)]
    const upstreams = running.map((each) => each.url)
    const config = 'deploy/several/Caddyfile'
    const proxy = await startProxy(work, upstreams, { config, url, ...(change && { change }) })
    try {
      const load = await startLoad(servers.folder, [url])
      const over = new AbortController()
      const breaking = breakOff(url, over.signal)
      for (let n = 0; n < kills; n++) {
        await sleep(BETWEEN_KILLS_MS)
        const [i, server] = [n % 2, running[n % 2]]
        if (server) await killHard(server)
        await sleep(DOWN_MS)
        running[i] = await start(ports[i] ?? 0)
      }
      over.abort()
      const broken = await breaking
      const times = await load.stop()
      const { figure, ...assessed } = await assessLoad(servers, load, times, [CUT])
      return {
        ...assessed,
        failed: times.failed + assessed.refusedScans,
        late: times.took.filter((ms) => ms > LONGEST_PAGE_MS).length,
        figure: [
          `${count(kills, 'kill')}, ${count(broken, 'request')} broken off by phones`,
          figure,
          `${describeTimes(times)}, the slowest ${inMs(Math.max(...times.took))}`,
        ].join('; '),
      }
    } finally {
      await proxy.stop()
    }
  })
}

/** Phones that lose their connection in the middle of a message to an owner. Returns how many. */
async function breakOff(url: string, until: AbortSignal): Promise<number> {
  const { host, hostname, port } = new URL(url)
  const head = `POST /api/scan/none/messages HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json`
  for (let n = 0; ; n++) {
    if (until.aborted) return n
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    socket.write(`${head}\r\nContent-Length: 1000\r\n\r\n{`)
    await sleep(BROKEN_AFTER_MS)
    socket.destroy()
    await sleep(BETWEEN_BROKEN_MS)
  }
}

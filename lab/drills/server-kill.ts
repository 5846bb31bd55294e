import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { count, type Drill } from '#lab/drills/_drill.ts'
import { describePages, inMs } from '#lab/drills/_finders.ts'
import { killHard } from '#lab/drills/_folder.ts'
import { assessLoad, startLoad, withProxiedServers } from '#lab/drills/_servers.ts'
import type { Launched } from '#tests/support/server.ts'

const KILLS = 6
const CONTROL_KILLS = 2
const BETWEEN_KILLS_MS = 6_000
const DOWN_MS = 1_000
/**
 * The proxy's answer to requests that were in progress at a killed server, and in Caddy 2.6 also to one with
 * a body that meets a dead server, because it cannot send the body again.
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
  without: 'trying another server in the proxy',
  control: async (work) => {
    const change = (config: string) => config.replace(/^\s*(lb_try|fail|health)_.*\n/gm, '')
    const { figure, failed } = await killServers(work, CONTROL_KILLS, change)
    return { figure, isKept: failed === 0 }
  },
}

async function killServers(work: string, kills: number, change?: (config: string) => string) {
  return withProxiedServers(work, { change }, async (servers) => {
    const { url, running, start } = servers
    const load = await startLoad(servers.folder, [url])
    const over = new AbortController()
    const breaking = breakOff(url, over.signal)
    for (let n = 0; n < kills; n++) {
      await sleep(BETWEEN_KILLS_MS)
      const i = n % 2
      const server = running[i] as Launched
      await killHard(server)
      await sleep(DOWN_MS)
      running[i] = await start({ port: Number(new URL(server.url).port) })
    }
    over.abort()
    const broken = await breaking
    const times = await load.stop()
    const { figure, ...checked } = await assessLoad(servers, load, times, [CUT])
    return {
      ...checked,
      failed: times.failed + checked.refusedScans,
      late: times.took.filter((ms) => ms > LONGEST_PAGE_MS).length,
      figure: [
        `${count(kills, 'kill')}, ${count(broken, 'request')} broken off by phones`,
        figure,
        `${describePages(times)}, the slowest ${inMs(Math.max(...times.took))}`,
      ].join('; '),
    }
  })
}

/** Breaks connections off in the middle of a message to an owner. Returns their number. */
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

import { setTimeout as sleep } from 'node:timers/promises'
import { count, type Drill } from '#tests/drills/_drill.ts'
import { killHard } from '#tests/drills/_folder.ts'
import { freeUrl, startProxy } from '#tests/drills/_proxy.ts'
import { describeTimes, judgeLoad, startLoad, withServers } from '#tests/drills/_servers.ts'
import { freePort } from '#tests/support/server.ts'

const KILLS = 6
const CONTROL_KILLS = 2
/** Longer than the proxy leaves out a server that failed. */
const BETWEEN_KILLS_MS = 6_000
const DOWN_MS = 1_000
/** Of requests that were under way at a server when it was killed, from the proxy. */
const CUT = 502

export const serverKill: Drill = {
  name: 'server-kill',
  promise:
    'Of two servers behind Caddy each is killed by kill -9: nothing acknowledged is lost, and finders are served by the other',
  programs: { caddy: 'caddy' },
  trial: async (work) => {
    const { figure, losses, others, failed } = await killServers(work, KILLS)
    return { figure, isKept: losses + others + failed === 0 }
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
      for (let n = 0; n < kills; n++) {
        await sleep(BETWEEN_KILLS_MS)
        const [i, server] = [n % 2, running[n % 2]]
        if (server) await killHard(server)
        await sleep(DOWN_MS)
        running[i] = await start(ports[i] ?? 0)
      }
      const times = await load.stop()
      const { figure, ...judged } = await judgeLoad(servers, load, times, [CUT])
      return {
        ...judged,
        failed: times.failed + judged.refusedScans,
        figure: `${count(kills, 'kill')}; ${figure}; ${describeTimes(times)}`,
      }
    } finally {
      await proxy.stop()
    }
  })
}

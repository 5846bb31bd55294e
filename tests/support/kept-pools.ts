import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** A pool in use for longer belongs to a test that has ended without waiting for it. */
const LONGEST_USE_MS = 5_000

const RealPool = pg.Pool
/** Pools that nobody uses, by the address of their database and then by their settings. */
const kept = new Map<string, Map<string, pg.Pool[]>>()

/**
 * Keeps pools of this database for the next opener with the same settings instead of ending them.
 * Half of a test's time on PostgreSQL is for new connections, which read the catalog of the tables
 * again.
 */
export function keepPools(url: string): void {
  if (!kept.has(url)) kept.set(url, new Map())
  pg.Pool = KeptPool as unknown as typeof pg.Pool
}

/** Ends the kept pools of a database. */
export async function endPools(url: string): Promise<void> {
  const pools = [...(kept.get(url)?.values() ?? [])].flat()
  kept.get(url)?.clear()
  await Promise.all(pools.map((pool) => pool.end()))
}

function KeptPool(config: pg.PoolConfig): pg.Pool {
  const pools = kept.get(config.connectionString ?? '')
  if (!pools) return new RealPool(config)
  const settings = JSON.stringify(config)
  const pool = pools.get(settings)?.pop() ?? new RealPool(config)
  return lent(pool, async () => {
    pool.removeAllListeners()
    pool.on('error', () => {})
    if (!(await isIdle(pool))) return pool.end()
    pools.set(settings, [...(pools.get(settings) ?? []), pool])
  })
}

/** A pool that can be ended once, and does no work after that. */
function lent(pool: pg.Pool, giveBack: () => Promise<void>): pg.Pool {
  let hasEnded = false
  const own: Partial<Record<string | symbol, unknown>> = {
    async end() {
      if (hasEnded) throw new Error('Called end on pool more than once')
      hasEnded = true
      await giveBack()
    },
  }
  return new Proxy(pool, {
    get(target, name) {
      if (name in own) return own[name]
      if (hasEnded && (name === 'connect' || name === 'query')) {
        return async () => {
          throw new Error('Cannot use a pool after calling end on the pool')
        }
      }
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

async function isIdle(pool: pg.Pool): Promise<boolean> {
  for (
    const begun = performance.now();
    pool.idleCount < pool.totalCount || pool.waitingCount > 0;
  ) {
    if (performance.now() - begun > LONGEST_USE_MS) return false
    await sleep(1)
  }
  return true
}

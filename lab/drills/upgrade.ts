import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { SCHEMA_VERSION } from '#db/schema-version.ts'
import { count, type Drill } from '#lab/drills/_drill.ts'
import { inMs } from '#lab/drills/_finders.ts'
import { end } from '#lab/drills/_folder.ts'
import { SERVER, withoutGuard as withChanges, withoutGuard } from '#lab/drills/_product.ts'
import { freeUrl, startProxy } from '#lab/drills/_proxy.ts'
import { assessLoad, describeTimes, startLoad, withServers } from '#lab/drills/_servers.ts'
import { run } from '#tests/support/postgres.ts'

const UNDER_LOAD_MS = 3_000
/** The time that a backup reads a large table: a finder who waits for its end waits too long. */
const READING_MS = 8_000
const LONGEST_PAGE_MS = 3_000
/** The time in which servers of both versions answer. */
const BOTH_MS = 4_000

export const upgrade: Drill = {
  name: 'upgrade',
  promise: `Two servers are exchanged one by one for those of the next version, which migrates while a backup reads: every finder gets the page within ${LONGEST_PAGE_MS / 1000} s, and nothing is refused or lost`,
  programs: { caddy: 'caddy' },
  trial: async (work) => {
    const { figure, wrong } = await exchange(work, SERVER, await newer())
    return { figure, isKept: wrong === 0 }
  },
  control: {
    without:
      'reconnecting when the tables of a prepared statement changed, and in a second run giving up a lock that others wait behind',
    trial: async (work) => {
      const old = await exchange(work, await keepingPlans(), await newer())
      const next = await exchange(work, SERVER, await newerAndPatient())
      // Two guards are missing, and each must be missed.
      const isKept = Math.min(old.failed, next.failed) === 0
      return { figure: `${old.figure}. In the second run ${next.figure}`, isKept }
    },
  },
}

const keepingPlans = withoutGuard('keeping-plans', () => [
  { file: 'db/postgres/scan-path.ts', text: ' || isOutdated(error)', instead: '' },
  {
    file: 'db/postgres/pool.ts',
    text: 'isLost(error) || isOutdated(error)',
    instead: 'isLost(error)',
  },
])

/** Adds a column to the tables that scans use, fills it and indexes it. */
const nextVersion = () => [
  {
    file: 'db/schema-version.ts',
    text: `export const SCHEMA_VERSION = ${SCHEMA_VERSION}`,
    instead: `export const SCHEMA_VERSION = ${SCHEMA_VERSION + 1}`,
  },
  {
    file: 'db/migrations/index.ts',
    text: '[schema]',
    instead: `[schema,
  { sqlite: [], postgres: [
    'alter table qr_codes add column next text',
    'update qr_codes set next = public_message',
    'create index qr_codes_by_next on qr_codes (next)',
    "alter table accounts add column next bigint not null default 0",
    "alter table scans add column next text",
  ] },
]`,
  },
]

const newer = withChanges('next-version', nextVersion)
const newerAndPatient = withoutGuard('next-version-and-patient', () => [
  ...nextVersion(),
  {
    file: 'db/postgres/migrate.ts',
    text: 'const LONGEST_LOCK_WAIT_MS = 500',
    instead: 'const LONGEST_LOCK_WAIT_MS = 0',
  },
])

async function exchange(work: string, old: string, next: string) {
  return withServers(work, async (servers) => {
    const { folder, databaseUrl } = servers
    const url = await freeUrl()
    const env = { ROLE: 'web', PUBLIC_URL: url, TRUST_PROXY: '1' }
    const running = [
      await servers.start({ program: old, env }),
      await servers.start({ program: old, env }),
    ]
    const upstreams = running.map((each) => each.url)
    const proxy = await startProxy(work, upstreams, { config: 'deploy/several/Caddyfile', url })
    try {
      const load = await startLoad(folder, [url])
      await sleep(UNDER_LOAD_MS)
      let [migratedMs, unclean] = [0, 0]
      let reading: Promise<void> | undefined
      for (const [i, server] of running.entries()) {
        if ((await end(server)) !== 0) unclean++
        // The first one of the next version migrates.
        reading ??= readSlowly(databaseUrl)
        const startedAt = performance.now()
        const port = Number(new URL(server.url).port)
        running[i] = await servers.start({ program: next, env, port })
        migratedMs = Math.max(migratedMs, performance.now() - startedAt)
        await sleep(BOTH_MS)
      }
      await reading
      const times = await load.stop()
      // This program is the older one, and would refuse it.
      await run(databaseUrl, `update schema_version set version = ${SCHEMA_VERSION}`)
      const { figure, losses, others, refusedScans } = await assessLoad(servers, load, times, [])
      const late = times.took.filter((ms) => ms > LONGEST_PAGE_MS).length
      const failed = times.failed + refusedScans + late
      return {
        figure: `${count(running.length, 'server')} exchanged, the migration in ${(migratedMs / 1000).toFixed(1)} s, ${unclean} not ended cleanly; ${figure}; ${describeTimes(times)}, the slowest ${inMs(Math.max(...times.took))}`,
        wrong: losses + others + failed + unclean,
        failed,
      }
    } finally {
      await proxy.stop()
    }
  })
}

/** Reads slowly, like a backup. */
async function readSlowly(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query('begin isolation level repeatable read')
  await client.query('select count(*) from qr_codes')
  await sleep(READING_MS)
  await client.query('commit')
  await client.end()
}

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { SCHEMA_VERSION } from '#db/schema-version.ts'
import { count, type Drill } from '#lab/drills/_drill.ts'
import { describePages, inMs } from '#lab/drills/_finders.ts'
import { end } from '#lab/drills/_folder.ts'
import { type Change, SERVER, withoutGuard } from '#lab/drills/_guards.ts'
import { assessLoad, startLoad, withProxiedServers } from '#lab/drills/_servers.ts'
import { run } from '#tests/support/postgres.ts'

const UNDER_LOAD_MS = 3_000
/** A backup of a large table reads this long, which is too long for a finder to wait. */
const READING_MS = 8_000
const LONGEST_PAGE_MS = 3_000
/** Servers of both versions answer for this long. */
const BOTH_MS = 4_000

export const upgrade: Drill = {
  name: 'upgrade',
  promise: `Two servers are exchanged one by one for those of the next version, which migrates while a backup reads: every finder gets the page within ${LONGEST_PAGE_MS / 1000} s, and nothing is refused or lost`,
  programs: { caddy: 'caddy' },
  trial: async (work, program) => {
    const { figure, wrong } = await exchange(work, program, await newer())
    return { figure, isKept: wrong === 0 }
  },
  without:
    'reconnecting when the tables of a prepared statement changed, and in a second run giving up a lock that others wait behind',
  control: async (work) => {
    const old = await exchange(work, await keepingPlans(), await newer())
    const next = await exchange(work, SERVER, await newerAndPatient())
    // Each of the two missing guards must show.
    const isKept = Math.min(old.failed, next.failed) === 0
    return { figure: `${old.figure}. In the second run ${next.figure}`, isKept }
  },
}

const keepingPlans = withoutGuard('keeping-plans', [
  ['db/postgres/scan-path.ts', ' || isOutdated(error)', ''],
  ['db/postgres/pool.ts', 'isLost(error) || isOutdated(error)', 'isLost(error)'],
])

/** Adds a column to the tables that scans use, fills it and indexes it. */
const NEXT_VERSION: Change[] = [
  [
    'db/schema-version.ts',
    `export const SCHEMA_VERSION = ${SCHEMA_VERSION}`,
    `export const SCHEMA_VERSION = ${SCHEMA_VERSION + 1}`,
  ],
  ['db/migrations/index.ts', 'export const migrations:', 'const released:'],
  [
    'db/migrations/index.ts',
    '/** Returns the versions of',
    `export const migrations: readonly Migration[] = [
  ...released,
  { sqlite: [], postgres: [
    'alter table qr_codes add column next text',
    'update qr_codes set next = public_message',
    'create index qr_codes_by_next on qr_codes (next)',
    "alter table accounts add column next bigint not null default 0",
    "alter table scans add column next text",
  ] },
]

/** Returns the versions of`,
  ],
]

const newer = withoutGuard('next-version', NEXT_VERSION)
const newerAndPatient = withoutGuard('next-version-and-patient', [
  ...NEXT_VERSION,
  ['db/postgres/migrate.ts', 'const LONGEST_LOCK_WAIT_MS = 500', 'const LONGEST_LOCK_WAIT_MS = 0'],
])

async function exchange(work: string, old: string, next: string) {
  return withProxiedServers(work, { program: old }, async (servers) => {
    const { folder, databaseUrl, url, running } = servers
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
      running[i] = await servers.start({ program: next, port })
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
      figure: `${count(running.length, 'server')} exchanged, the migration in ${(migratedMs / 1000).toFixed(1)} s, ${unclean} not ended cleanly; ${figure}; ${describePages(times)}, the slowest ${inMs(Math.max(...times.took))}`,
      wrong: losses + others + failed + unclean,
      failed,
    }
  })
}

/** Holds a transaction open that reads a table, like a backup. */
async function readSlowly(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query('begin isolation level repeatable read')
  await client.query('select count(*) from qr_codes')
  await sleep(READING_MS)
  await client.query('commit')
  await client.end()
}

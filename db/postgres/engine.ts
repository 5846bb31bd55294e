import type pg from 'pg'
import type { DatabaseSettings, Engine, PoolUse } from '#db/engine.ts'
import { assertInstallId, assertNeverUsed, openFolder } from '#db/folder.ts'
import { type FollowedClock, followClock } from '#db/postgres/clock.ts'
import { openDuty } from '#db/postgres/duty.ts'
import { assertNotMoving, migrateToLatest } from '#db/postgres/migrate.ts'
import { addressOf, openPool, withClient } from '#db/postgres/pool.ts'
import { finishRestore } from '#db/postgres/restore.ts'
import { openScanPath, openScanPool } from '#db/postgres/scan-path.ts'
import { assertUsable, whyNotConnected } from '#db/postgres/server-checks.ts'
import { SCHEMA_VERSION } from '#db/schema-version.ts'
import {
  assertOwnKey,
  FINGERPRINT,
  fingerprint,
  type KeySettings,
  loadOwnKey,
} from '#db/secret-key.ts'
import { randomToken } from '#db/secrets.ts'

const NAME = 'The database of DATABASE_URL'

/** Opens a database on a PostgreSQL server. */
export async function openPostgresEngine(settings: DatabaseSettings, url: string): Promise<Engine> {
  const { dataDir, databasePool } = settings
  const pool = openPool(url, databasePool)
  const pools: { [name in PoolName]?: pg.Pool } = { queries: pool }
  const duty = openDuty(url)
  let release = () => {}
  let clock: FollowedClock | undefined
  let opened: Pick<Engine, 'installId' | 'secretKey'>
  const close = async () => {
    clock?.stop()
    await Promise.all([pool.end(), duty.close()])
    release()
  }
  try {
    await finishRestore(pool, dataDir)
    release = openFolder(dataDir)
    opened = await prepare(pool, settings)
    clock = await followClock(pool)
  } catch (error) {
    await close()
    throw whyNotConnected(error, addressOf(pool))
  }
  const forWork = {
    async queries() {
      const { queriesOn } = await import('#db/postgres/queries.ts')
      return queriesOn(pool)
    },
    clock: clock.now,
    takeDuty: duty.take,
  }
  return {
    ...opened,
    ...forWork,
    openScanPath(at, noteCommit) {
      pools.scans = openScanPool(url)
      return openScanPath(pools.scans, at, noteCommit)
    },
    readVersion: () => readVersion(pool),
    hasAccounts: async () => {
      const one = await withClient(pool, (client) => client.query('select 1 from accounts limit 1'))
      return one.rows.length > 0
    },
    listPools: () => Object.entries(pools).map(([name, each]) => useOf(name as PoolName, each)),
    forWork: async () => ({ ...forWork, close: async () => {} }),
    forThread: undefined,
    findDamage: () => findDamage(pool),
    // PostgreSQL checks each page when it reads it.
    isChecked: true,
    close,
  }
}

type PoolName = PoolUse['pool']

function useOf(pool: PoolName, { options, totalCount, idleCount, waitingCount }: pg.Pool): PoolUse {
  const used = totalCount - idleCount
  return { pool, most: options.max, used, idle: idleCount, waiting: waitingCount }
}

/** Shorter than `withClient` waits for a connection. */
const LONGEST_PROBE_MS = 2_000

/**
 * The version of the schema. Rejects when the server does not answer soon, or takes no writes, as a
 * standby does.
 */
async function readVersion(pool: pg.Pool): Promise<number> {
  const text = `select version, current_setting('transaction_read_only') = 'on' as is_read_only
    from schema_version`
  return withClient(pool, async (client) => {
    // The driver discards a connection that does not answer. Its types do not know this setting.
    const question = { text, query_timeout: LONGEST_PROBE_MS }
    const { rows } = await client.query<{ version: number; is_read_only: boolean }>(question)
    if (rows[0]?.is_read_only) throw new Error('PostgreSQL takes no writes')
    return rows[0]?.version ?? 0
  })
}

async function prepare(pool: pg.Pool, settings: KeySettings) {
  const { dataDir } = settings
  const version = await withClient(pool, assertUsable)
  await withClient(pool, assertNotMoving)
  if (version === undefined) assertNeverUsed(dataDir, NAME)
  // Before the migration, because a server with another key changes nothing.
  const noted = version === undefined ? undefined : await findNote(pool, FINGERPRINT)
  const secretKey = loadOwnKey(settings, noted)
  if (version !== SCHEMA_VERSION) await migrateToLatest(pool)
  const installId = await noteOnce(pool, 'install_id', randomToken())
  assertInstallId(dataDir, installId, NAME)
  assertOwnKey(settings, secretKey, await noteOnce(pool, FINGERPRINT, fingerprint(secretKey)))
  return { installId, secretKey }
}

/** A value that the first of several servers notes, which open the same new database. */
async function noteOnce(pool: pg.Pool, key: string, value: string): Promise<string> {
  const noted = await findNote(pool, key)
  if (noted !== undefined) return noted
  await withClient(pool, (client) =>
    client.query('insert into meta (key, value) values ($1, $2) on conflict (key) do nothing', [
      key,
      value,
    ]),
  )
  return (await findNote(pool, key)) ?? ''
}

async function findNote(pool: pg.Pool, key: string): Promise<string | undefined> {
  return withClient(pool, async (client) => {
    const { rows } = await client.query('select value from meta where key = $1', [key])
    return rows[0]?.value
  })
}

/**
 * Finds pages with a wrong checksum, if the server has checksums enabled, and unfinished indexes.
 */
export async function findDamage(pool: pg.Pool): Promise<string | null> {
  return withClient(pool, async (client) => {
    const { rows } = await client.query<{ failures: number | null; broken: string | null }>(`
      select
        (select checksum_failures from pg_stat_database where datname = current_database())
          as failures,
        (select min(indexrelid::regclass::text) from pg_index where not indisvalid) as broken`)
    const { failures, broken } = rows[0] ?? { failures: null, broken: null }
    if (failures) return `${failures} pages had a wrong checksum`
    return broken && `the index ${broken} is not valid`
  })
}

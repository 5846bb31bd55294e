import type pg from 'pg'
import type { Engine } from '#db/engine.ts'
import { assertInstallId, assertNeverUsed, openFolder } from '#db/folder.ts'
import { migrateToLatest } from '#db/postgres/migrate.ts'
import { addressOf, openPool, withClient } from '#db/postgres/pool.ts'
import { finishRestore } from '#db/postgres/restore.ts'
import { openScanPath } from '#db/postgres/scan-path.ts'
import { assertUsable, whyNotConnected } from '#db/postgres/server-checks.ts'
import { SCHEMA_VERSION } from '#db/schema-version.ts'
import { randomToken } from '#db/secrets.ts'

const NAME = 'The database of DATABASE_URL'

/** A database on a PostgreSQL server. Files and the secret key stay in the data folder. */
export async function openPostgresEngine(
  dataDir: string,
  url: string,
  poolSize: number,
): Promise<Engine> {
  const pool = openPool(url, poolSize)
  let release = () => {}
  const close = async () => {
    await pool.end()
    release()
  }
  try {
    await finishRestore(pool, dataDir)
    release = openFolder(dataDir)
    await prepare(pool, dataDir)
  } catch (error) {
    await close()
    throw whyNotConnected(error, addressOf(pool))
  }
  return {
    openScanPath: (clock) => openScanPath(url, clock),
    async queries() {
      const { queriesOn } = await import('#db/postgres/queries.ts')
      return queriesOn(pool)
    },
    findDamage: () => findDamage(pool),
    // PostgreSQL checks each page when it reads it.
    isChecked: true,
    close,
  }
}

async function prepare(pool: pg.Pool, dataDir: string): Promise<void> {
  const version = await withClient(pool, assertUsable)
  if (version === undefined) assertNeverUsed(dataDir, NAME)
  if (version !== SCHEMA_VERSION) await migrateToLatest(pool)
  assertInstallId(dataDir, await withClient(pool, noteInstallId), NAME)
}

/** Another server that opens the same new database may have stored one first. */
async function noteInstallId(client: pg.ClientBase): Promise<string> {
  await client.query(
    "insert into meta (key, value) values ('install_id', $1) on conflict (key) do nothing",
    [randomToken()],
  )
  const { rows } = await client.query("select value from meta where key = 'install_id'")
  return rows[0].value
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

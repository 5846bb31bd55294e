import type pg from 'pg'
import { measureDatabase } from '#db/admin/database-size.ts'
import type { Db } from '#db/client.ts'
import type { Finding, Inspection } from '#db/engine.ts'
import { findDamage } from '#db/postgres/engine.ts'
import { findSchemaVersion } from '#db/postgres/migrate.ts'
import { addressOf, openPool, withClient } from '#db/postgres/pool.ts'
import { queriesOn } from '#db/postgres/queries.ts'
import { assertUsable, whyNotConnected } from '#db/postgres/server-checks.ts'
import { formatBytes } from '#domain/size.ts'

/** Opens a database of a PostgreSQL server for inspection; undefined when it is empty. */
export async function inspectPostgres(url: string): Promise<Inspection | undefined> {
  const pool = openPool(url, 2, { default_transaction_read_only: 'on' })
  try {
    const version = await withClient(pool, findSchemaVersion)
    if (version === undefined) {
      await withClient(pool, assertUsable)
      await pool.end()
      return undefined
    }
    const db = queriesOn(pool)
    return {
      db,
      version,
      checks: [
        ['PostgreSQL', () => checkServer(pool)],
        ['Database', () => checkDatabase(pool, db)],
      ],
      close: () => pool.end(),
    }
  } catch (error) {
    await pool.end()
    throw whyNotConnected(error, addressOf(pool))
  }
}

async function checkServer(pool: pg.Pool): Promise<Finding> {
  const { rows } = await pool.query<{ version: string; is_safe: boolean }>(`
    select current_setting('server_version') as version,
      current_setting('fsync')::boolean and current_setting('full_page_writes')::boolean as is_safe`)
  const { version, is_safe } = rows[0] ?? { version: '', is_safe: false }
  if (is_safe) return { status: 'ok', message: version }
  const message = `${version} runs with fsync or full_page_writes off: a power cut loses data`
  return { status: 'problem', message }
}

async function checkDatabase(pool: pg.Pool, db: Db): Promise<Finding> {
  await withClient(pool, assertUsable)
  const damage = await findDamage(pool)
  if (damage) return { status: 'problem', message: `is damaged (${damage}): restore a backup` }
  const bytes = (await measureDatabase(db)).reduce((sum, each) => sum + each.bytes, 0)
  return { status: 'ok', message: `no damage is known, ${formatBytes(bytes)}` }
}

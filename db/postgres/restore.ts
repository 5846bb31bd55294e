import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { awaitCommit, DATABASE_FILE, settleByCommit, settleInterrupted } from '#db/data-folder.ts'
import type { RestoreTarget } from '#db/engine.ts'
import { moveAside } from '#db/postgres/catalog.ts'
import { copyFromSqlite } from '#db/postgres/copy-from-sqlite.ts'
import { MIGRATION_LOCK, makeSchema } from '#db/postgres/migrate.ts'
import { addressOf, asThrown, connect, nameOf, openPool, withClient } from '#db/postgres/pool.ts'
import { assertReplaceable, whyNotConnected } from '#db/postgres/server-checks.ts'
import { randomToken } from '#db/secrets.ts'
import { CommandError } from '#domain/error.ts'

/** The statements of a restore have no time limit. */
const NO_TIMEOUT = { statement_timeout: '0' }
/** The server lists connections for a short time after they were closed. */
const PATIENCE_MS = 1_000

/**
 * Opens a PostgreSQL database as the target of a restore. `replace` fills it from the SQLite file of a backup, in one
 * transaction. Throws a CommandError when the database is in use or cannot be replaced.
 */
export async function openPostgresTarget(dataDir: string, url: string): Promise<RestoreTarget> {
  const pool = openPool(url, 1, NO_TIMEOUT)
  const explain = (error: unknown) => {
    throw whyNotConnected(error, addressOf(pool))
  }
  try {
    await finishRestore(pool, dataDir)
    await withClient(pool, assertNoOtherConnection)
    const hasData = (await withClient(pool, assertReplaceable)) !== undefined
    return {
      hasData,
      passes: 2,
      async replace(stage, aside, advance) {
        const schema = hasData ? aside.toLowerCase().replaceAll('-', '_') : undefined
        await replaceAll(pool, { dataDir, stage, aside, schema }, advance).catch(explain)
        return schema
      },
      close: () => pool.end(),
    }
  } catch (error) {
    await pool.end()
    return explain(error)
  }
}

type Staged = { dataDir: string; stage: string; aside: string; schema: string | undefined }

/** Replaces the database, and the files if its transaction commits. Asks the database after an error whether it did. */
async function replaceAll(
  pool: pg.Pool,
  { dataDir, stage, aside, schema }: Staged,
  advance: (share: number) => void,
): Promise<void> {
  const file = join(stage, DATABASE_FILE)
  const token = randomToken()
  const settle = () =>
    settleByCommit(dataDir, nameOf(pool), (undecided) => wasRestoredBy(pool, undecided))
  const client = await connect(pool)
  try {
    await client.query('begin')
    await lockOutOthers(client)
    if (schema) await moveAside(client, schema)
    await makeSchema(client)
    await copyFromSqlite(client, file, advance)
    await client.query(`comment on table schema_version is 'restored by ${token}'`)
    rmSync(file)
    awaitCommit(dataDir, { aside, database: nameOf(pool), token })
    await client.query('commit')
    client.release()
  } catch (error) {
    // Ends the transaction: within it, the check would find the token of an uncommitted restore.
    client.release(true)
    if (await settle()) return
    throw asThrown(error)
  }
  await settle()
}

/** Completes or discards a restore that a crash interrupted at its commit. */
export function finishRestore(pool: pg.Pool, dataDir: string): Promise<void> {
  return settleInterrupted(dataDir, nameOf(pool), (token) => wasRestoredBy(pool, token))
}

/** Checks whether the restore with this token was committed. Waits until its transaction has ended. */
async function wasRestoredBy(pool: pg.Pool, token: string): Promise<boolean> {
  return withClient(pool, async (client) => {
    // In a separate transaction, so that the query sees the result.
    await client.query(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`)
    const { rows } = await client.query<{ said: string | null }>(
      "select obj_description(to_regclass('schema_version'), 'pg_class') as said",
    )
    return rows[0]?.said === `restored by ${token}`
  })
}

/** Prevents migrations until the transaction ends. Throws a CommandError if the database is in use. */
async function lockOutOthers(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query('select pg_try_advisory_xact_lock($1) as is_ours', [
    MIGRATION_LOCK,
  ])
  if (!rows[0]?.is_ours) throw databaseInUse()
  await assertNoOtherConnection(client)
}

/** Throws a CommandError while others are connected to the database. Servers on other machines do not lock this data folder. */
export async function assertNoOtherConnection(client: pg.ClientBase): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS
  for (;;) {
    const { rows } = await client.query(`select 1 from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        and application_name = current_setting('application_name') limit 1`)
    if (rows.length === 0) return
    if (performance.now() > giveUpAt) throw databaseInUse()
    await sleep(50)
  }
}

export function databaseInUse(): CommandError {
  return new CommandError(
    'A server or a command is using the database of DATABASE_URL: stop it first',
  )
}

import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { isCollision } from '#db/errors.ts'
import { migrations, versionsOf } from '#db/migrations/index.ts'
import type { Migration } from '#db/migrations/migration.ts'
import { withClient } from '#db/postgres/pool.ts'
import { CommandError } from '#domain/error.ts'

/** The number of the advisory lock for migrations. Other programs are unlikely to use it. */
export const MIGRATION_LOCK = 0x44725152
/** Held too by a move, after which what a server on another machine wrote meanwhile would be left behind. */
export const MOVE_LOCK = 0x44725154

/**
 * While a migration waits for a table, as during a backup, everybody else waits for it behind the migration. So
 * it gives up soon, and lets them through before it tries again.
 */
const LONGEST_LOCK_WAIT_MS = 500
const LET_THROUGH_MS = 1_000
const LOCK_NOT_AVAILABLE = '55P03'

/** Returns the version of a database's schema; undefined when it is not DriveQR's. */
export async function findSchemaVersion(client: pg.ClientBase): Promise<number | undefined> {
  // `to_regclass` answers from an old snapshot in a session that waited for a lock.
  const table = await client.query(
    "select from pg_class where relname = 'schema_version' and pg_table_is_visible(oid)",
  )
  if (table.rowCount === 0) return undefined
  const { rows } = await client.query('select version from schema_version')
  return rows[0]?.version
}

/** Throws conflict while the database is moved, or something is moved into it. */
export async function assertNotMoving(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query('select pg_try_advisory_xact_lock_shared($1) as is_free', [
    MOVE_LOCK,
  ])
  if (rows[0]?.is_free) return
  throw new CommandError('The database of DATABASE_URL is being moved: wait until that is done')
}

/**
 * Migrates an older or empty database to this program's schema, one transaction per migration. Of
 * several servers that start together, one migrates and the others wait.
 */
export async function migrateToLatest(
  pool: pg.Pool,
  steps: readonly Migration[] = migrations,
): Promise<void> {
  await withClient(pool, async (client) => {
    for (const index of steps.keys()) {
      while (!(await tryStep(client, steps, index))) await sleep(LET_THROUGH_MS)
    }
  })
}

/** False when somebody else holds a lock that it needs. */
async function tryStep(client: pg.ClientBase, steps: readonly Migration[], index: number) {
  await client.query('begin')
  try {
    await client.query('set local statement_timeout = 0; set local lock_timeout = 0')
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    await client.query(`set local lock_timeout = ${LONGEST_LOCK_WAIT_MS}`)
    if (((await findSchemaVersion(client)) ?? 0) === versionsOf(index).before)
      await step(client, steps, index)
    await client.query('commit')
    return true
  } catch (error) {
    await client.query('rollback')
    const isInTheWay = (error as pg.DatabaseError).code === LOCK_NOT_AVAILABLE || isCollision(error)
    if (!isInTheWay) throw error
    return false
  }
}

/** Creates the current schema in an empty database, in the caller's transaction. */
export async function makeSchema(client: pg.ClientBase): Promise<void> {
  for (const index of migrations.keys()) await step(client, migrations, index)
}

async function step(client: pg.ClientBase, steps: readonly Migration[], index: number) {
  if (index === 0) await prepare(client)
  const { postgres: statements = [], fill } = steps[index] ?? {}
  await lockAltered(client, statements)
  for (const statement of statements) await client.query(statement)
  await fill?.(async <Row>(statement: string, values: unknown[]) => {
    let n = 0
    const { rows } = await client.query(
      statement.replaceAll('?', () => `$${++n}`),
      values,
    )
    return rows as Row[]
  })
  await client.query('update schema_version set version = $1', [versionsOf(index).after])
}

/**
 * Locks the tables that a migration alters, at once. While it works on the first one, a transaction that has
 * another one would wait for the first, and neither would get on: on a busy database it gave up each time.
 */
async function lockAltered(client: pg.ClientBase, statements: readonly string[]) {
  const named = statements.flatMap((each) => /^\s*alter table (\w+)/i.exec(each)?.[1] ?? [])
  const { rows } = await client.query<{ relname: string }>(
    "select relname from pg_class where relname = any($1) and relkind = 'r' and pg_table_is_visible(oid)",
    [named],
  )
  if (rows.length === 0) return
  const tables = rows.map(({ relname }) => relname).join(', ')
  await client.query(`lock table ${tables} in access exclusive mode`)
}

async function prepare(client: pg.ClientBase): Promise<void> {
  await client.query('create extension if not exists pg_trgm')
  await client.query('create table schema_version (version bigint not null)')
  await client.query('insert into schema_version values (0)')
}

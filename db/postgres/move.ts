import type pg from 'pg'
import type { MoveSource, MoveState, MoveTarget } from '#db/engine.ts'
import { continueCounters, dropReferences, listTables, moveInto } from '#db/postgres/catalog.ts'
import { findSchemaVersion, MIGRATION_LOCK, MOVE_LOCK, makeSchema } from '#db/postgres/migrate.ts'
import { addressOf, connect, nameOf, openPool } from '#db/postgres/pool.ts'
import { queriesOn } from '#db/postgres/queries.ts'
import { assertNoOtherConnection, databaseInUse } from '#db/postgres/restore.ts'
import { readRows, writeRows } from '#db/postgres/rows.ts'
import { assertUsable, whyNotConnected } from '#db/postgres/server-checks.ts'
import { assertCurrent } from '#db/schema-version.ts'
import { listStoredNames } from '#db/stored-files.ts'
import { CommandError } from '#domain/error.ts'

/** Statements take as long as they need, and files are copied while the tables are locked. */
const UNHURRIED = { statement_timeout: '0', idle_in_transaction_session_timeout: '0' }
/** The tables of a move, until it is complete. A server does not find them there. */
const MOVING = 'driveqr_moving'
/** The column for the steps that remain at the end. */
const LEFT = 'left_to_do'

/** Names the database without secrets. */
export function nameOfDatabase(url: string): string {
  return nameOf({ options: { connectionString: url } } as pg.Pool)
}

/** Opens a database on a PostgreSQL server to copy it. Throws conflict while a server uses it. */
export async function openPostgresSource(url: string): Promise<MoveSource> {
  const { pool, client, close } = await openAlone(url, 2)
  try {
    assertCurrent(await findSchemaVersion(client))
    const tables = await listTables(client)
    await client.query('begin isolation level repeatable read')
    await client.query(`lock table ${tables.join(', ')} in share mode`)
    const { rows } = await client.query("select value from meta where key = 'install_id'")
    return {
      installId: rows[0].value,
      tables: async () => tables,
      count: (table) => countRows(client, table),
      rows: (table) => readRows(client, table),
      storedNames: () => listStoredNames(queriesOn(pool)),
      close,
    }
  } catch (error) {
    await close()
    throw whyNotConnected(error, addressOf(pool))
  }
}

/** Opens a database on a PostgreSQL server to fill it, like `openMoveTarget`. */
export async function openPostgresMoveTarget(
  url: string,
  state: MoveState | undefined,
): Promise<MoveTarget | undefined> {
  const { pool, client, close } = await openAlone(url, 1)
  try {
    if ((await assertUsable(client)) !== undefined) {
      if (!state?.isCompleting) throw hasData()
      await close()
      return undefined
    }
    const { home, isThere } = await findPlaces(client)
    if (isThere && !state) throw hasOtherMove()
    await client.query(`set search_path = ${MOVING}, ${home}`)
    return {
      async prepare() {
        if (!isThere) await inTransaction(client, () => prepare(client, home))
      },
      tables: async () => (await listTables(client)).filter((table) => table !== LEFT),
      count: (table) => countRows(client, table),
      async *rows(table) {
        await client.query('begin')
        yield* readRows(client, table)
        await client.query('commit')
      },
      fill: (table, rows) =>
        inTransaction(client, async () => {
          await client.query(`truncate ${table}`)
          await writeRows(client, table, rows, () => {})
        }),
      complete: () => inTransaction(client, () => complete(client, home)),
      close,
    }
  } catch (error) {
    await close()
    throw whyNotConnected(error, addressOf(pool))
  }
}

/** A connection that holds the locks by which no server migrates or starts meanwhile. */
async function openAlone(url: string, connections: number) {
  const pool = openPool(url, connections, UNHURRIED)
  try {
    const client = await connect(pool)
    const close = async () => {
      client.release(true)
      await pool.end()
    }
    try {
      const { rows } = await client.query(
        `select pg_try_advisory_lock(${MIGRATION_LOCK}) and pg_try_advisory_lock(${MOVE_LOCK}) as is_ours`,
      )
      if (!rows[0]?.is_ours) throw databaseInUse()
      await assertNoOtherConnection(client)
      return { pool, client, close }
    } catch (error) {
      client.release(true)
      throw error
    }
  } catch (error) {
    await pool.end()
    throw whyNotConnected(error, addressOf(pool))
  }
}

async function findPlaces(client: pg.ClientBase): Promise<{ home: string; isThere: boolean }> {
  const { rows } = await client.query(
    'select quote_ident(current_schema()) as home, to_regnamespace($1) is not null as is_there',
    [MOVING],
  )
  return { home: rows[0].home, isThere: rows[0].is_there }
}

/** Tables without references and triggers, because rows come in no order. */
async function prepare(client: pg.ClientBase, home: string): Promise<void> {
  await client.query(`create schema ${MOVING}`)
  await client.query(`create extension if not exists pg_trgm with schema ${home}`)
  await makeSchema(client)
  const again = await dropReferences(client)
  for (const table of await listTables(client)) {
    await client.query(`alter table ${table} disable trigger user`)
    again.push(`alter table ${table} enable trigger user`)
  }
  await client.query(`create table ${LEFT} (statement text not null)`)
  for (const statement of again) {
    await client.query(`insert into ${LEFT} values ($1)`, [statement])
  }
}

async function complete(client: pg.ClientBase, home: string): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(`select statement from ${LEFT}`)
  for (const { statement } of rows) await client.query(statement)
  await client.query(`drop table ${LEFT}`)
  await continueCounters(client)
  await client.query(`analyze ${(await listTables(client)).join(', ')}`)
  await moveInto(client, home.replace(/^"(.*)"$/, '$1'))
  await client.query(`drop schema ${MOVING}`)
}

async function inTransaction(client: pg.ClientBase, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

async function countRows(client: pg.ClientBase, table: string): Promise<number> {
  const { rows } = await client.query(`select count(*) as count from ${table}`)
  return rows[0].count
}

function hasData(): CommandError {
  return new CommandError('The database of --to has data already: give it an empty one')
}

function hasOtherMove(): CommandError {
  return new CommandError(
    `The database of --to has what another move left: drop schema ${MOVING} cascade, or give it another database`,
  )
}

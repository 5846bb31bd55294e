import type pg from 'pg'
import { type Migration, migrations } from '#db/migrations/index.ts'
import { withClient } from '#db/postgres/pool.ts'

/** The number of the advisory lock for migrations. Other programs are unlikely to use it. */
export const MIGRATION_LOCK = 0x44725152

/** How many migrations have run on a database; undefined when it is not DriveQR's. */
export async function findSchemaVersion(client: pg.ClientBase): Promise<number | undefined> {
  const table = await client.query("select to_regclass('schema_version') is not null as is_there")
  if (!table.rows[0]?.is_there) return undefined
  const { rows } = await client.query('select version from schema_version')
  return rows[0]?.version
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
      await client.query('begin')
      try {
        await client.query('set local statement_timeout = 0; set local lock_timeout = 0')
        await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
        if (((await findSchemaVersion(client)) ?? 0) === index) await step(client, steps, index)
        await client.query('commit')
      } catch (error) {
        await client.query('rollback')
        throw error
      }
    }
  })
}

/** Creates the current schema in an empty database, in the caller's transaction. */
export async function makeSchema(client: pg.ClientBase): Promise<void> {
  for (const index of migrations.keys()) await step(client, migrations, index)
}

async function step(client: pg.ClientBase, steps: readonly Migration[], index: number) {
  if (index === 0) await prepare(client)
  for (const statement of steps[index]?.postgres ?? []) await client.query(statement)
  await client.query('update schema_version set version = $1', [index + 1])
}

async function prepare(client: pg.ClientBase): Promise<void> {
  await client.query('create extension if not exists pg_trgm')
  await client.query('create table schema_version (version bigint not null)')
  await client.query('insert into schema_version values (0)')
}

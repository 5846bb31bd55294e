import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished } from 'vitest'
import { insertAccount } from '#db/accounts/accounts.ts'
import { migrations } from '#db/migrations/index.ts'
import { openEngine } from '#db/open-engine.ts'
import { migrateToLatest } from '#db/postgres/migrate.ts'
import { openPool } from '#db/postgres/pool.ts'
import { SCHEMA_VERSION } from '#db/schema-version.ts'
import { inTransaction } from '#db/transaction.ts'
import { insertCode } from '#tests/support/codes.ts'
import { testOnPostgres } from '#tests/support/database.ts'
import { ask, databaseOf, makeEmptyDatabase, run, takeDatabase } from '#tests/support/postgres.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')
const ASHA = { name: 'Asha', email: 'asha@example.in', password_hash: null }

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'driveqr-pg-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function openOn(databaseUrl: string, dataDir = temporaryFolder(), databasePool = 10) {
  const engine = await openEngine({ dataDir, databaseUrl, databasePool })
  onTestFinished(engine.close)
  return { engine, dataDir, db: await engine.queries() }
}

async function takeMigrated() {
  const { url, giveBack } = await takeDatabase()
  onTestFinished(giveBack)
  return url
}

testOnPostgres('servers that start together on an empty database migrate it once', async () => {
  const url = await makeEmptyDatabase()
  const dataDir = temporaryFolder()
  await Promise.all(Array.from({ length: 4 }, () => openOn(url, dataDir)))
  expect(await ask(url, 'select version from schema_version')).toEqual([
    { version: String(SCHEMA_VERSION) },
  ])
  const [{ value }] = (await ask(url, "select value from meta where key = 'install_id'")) as [
    { value: string },
  ]
  expect(readFileSync(join(dataDir, 'install-id'), 'utf8')).toBe(`${value}\n`)
})

testOnPostgres('a data folder in use is not given an empty database', async () => {
  const { dataDir } = await openOn(await takeMigrated())
  await expect(openOn(await makeEmptyDatabase(), dataDir)).rejects.toThrow('restore a backup')
})

testOnPostgres('a lost connection fails its request alone, and the pool heals', async () => {
  const url = await takeMigrated()
  const { db } = await openOn(url, undefined, 1)
  await insertAccount(db, ASHA, NOW)
  const lost = inTransaction(db, async (trx) => {
    await trx.updateTable('accounts').set({ name: 'Lost' }).execute()
    await ask(
      url,
      `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'driveqr' and datname = current_database()`,
    )
    await trx.updateTable('accounts').set({ name: 'Lost too' }).execute()
  })
  await expect(lost).rejects.toMatchObject({ code: 'DATABASE_UNREACHABLE' })
  const names = await db.selectFrom('accounts').select('name').execute()
  expect(names).toEqual([{ name: 'Asha' }])
})

testOnPostgres('transactions that read what the other writes are put into an order', async () => {
  const { db } = await openOn(await takeMigrated())
  const add = () =>
    inTransaction(db, async (trx) => {
      const rows = await trx
        .selectFrom('meta')
        .select('key')
        .where('value', '=', 'counted')
        .execute()
      const key = `n${rows.length}`
      await trx.insertInto('meta').values({ key, value: 'counted' }).execute()
      return key
    })
  const keys = await Promise.all(Array.from({ length: 20 }, add))
  expect(new Set(keys).size).toBe(20)
})

testOnPostgres('scans are counted once, from two servers too, and go with their code', async () => {
  const url = await takeMigrated()
  const { db, engine } = await openOn(url)
  const [owner, next] = [
    await insertAccount(db, ASHA, NOW),
    await insertAccount(db, { ...ASHA, email: 'b@example.in' }, NOW),
  ]
  const { qr_id } = await insertCode(db, owner.id)
  const servers = [engine.openScanPath(() => NOW), engine.openScanPath(() => NOW)]
  onTestFinished(async () => {
    for (const each of servers) await each.close()
  })
  const scan = { qr_id, device: 'phone', referrer: 'direct' } as const
  const record = () =>
    Promise.all(servers.flatMap((each) => Array.from({ length: 50 }, () => each.record(scan))))
  const move = (owner_id: string) =>
    inTransaction(db, (trx) =>
      trx.updateTable('qr_codes').set({ owner_id, updated_at: NOW.toISOString() }).execute(),
    )
  await Promise.all([record(), move(next.id), record(), move(owner.id), record(), move(next.id)])
  const rows = await db.selectFrom('scans').select('n').execute()
  expect(rows).toHaveLength(300)
  const sums = await db.selectFrom('owner_scans').selectAll().where('scans', '>', 0).execute()
  const { owner_id } = await db.selectFrom('qr_codes').select('owner_id').executeTakeFirstOrThrow()
  expect(sums).toEqual([{ owner_id, quarter: '2026-11-20T10:00', scans: 300 }])
  await expect(servers[0]?.record({ ...scan, qr_id: 'GONE2222' })).rejects.toThrow(
    'no longer there',
  )
})

testOnPostgres('scans at once read no more accounts than they belong to', async () => {
  const url = await takeMigrated()
  const { db, engine } = await openOn(url)
  const { id } = await insertAccount(db, ASHA, NOW)
  const codes = await Promise.all(Array.from({ length: 32 }, () => insertCode(db, id)))
  await run(
    url,
    `insert into accounts (id, name, email, role, subscription_plan, qr_limit, child_qr_quota,
      is_active, created_at)
    select 'person' || n, 'Person', n || '@example.in', 'client', 'free', 1, 0, 1,
      '${NOW.toISOString()}' from generate_series(1, 5000) as n`,
    'analyze',
  )
  const readOf = async () => {
    const statement = "select * from pg_stat_user_tables where relname = 'accounts'"
    const [{ idx_scan, seq_tup_read }] = (await ask(url, statement)) as [Record<string, string>]
    return { byKey: Number(idx_scan), oneByOne: Number(seq_tup_read) }
  }
  const before = await readOf()
  const path = engine.openScanPath(() => NOW)
  for (let round = 0; round < 10; round++) {
    const found = await Promise.all(codes.map(({ qr_id }) => path.find(qr_id)))
    expect(found.map((code) => code?.owner_id)).toEqual(codes.map(() => id))
  }
  // PostgreSQL counts what a connection has read when it ends.
  await path.close()
  await expect.poll(async () => (await readOf()).byKey - before.byKey).toBeGreaterThan(320)
  expect((await readOf()).oneByOne - before.oneByOne).toBeLessThan(5000)
})

testOnPostgres('finders are served, and counted once, when every connection is cut', async () => {
  const url = await takeMigrated()
  const { db, engine } = await openOn(url)
  const { qr_id } = await insertCode(db, (await insertAccount(db, ASHA, NOW)).id)
  const path = engine.openScanPath(() => NOW)
  onTestFinished(() => path.close())
  const scan = { qr_id, device: 'phone', referrer: 'direct' } as const
  for (let round = 0; round < 5; round++) {
    const [found] = await Promise.all([
      path.find(qr_id),
      ...Array.from({ length: 20 }, () => path.record(scan)),
      ask(
        url,
        `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'driveqr' and datname = current_database()`,
      ),
    ])
    expect(found?.qr_id).toBe(qr_id)
  }
  expect(await db.selectFrom('scans').select('n').execute()).toHaveLength(100)
})

testOnPostgres('a database that takes no writes, as a standby, is not ready', async () => {
  const url = await makeEmptyDatabase()
  const { engine } = await openOn(url)
  expect(await engine.readVersion()).toBe(SCHEMA_VERSION)
  const name = databaseOf(url)
  await ask(url, `alter database ${name} set default_transaction_read_only = on`)
  await ask(
    url,
    `select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'driveqr' and datname = current_database()`,
  )
  // The first one may still find a connection that was cut.
  await expect.poll(() => engine.readVersion().catch(String)).toContain('takes no writes')
})

testOnPostgres('scans go on when a newer server has changed the tables of theirs', async () => {
  const url = await takeMigrated()
  const { engine, db } = await openOn(url)
  const { id } = await insertAccount(db, ASHA, NOW)
  const { qr_id } = await insertCode(db, id)
  const path = engine.openScanPath(() => NOW)
  const scan = { qr_id, device: 'phone', referrer: 'direct' } as const
  // Each of its connections has prepared its statements.
  const visit = () =>
    Promise.all(
      Array.from({ length: 8 }, async () => {
        await path.record(scan)
        return (await path.find(qr_id))?.qr_id
      }),
    )
  await visit()
  await run(
    url,
    'alter table qr_codes add column next text',
    'alter table scans add column next text',
  )
  expect(await visit()).toEqual(Array.from({ length: 8 }, () => qr_id))
  await path.close()
  expect(await ask(url, 'select count(*)::int as n from scans')).toEqual([{ n: 16 }])
})

testOnPostgres('a migration that waits for a table lets others through', async () => {
  const url = await takeMigrated()
  const { db } = await openOn(url)
  await insertAccount(db, ASHA, NOW)
  const reader = new pg.Client(url)
  await reader.connect()
  await reader.query('begin')
  await reader.query('select from accounts')
  const pool = openPool(url, 1)
  const next = { sqlite: [], postgres: ['alter table accounts add column next text'] }
  let isOver = false
  const migrating = migrateToLatest(pool, [...migrations, next]).then(() => {
    isOver = true
  })
  const slowest = { ms: 0 }
  for (let n = 0; n < 20; n++) {
    const startedAt = performance.now()
    await db.selectFrom('accounts').select('name').execute()
    slowest.ms = Math.max(slowest.ms, performance.now() - startedAt)
    await sleep(100)
  }
  expect(isOver).toBe(false)
  await reader.query('commit')
  await reader.end()
  await migrating
  await pool.end()
  expect(slowest.ms).toBeGreaterThan(100)
  expect(slowest.ms).toBeLessThan(1_500)
  expect(await ask(url, 'select version::int as n from schema_version')).toEqual([
    { n: SCHEMA_VERSION + 1 },
  ])
})

testOnPostgres('a session has its own settings instead of the server’s defaults', async () => {
  const url = await makeEmptyDatabase()
  const name = databaseOf(url)
  const defaults = {
    TimeZone: 'Asia/Tokyo',
    client_encoding: 'LATIN1',
    synchronous_commit: 'off',
    statement_timeout: '0',
    lock_timeout: '0',
    idle_in_transaction_session_timeout: '0',
  }
  for (const [setting, value] of Object.entries(defaults)) {
    await run(url, `alter database ${name} set ${setting} = '${value}'`)
  }
  const pool = openPool(url, 1)
  onTestFinished(() => pool.end())
  const shown: Record<string, string> = {}
  for (const setting of Object.keys(defaults)) {
    const { rows } = await pool.query(`select current_setting('${setting}') as value`)
    shown[setting] = rows[0].value
  }
  expect(shown).toEqual({
    TimeZone: 'UTC',
    client_encoding: 'UTF8',
    synchronous_commit: 'on',
    statement_timeout: '30s',
    lock_timeout: '10s',
    idle_in_transaction_session_timeout: '1min',
  })
  // Whole numbers of all sizes are numbers, as in SQLite.
  const { rows } = await pool.query("select count(*) as n, sum(7::bigint) as s, '₹' as sign")
  expect(rows).toEqual([{ n: 1, s: 7, sign: '₹' }])
})

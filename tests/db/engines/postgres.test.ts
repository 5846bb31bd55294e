import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { insertAccount } from '#db/accounts/accounts.ts'
import { openEngine } from '#db/open-engine.ts'
import { SCHEMA_VERSION } from '#db/schema-version.ts'
import { inTransaction } from '#db/transaction.ts'
import { insertCode } from '#tests/support/codes.ts'
import { ask, isOnPostgres, makeEmptyDatabase, takeDatabase } from '#tests/support/postgres.ts'

const testOnPostgres = test.skipIf(!isOnPostgres())
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

testOnPostgres(
  'a connection that is lost fails its request alone, and the pool heals',
  async () => {
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
  },
)

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

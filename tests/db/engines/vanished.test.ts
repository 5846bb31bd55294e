import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, vi } from 'vitest'
import { insertAccount } from '#db/accounts/accounts.ts'
import { openEngine } from '#db/open-engine.ts'
import { LOST_AFTER_MS } from '#db/postgres/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { insertCode } from '#tests/support/codes.ts'
import { testOnPostgres } from '#tests/support/database.ts'
import { takeDatabase } from '#tests/support/postgres.ts'
import { openVanishing } from '#tests/support/vanishing-server.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')
const UNREACHABLE = { code: 'DATABASE_UNREACHABLE' }

/** An engine whose time passes by `pass` alone. */
async function openAway() {
  const { url, giveBack } = await takeDatabase()
  onTestFinished(giveBack)
  const server = await openVanishing(url)
  const dataDir = mkdtempSync(join(tmpdir(), 'driveqr-pg-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const engine = await openEngine({ dataDir, databaseUrl: server.url, databasePool: 1 })
  onTestFinished(engine.close)
  const db = await engine.queries()
  const asha = { name: 'Asha', email: 'asha@example.in', password_hash: null }
  const { id } = await insertAccount(db, asha, NOW)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
  return { ...server, engine, db, id, pass }
}

testOnPostgres('a page whose PostgreSQL vanishes is refused in time; the pool heals', async () => {
  const { db, vanish, comeBack, pass } = await openAway()
  const lost: { when?: Promise<void> } = {}
  const outcome = inTransaction(db, async (trx) => {
    await trx.updateTable('accounts').set({ name: 'Lost' }).execute()
    lost.when = vanish()
    await trx.updateTable('accounts').set({ name: 'Lost too' }).execute()
  }).catch((error) => error)
  await vi.waitFor(() => expect(lost.when).toBeDefined(), 15_000)
  await lost.when
  await pass(LOST_AFTER_MS)
  expect(await outcome).toMatchObject(UNREACHABLE)

  // Nobody answers a new connection either.
  const next = db
    .selectFrom('accounts')
    .select('name')
    .execute()
    .catch((error) => error)
  await vanish()
  await pass(5_000)
  expect(await next).toMatchObject(UNREACHABLE)

  comeBack()
  expect(await db.selectFrom('accounts').select('name').execute()).toEqual([{ name: 'Asha' }])
})

testOnPostgres('a finder whose PostgreSQL vanishes waits 10 s; the next is served', async () => {
  const { db, id, engine, vanish, comeBack, pass } = await openAway()
  const { qr_id } = await insertCode(db, id)
  const path = engine.openScanPath(() => NOW)
  onTestFinished(() => path.close())
  const scan = { qr_id, device: 'phone', referrer: 'direct' } as const
  for (const ask of [() => path.find(qr_id), () => path.record(scan)]) {
    await ask()
    const lost = vanish()
    const outcome = Promise.resolve(ask()).catch((error) => error)
    await lost
    await pass(10_000)
    expect(await outcome).toMatchObject(UNREACHABLE)
    comeBack()
    await ask()
  }
  const rows = await db.selectFrom('scans').select('n').execute()
  expect(rows).toHaveLength(2)
})

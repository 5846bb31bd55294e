import { rmSync } from 'node:fs'
import type { Insertable } from 'kysely'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { differencesOf } from '#db/engine.ts'
import type { Tables } from '#db/schema.ts'
import { inTransaction } from '#db/transaction.ts'
import { openTestDatabase } from '#tests/support/database.ts'
import { EVERY_ROW } from '#tests/support/every-row.ts'
import { makeDataFolder } from '#tests/support/folders.ts'

/** Nobody else writes to it. */
async function openEmpty() {
  const dataDir = makeDataFolder()
  const { db, close } = await openTestDatabase(dataDir)
  onTestFinished(async () => {
    await close()
    rmSync(dataDir, { recursive: true })
  })
  return db
}

const names = Object.keys(EVERY_ROW) as (keyof Tables)[]

/** Rows in the order of their columns' values. */
function byText(rows: readonly object[]): object[] {
  const textOf = (row: object) => JSON.stringify(Object.entries(row).toSorted())
  return rows.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1))
}

test('every column of every table gives back the value that it was given', async () => {
  const db = await openEmpty()
  await differencesOf(db).load(EVERY_ROW)
  const summed = { scan_quarters: 'quarter', owner_scans: 'owner_id' }
  for (const name of names.filter((each) => each !== 'meta' && !(each in summed))) {
    const rows = await db.selectFrom(name).selectAll().execute()
    // In no order: PostgreSQL gives them as they lie.
    expect([name, byText(rows)]).toEqual([name, byText(EVERY_ROW[name] ?? [])])
  }
  const [quarter] = await db.selectFrom('scan_quarters').selectAll().execute()
  const [owned] = await db.selectFrom('owner_scans').selectAll().execute()
  expect(quarter).toEqual({ quarter: '2026-11-20T10:00', scans: 1 })
  expect(owned).toEqual({ owner_id: 'a1', quarter: '2026-11-20T10:00', scans: 1 })
})

test('sums and counts are numbers, texts come in the order of their bytes', async () => {
  const db = await openEmpty()
  await differencesOf(db).load({
    meta: ['b', 'B', 'é', 'a', '_'].map((key) => ({ key, value: '' })),
  })
  const { count } = await db
    .selectFrom('meta')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(count).toBeTypeOf('number')
  const { sum } = await db
    .selectFrom('scan_quarters')
    .select(({ fn }) => fn.coalesce(fn.sum<number>('scans'), fn.countAll<number>()).as('sum'))
    .executeTakeFirstOrThrow()
  expect(sum).toBe(0)
  const rows = await db
    .selectFrom('meta')
    .select('key')
    .where('value', '=', '')
    .orderBy('key')
    .execute()
  expect(rows.map(({ key }) => key)).toEqual(['B', '_', 'a', 'b', 'é'])
})

test('a refused row is logged without what is in it', async () => {
  const db = await openEmpty()
  await differencesOf(db).load(EVERY_ROW)
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => lines.push(line) })
  const again = { ...(EVERY_ROW.accounts?.[0] as Insertable<Tables['accounts']>), id: 'another' }
  const refusals = [
    () => db.insertInto('accounts').values(again).execute(),
    () =>
      db
        .updateTable('accounts')
        .set({ is_active: 7 as never })
        .execute(),
    () => inTransaction(db, (trx) => trx.insertInto('accounts').values(again).execute()),
    () => differencesOf(db).load({ accounts: [again] }),
  ]
  for (const refused of refusals) {
    const err = await (async () => refused())().catch((error) => error)
    log.error({ err }, 'request failed')
  }
  expect(lines.map((line) => /constraint/i.test(line))).toEqual([true, true, true, true])
  expect(lines.join()).not.toContain(again.email)
})

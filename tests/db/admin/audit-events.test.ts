import { expect, test } from 'vitest'
import { COMMAND_LINE, listActs, recordAct } from '#db/admin/audit-events.ts'
import { readEarlierTotals, readStatistics } from '#db/admin/statistics.ts'
import { createPromoCode, togglePromoCode } from '#db/plans/promo-changes.ts'
import { inTransaction } from '#db/transaction.ts'
import { openTestApp } from '#tests/support/app.ts'
import { testOnSqlite } from '#tests/support/database.ts'
import { plansOf } from '#tests/support/query-plans.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')
const PAGE = { limit: 10, offset: 0 }

test('an act that is rolled back is not noted', async () => {
  const { db } = await openTestApp()
  const act = { ...COMMAND_LINE, action: 'x.y', subject_type: 'account', subject_id: null }
  const work = inTransaction(db, async (trx) => {
    await recordAct(trx, act, NOW)
    throw new Error('no room')
  })
  await expect(work).rejects.toThrow('no room')
  expect(await listActs(db, PAGE)).toEqual({ acts: [], total: 0 })
})

test('an act names what it was about, though its subject is an id', async () => {
  const { db } = await openTestApp()
  const gives = { subscription_plan: 'premium' as const, child_qr_quantity: 0, discount_value: 0 }
  const promo = { ...gives, code: 'DIWALI', description: null, usage_limit: 5, expires_at: null }
  const made = await createPromoCode(db, { ...promo, requires_approval: true }, COMMAND_LINE, NOW)
  await togglePromoCode(db, made.id, COMMAND_LINE, NOW)
  const { acts } = await listActs(db, PAGE)
  expect(acts.map(({ about }) => about)).toEqual(['DIWALI', 'DIWALI'])
})

testOnSqlite('the newest acts are read in order, not sorted out of all there are', async () => {
  const { db, connection } = await openTestApp()
  const plans = await plansOf(connection, () => listActs(db, PAGE))
  const steps = plans.find((each) => each.join().includes('promo_redemptions')) ?? []
  expect(steps[0]).toBe('SCAN audit_events USING INDEX audit_events_by_time')
  expect(steps.join()).not.toContain('USE TEMP B-TREE FOR ORDER BY')
})

testOnSqlite('no scan is counted again for the statistics, and no code is read', async () => {
  const { db, connection } = await openTestApp()
  const plans = await plansOf(connection, async () => {
    await readStatistics(db, NOW)
    await readEarlierTotals(db, NOW)
  })
  const steps = plans.flat()
  expect(steps.filter((step) => /(SCAN|SEARCH) (scans|owner_scans)\b/.test(step))).toEqual([])
  const codes = steps.filter((step) => step.includes('qr_codes'))
  expect(codes.length).toBe(2)
  for (const step of codes) expect(step).toContain('USING COVERING INDEX')
})

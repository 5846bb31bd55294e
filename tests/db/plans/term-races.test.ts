import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { remindOfEnds } from '#actions/plans/reminders.ts'
import { insertAccount } from '#db/accounts/accounts.ts'
import { setPermission } from '#db/accounts/permission-types.ts'
import { createChildCodes } from '#db/codes/qr-creation.ts'
import { planNowSql } from '#db/plans/plan-now.ts'
import { redeemPromoCode } from '#db/plans/promo-redemptions.ts'
import { NO_ISSUER } from '#db/plans/receipts.ts'
import { makeReminders } from '#db/plans/reminders.ts'
import { decideUpgradeRequest } from '#db/plans/upgrade-decisions.ts'
import { requestUpgrade } from '#db/plans/upgrade-requests.ts'
import { type PaidPlan, PLAN_IDS } from '#domain/plans/plan.ts'
import { planNow } from '#domain/plans/term.ts'
import { testOnSqlite } from '#tests/support/database.ts'
import { openMoney } from '#tests/support/money.ts'
import { findProcess } from '#tests/support/programs.ts'
import { ACTOR, addPromoCode } from '#tests/support/promo.ts'
import { plansOf } from '#tests/support/query-plans.ts'
import { RACERS, race } from '#tests/support/races.ts'
import { setAccount } from '#tests/support/rows.ts'

const PRICES = { premium: 999, enterprise: 9999 }
const nobody = async () => {}

async function openTerms() {
  const app = await openMoney()
  const { db, deps } = app
  const ask = async (accountId: string, plan: PaidPlan = 'premium') =>
    (await requestUpgrade(db, accountId, { requested_plan: plan }, PRICES, deps.clock())).id
  const approve = (id: string, months: number | null = 1) =>
    decideUpgradeRequest(
      db,
      { id, action: 'approve', notes: null, months, payment_seen: true },
      ACTOR,
      deps.clock(),
      nobody,
    )
  const numbers = async () => {
    const rows = await db.selectFrom('receipts').select('number').orderBy('number').execute()
    return rows.map(({ number }) => number)
  }
  const people = async (count = RACERS) => {
    const made: string[] = []
    for (let n = 0; n < count; n++) {
      const row = { name: `Account ${n}`, email: `n${n}@example.in`, password_hash: null }
      made.push((await insertAccount(db, row, deps.clock())).id)
    }
    return made
  }
  return { ...app, ask, approve, numbers, people }
}

const upTo = (count: number, year = 2026) =>
  Array.from({ length: count }, (_, n) => `R-${year}-${String(n + 1).padStart(6, '0')}`)

describe('receipts', () => {
  test('of twenty approvals at once have the next twenty numbers', async () => {
    const { ask, approve, numbers, people } = await openTerms()
    const requests: string[] = []
    for (const id of await people()) requests.push(await ask(id))
    const { won } = await race((n) => approve(requests[n] ?? ''))
    expect(won).toHaveLength(RACERS)
    expect(await numbers()).toEqual(upTo(RACERS))
    expect(new Set(won.map(({ receipt_number }) => receipt_number)).size).toBe(RACERS)
  })

  test('have no gap where an approval fails at its last step', async () => {
    const { db, deps, ask, approve, numbers, people } = await openTerms()
    const [first = '', second = ''] = await people(2)
    const approval = { action: 'approve', notes: null, payment_seen: true } as const
    const broken = { id: await ask(first), ...approval }
    const failing = async () => {
      throw new Error('killed')
    }
    await expect(decideUpgradeRequest(db, broken, ACTOR, deps.clock(), failing)).rejects.toThrow(
      'killed',
    )
    await approve(await ask(second))
    await approve(broken.id)
    expect(await numbers()).toEqual(upTo(2))
  })

  test('of one request that twenty approve are one', async () => {
    const { asha, ask, approve, numbers } = await openTerms()
    const id = await ask(asha.id)
    const { won, refused } = await race(() => approve(id))
    expect([won.length, refused]).toEqual([
      1,
      { 'conflict: This request has already been decided': 19 },
    ])
    expect(await numbers()).toEqual(upTo(1))
  })

  test('begin at 1 with each year of the time zone', async () => {
    const { db, ask, people, numbers } = await openTerms()
    const [first = '', second = ''] = await people(2)
    const at = [
      [await ask(first), '2026-12-31T18:29:59.999Z'],
      [await ask(second), '2026-12-31T18:30:00.000Z'],
    ] as const
    for (const [id, now] of at) {
      const decision = { id, action: 'approve', notes: null, payment_seen: true } as const
      await decideUpgradeRequest(db, decision, ACTOR, new Date(now), nobody, NO_ISSUER)
    }
    expect(await numbers()).toEqual([...upTo(1, 2026), ...upTo(1, 2027)])
  })
})

test('twenty promo codes of a month each, redeemed at once, are twenty months', async () => {
  const { db, deps, asha } = await openTerms()
  for (let n = 0; n < RACERS; n++) await addPromoCode({ db }, { code: `M${n}`, plan_months: 1 })
  const { won } = await race((n) => redeemPromoCode(db, asha.id, `M${n}`, deps.clock()))
  expect(won).toHaveLength(RACERS)
  const { term_plan, term_ends_at } = await db
    .selectFrom('accounts')
    .select(['term_plan', 'term_ends_at'])
    .where('id', '=', asha.id)
    .executeTakeFirstOrThrow()
  expect([term_plan, term_ends_at]).toEqual(['premium', '2028-07-20T10:00:00.000Z'])
})

test('child codes of a term are made as often as they are left, however many come at once', async () => {
  const { db, deps, asha, ask, approve } = await openTerms()
  await approve(await ask(asha.id))
  const making = { now: deps.clock(), contactMode: 'public' } as const
  const { won, refused } = await race(() => createChildCodes(db, asha.id, 7, making))
  expect([won.length, refused]).toEqual([7, { 'invalid: Quantity must be between 1 and 1': 13 }])
})

describe('a reminder', () => {
  const WEEK_BEFORE = '2026-12-13T10:00:00.000Z'
  const END = '2026-12-20T10:00:00.000Z'

  test.each([WEEK_BEFORE, '2026-12-19T10:00:00.000Z', END])(
    'at %s is made once by twenty processes',
    async (at) => {
      const { db, asha, ask, approve } = await openTerms()
      await approve(await ask(asha.id))
      const made: string[] = []
      const { won } = await race(() =>
        makeReminders(db, new Date(at), async (_trx, { accountId }) => made.push(accountId)),
      )
      expect(won.reduce((sum, count) => sum + count, 0)).toBe(1)
      expect(made).toContain(asha.id)
      expect(await makeReminders(db, new Date(at), nobody)).toBe(0)
    },
  )

  test('comes a week before, a day before and at the end, and not in between', async () => {
    const { db, asha, ask, approve } = await openTerms()
    await approve(await ask(asha.id))
    const made: string[] = []
    for (let hour = 0; hour <= 32 * 24; hour++) {
      const now = new Date(Date.parse('2026-11-20T10:00:00.000Z') + hour * 3_600_000)
      await makeReminders(db, now, async (_trx, { hasEnded }) =>
        made.push(`${now.toISOString()} ${hasEnded}`),
      )
    }
    expect(made).toEqual([
      '2026-12-13T10:00:00.000Z false',
      '2026-12-19T10:00:00.000Z false',
      '2026-12-20T10:00:00.000Z true',
    ])
  })

  test('is the latest alone after a pause, and none when the clock goes back', async () => {
    const { db, asha, ask, approve } = await openTerms()
    await approve(await ask(asha.id))
    expect(await makeReminders(db, new Date('2027-03-01T00:00:00Z'), nobody)).toBe(1)
    for (const at of [WEEK_BEFORE, '2026-12-19T12:00:00.000Z', END, '2027-03-02T00:00:00Z']) {
      expect(await makeReminders(db, new Date(at), nobody)).toBe(0)
    }
  })

  test('comes again for the new end of a renewed plan', async () => {
    const { db, asha, ask, approve } = await openTerms()
    await approve(await ask(asha.id))
    expect(await makeReminders(db, new Date(WEEK_BEFORE), nobody)).toBe(1)
    await approve(await ask(asha.id))
    expect(await makeReminders(db, new Date(END), nobody)).toBe(0)
    expect(await makeReminders(db, new Date('2027-01-14T10:00:00.000Z'), nobody)).toBe(1)
  })

  test('is made later when its mail cannot be queued', async () => {
    const { db, asha, ask, approve } = await openTerms()
    await approve(await ask(asha.id))
    const failing = async () => {
      throw new Error('killed')
    }
    await expect(makeReminders(db, new Date(END), failing)).rejects.toThrow('killed')
    expect(await makeReminders(db, new Date(END), nobody)).toBe(1)
  })

  test('is an alert by mail with the way to renew', async () => {
    const { asha, ask, approve, deps, mails, advance, sender } = await openTerms()
    await approve(await ask(asha.id))
    advance(30 * 86_400)
    expect(await remindOfEnds(deps)).toBe(1)
    await sender.settled()
    expect(mails).toMatchObject([
      { to: asha.email, subject: 'Your Premium plan ended on 20 Dec 2026' },
    ])
    expect(mails[0]?.text).toContain('/dashboard?upgrade=1&plan=premium')
    expect(mails[0]?.text).toContain('your account is free again.')
  })

  test('names the plan without end that the account has then', async () => {
    const { asha, ask, approve, deps, mails, advance, sender } = await openTerms()
    await approve(await ask(asha.id), null)
    await approve(await ask(asha.id, 'enterprise'))
    for (const days of [24, 6]) {
      advance(days * 86_400)
      await remindOfEnds(deps)
      await sender.settled()
    }
    const said = mails.map(({ text }) => text.replaceAll('\n', ' '))
    expect(said).toMatchObject([
      expect.stringContaining('After that your account has the Premium plan.'),
      expect.stringContaining('ended on 20 Dec 2026: your account has the Premium plan.'),
    ])
  })

  test('does not count on a permission that is over by then', async () => {
    const { db, asha, admin, ask, approve, deps } = await openTerms()
    await approve(await ask(asha.id, 'enterprise'))
    const afterwards: string[] = []
    for (const end of ['2026-12-19T10:00:00.000Z', '2026-12-21T10:00:00.000Z']) {
      const until = new Date(end)
      const permission = { actorId: admin.id, accountId: asha.id, type: 'premium', until } as const
      await setPermission(db, permission, deps.clock())
      await db.updateTable('accounts').set({ term_reminded: 0 }).execute()
      await makeReminders(db, new Date(WEEK_BEFORE), async (_trx, { after }) =>
        afterwards.push(after),
      )
    }
    expect(afterwards).toEqual(['free', 'premium'])
  })
})

test('a statement says the same plan as the rule', async () => {
  const { db, asha, deps } = await openTerms()
  const now = deps.clock()
  const seconds = (n: number) => new Date(now.getTime() + n * 1000).toISOString()
  for (const subscription_plan of PLAN_IDS) {
    for (const term_plan of [null, 'premium', 'enterprise'] as const) {
      for (const end of [seconds(-1), seconds(0), seconds(1)]) {
        const term_ends_at = term_plan && end
        await setAccount(db, asha.id, { subscription_plan, term_plan, term_ends_at })
        const { plan } = await db
          .selectFrom('accounts')
          .select((eb) => planNowSql(eb, now).as('plan'))
          .where('id', '=', asha.id)
          .executeTakeFirstOrThrow()
        expect(plan).toBe(planNow({ subscription_plan, term_plan, term_ends_at }, now))
      }
    }
  }
})

test('a process that is killed among its approvals leaves no gap', { tags: 'slow' }, async () => {
  const { db, ask, people, numbers, deps } = await openTerms()
  for (const id of await people(45)) await ask(id)
  const { dataDir, databaseUrl = '' } = deps.config
  const now = deps.clock().toISOString()
  const args = [await findProcess('approver'), dataDir, now, databaseUrl]
  const printed: string[] = []
  for (let kill = 0; kill < 3; kill++) {
    const approver = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let here = 0
    approver.stdout.on('data', (lines: Buffer) => {
      const issued = lines.toString().trim().split('\n')
      printed.push(...issued)
      here += issued.length
      if (here >= 4) approver.kill('SIGKILL')
    })
    await once(approver, 'close')
  }
  const issued = await numbers()
  expect(issued.length).toBeGreaterThanOrEqual(12)
  expect(issued).toEqual(upTo(issued.length))
  expect(issued).toEqual(expect.arrayContaining(printed))
  const { n } = await db
    .selectFrom('upgrade_requests')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('status', '=', 'approved')
    .executeTakeFirstOrThrow()
  expect(n).toBe(issued.length)
})

testOnSqlite('the look of every minute finds its accounts by an index', async () => {
  const { db, deps, connection } = await openTerms()
  const plans = await plansOf(connection, () => makeReminders(db, deps.clock(), nobody))
  const steps = plans.flat().filter((step) => step.includes(' accounts'))
  expect(steps).toEqual(
    Array(3).fill('SEARCH accounts USING INDEX terms_to_remind_of (term_ends_at<?)'),
  )
})

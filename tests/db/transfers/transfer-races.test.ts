import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { secondsAfter } from '#db/cast.ts'
import { deleteQrCode } from '#db/codes/qr-changes.ts'
import { createQrCode } from '#db/codes/qr-creation.ts'
import { createPageReport } from '#db/conversations/page-reports.ts'
import { holdReportedCode } from '#db/conversations/report-holds.ts'
import { hashToken, randomId, randomToken } from '#db/secrets.ts'
import { acceptTransfer } from '#db/transfers/acceptance.ts'
import {
  cancelTransfer,
  countWhatComes,
  findOfferedTransfer,
  startTransfer,
} from '#db/transfers/transfers.ts'
import { openTestApp } from '#tests/support/app.ts'
import { newCaller } from '#tests/support/callers.ts'
import { insertCode } from '#tests/support/codes.ts'
import { RACERS, race } from '#tests/support/races.ts'
import { FRAUD } from '#tests/support/reports.ts'

const ROUNDS = 100
const BUYER = 'meenakshi@example.in'
const FIELDS = { owner_name: 'Meenakshi Pillai', contact_phone: '98190 00482' }
const DEAD = 'not_found: This link is no longer valid'
const ON_HOLD = 'conflict: This QR code is being looked at'
const GONE = 'not_found: QR code not found'

async function openSale() {
  const app = await openTestApp()
  const { db, deps } = app
  const owner = await app.signUp({ subscription_plan: 'enterprise' })
  const buyer = await app.signUp({ email: BUYER, subscription_plan: 'enterprise' })
  const [seller, taker] = [await newCaller(app, owner.id), await newCaller(app, buyer.id)]
  const now = deps.clock()
  const rules = { now, contactMode: 'public', secretKey: deps.secretKey } as const

  /** A code of the owner on its way to the buyer. */
  async function sell() {
    const { id, qr_id } = await insertCode(db, owner.id, { vehicle_registration: 'MH12QX4827' })
    const token = randomToken()
    const transfer = { id: randomId(), code_id: id, from_account_id: owner.id, email: BUYER }
    const at = now.toISOString()
    const expires_at = secondsAfter(now, 3600).toISOString()
    await db
      .insertInto('transfers')
      .values({
        ...transfer,
        include_documents: 0,
        token_hash: hashToken(token),
        created_at: at,
        expires_at,
      })
      .execute()
    const accept = () => acceptTransfer(db, taker, { token, fields: FIELDS }, rules, async () => {})
    const code = () => db.selectFrom('qr_codes').selectAll().where('id', '=', id).executeTakeFirst()
    const pending = () => db.selectFrom('transfers').selectAll().where('code_id', '=', id).execute()
    const find = () => findOfferedTransfer(db, token, buyer, now)
    return { qr_id, accept, find, code, pending }
  }
  return { ...app, owner, buyer, seller, taker, now, rules, sell }
}

/** A code as one of the two has it, whole. */
const heldBy = ({ id }: { id: string }, owner_name: string) => ({
  owner_id: id,
  created_by: id,
  owner_name,
})

type Sale = Awaited<ReturnType<Awaited<ReturnType<typeof openSale>>['sell']>>

/** Has the new owner accept while the old one does something else, and says who won in each round. */
async function raceInRounds(
  { owner, buyer, sell }: Awaited<ReturnType<typeof openSale>>,
  other: (sale: Sale) => Promise<unknown>,
  unlessAccepted: (code: Awaited<ReturnType<Sale['code']>>) => void,
): Promise<void> {
  const winners = { accept: 0, other: 0 }
  // On PostgreSQL the shorter one would always win. How much longer the other takes is the machine's affair.
  let headStartMs = 0
  for (let round = 0; round < ROUNDS; round++) {
    const sale = await sell()
    const acts = [
      { name: 'accept', act: sale.accept },
      { name: 'other', act: () => after(headStartMs, () => other(sale)) },
    ] as const
    const { won, refused } = await race(async (n) => {
      const { name, act } = acts[(n + round) % 2 ? 0 : 1]
      await act()
      return name
    }, 2)
    expect([round, won.length]).toEqual([round, 1])
    const [winner] = won as ['accept' | 'other']
    winners[winner]++
    headStartMs = Math.max(0, headStartMs + (winner === 'other' ? 3 : -3))
    const isAccepted = winner === 'accept'
    expect(refused).toEqual({ [isAccepted ? GONE : DEAD]: 1 })
    const code = await sale.code()
    if (isAccepted) expect(code).toMatchObject(heldBy(buyer, FIELDS.owner_name))
    else unlessAccepted(code)
    expect(await sale.pending()).toEqual([])
    expect(code?.owner_id).not.toBe(isAccepted ? owner.id : buyer.id)
  }
  expect(Math.min(winners.accept, winners.other)).toBeGreaterThan(0)
}

/** At once, unless it has to wait. */
async function after(ms: number, act: () => Promise<unknown>): Promise<void> {
  if (ms > 0) await sleep(ms)
  await act()
}

describe(`one wins, in ${ROUNDS} rounds, and nothing is half done`, () => {
  test('of accepting and cancelling', async () => {
    const opened = await openSale()
    const { db, owner, now } = opened
    const cancel = ({ qr_id }: Sale) => cancelTransfer(db, owner, qr_id, now)
    await raceInRounds(opened, cancel, (code) =>
      expect(code).toMatchObject(heldBy(owner, 'Ramesh Kulkarni')),
    )
  })

  test('of accepting and deleting', async () => {
    const opened = await openSale()
    const { db, owner, now } = opened
    const remove = ({ qr_id }: Sale) => deleteQrCode(db, owner, qr_id, now)
    await raceInRounds(opened, remove, (code) => expect(code).toBeUndefined())
  })
})

test('a code that a moderator holds at once with the acceptance is the new owner’s, or stays; it is held in any case', async () => {
  const { db, owner, buyer, now, signUp, sell } = await openSale()
  const { id: actor_id, name: actor } = await signUp({ role: 'moderator', name: 'Kavita Joshi' })
  const owners = { accepted: 0, held: 0 }
  let headStartMs = 0
  for (let round = 0; round < ROUNDS; round++) {
    const { qr_id, accept, code, pending } = await sell()
    const { id } = await createPageReport(db, qr_id, FRAUD, now)
    const hold = () => holdReportedCode(db, { actor_id, actor }, id, now)
    const acts = [accept, () => after(headStartMs, hold)]
    const { won, refused } = await race<unknown>(async (n) => acts[(n + round) % 2]?.(), 2)
    const later = await code()
    expect([round, later?.hold_until]).toEqual([round, expect.any(String)])
    const isAccepted = won.length === 2
    expect(later?.owner_id).toBe(isAccepted ? buyer.id : owner.id)
    expect(await pending()).toHaveLength(isAccepted ? 0 : 1)
    expect(refused).toEqual(isAccepted ? {} : { [ON_HOLD]: 1 })
    owners[isAccepted ? 'accepted' : 'held']++
    // On PostgreSQL the shorter one would always win.
    headStartMs = Math.max(0, headStartMs + (isAccepted ? -3 : 3))
  }
  expect(Math.min(owners.accepted, owners.held)).toBeGreaterThan(0)
})

test('a view of a transfer while its code is deleted is whole, or a dead link', async () => {
  const { db, owner, now, sell } = await openSale()
  for (let round = 0; round < 10; round++) {
    const { qr_id, find } = await sell()
    const looks = Array.from({ length: RACERS }, async () => {
      const offered = await find()
      return offered && countWhatComes(db, offered)
    })
    const [, ...looked] = await Promise.allSettled([deleteQrCode(db, owner, qr_id, now), ...looks])
    for (const look of looked) {
      const { status } = look
      const found = status === 'rejected' ? String((look.reason as Error).message) : undefined
      if (found !== undefined) expect(found).toBe('This link is no longer valid')
    }
  }
})

test('of twenty at once one accepts', async () => {
  const { buyer, sell } = await openSale()
  const { accept, code } = await sell()
  const { won, refused } = await race(accept)
  expect([won.length, refused]).toEqual([1, { [DEAD]: 19 }])
  expect(await code()).toMatchObject(heldBy(buyer, FIELDS.owner_name))
})

test('of twenty at once one begins a transfer, and one mail is sent', async () => {
  const { db, owner, seller, now } = await openSale()
  const { qr_id } = await insertCode(db, owner.id)
  const mailed: string[] = []
  const { won, refused } = await race((n) => {
    const wish = { email: `b${n}@example.in`, include_documents: false }
    return startTransfer(db, seller, qr_id, wish, now, async (_, { email }) => {
      mailed.push(email)
    })
  })
  expect([won.length, refused]).toEqual([1, { 'conflict: A transfer is already under way': 19 }])
  const [transfer] = await db.selectFrom('transfers').selectAll().execute()
  expect(mailed).toContain(transfer?.email)
})

test('the new owner’s limit is kept, by transfers and by new codes at once', async () => {
  const { db, buyer, rules, sell } = await openSale()
  const premium = { subscription_plan: 'premium', qr_limit: 7 } as const
  await db.updateTable('accounts').set(premium).where('id', '=', buyer.id).execute()
  const sales = await Promise.all(Array.from({ length: RACERS }, sell))
  const { won } = await race(
    async (n): Promise<unknown> =>
      n % 2 ? sales[n]?.accept() : createQrCode(db, buyer.id, FIELDS, rules),
  )
  const own = await db
    .selectFrom('qr_codes')
    .select('id')
    .where('created_by', '=', buyer.id)
    .execute()
  expect([won.length, own.length]).toEqual([7, 7])
  const pending = await db.selectFrom('transfers').select('id').execute()
  const moved = own.length - won.filter((each) => each && 'id' in (each as object)).length
  expect(pending).toHaveLength(RACERS - moved)
})

test('scans at the same time are counted for one of the two, each once', async () => {
  const { db, deps, owner, buyer, sell } = await openSale()
  for (let round = 0; round < 10; round++) {
    const { qr_id, accept, code } = await sell()
    const scan = { qr_id, device: 'phone', referrer: 'direct' } as const
    const scans = Array.from({ length: 20 }, () => deps.scanPath.record(scan))
    await Promise.all([...scans.slice(0, 10), accept(), ...scans.slice(10)])
    const rows = await db.selectFrom('scans').select('n').where('qr_id', '=', qr_id).execute()
    const moved = await code()
    expect(rows.length + (moved?.earlier_scans ?? 0)).toBe(20)
    const sumOf = async (owner_id: string) => {
      const sums = db.selectFrom('owner_scans').select('scans').where('owner_id', '=', owner_id)
      return (await sums.execute()).reduce((sum, { scans }) => sum + scans, 0)
    }
    expect(await sumOf(owner.id)).toBe(0)
    expect(await sumOf(buyer.id)).toBe(rows.length)
    await db.deleteFrom('qr_codes').where('qr_id', '=', qr_id).execute()
  }
})

import { describe, expect, test } from 'vitest'
import { secondsAfter } from '#db/cast.ts'
import { claimQrCode, takeClaim, undoClaim } from '#db/codes/claims.ts'
import { hashPin, tryPin } from '#db/codes/pins.ts'
import { deleteQrCode, updateQrCode } from '#db/codes/qr-changes.ts'
import { createChildCodes, createQrCode, createUnclaimedCodes } from '#db/codes/qr-creation.ts'
import { hashToken, randomToken } from '#db/secrets.ts'
import { CLAIM_FIELDS, cleanClaim } from '#domain/codes/claim.ts'
import { networksOf } from '#domain/networks.ts'
import { openTestApp } from '#tests/support/app.ts'
import { HELD, insertCode } from '#tests/support/codes.ts'
import { UNCLAIMED } from '#tests/support/families.ts'
import { countEach, race } from '#tests/support/races.ts'

const contactMode = 'public'
const NO_ACCOUNT = { activationCode: null, networks: [], accountId: undefined, lang: 'en' } as const

async function openOwner(plan: 'free' | 'premium' = 'premium') {
  const app = await openTestApp()
  const owner = await app.signUp({ subscription_plan: plan })
  const codes = () => app.db.selectFrom('qr_codes').selectAll().execute()
  const quota = async () => {
    const account = app.db
      .selectFrom('accounts')
      .select('child_qr_quota')
      .where('id', '=', owner.id)
    return (await account.executeTakeFirstOrThrow()).child_qr_quota
  }
  return { ...app, owner, codes, quota, now: app.deps.clock(), secretKey: app.deps.secretKey }
}

describe('of twenty at once', () => {
  test('one claims a code: the code has what that one typed, and one mail is sent', async () => {
    const { db, owner, codes, now, secretKey } = await openOwner()
    const { qr_id } = await insertCode(db, owner.id, UNCLAIMED)
    const claimOf = (n: number) =>
      cleanClaim({
        owner_name: `Claimer ${n}`,
        contact_phone: '9845012345',
        email: `c${n}@example.in`,
      })
    const told: string[] = []
    const { won, refused } = await race(async (n) => {
      const claimer = { ...NO_ACCOUNT, claim: claimOf(n) }
      const by = { secretKey, now, notice: '1' }
      const { take_token } = await claimQrCode(db, qr_id, claimer, by, async (_, { to }) => {
        told.push(to)
      })
      return { n, take_token }
    })
    expect(refused).toEqual({ 'conflict: This QR code has already been claimed': 19 })
    const [{ n, take_token }] = won as [(typeof won)[number]]
    const [code] = await codes()
    expect(code).toMatchObject({
      ...Object.fromEntries(CLAIM_FIELDS.map((name) => [name, claimOf(n)[name]])),
      public_message: expect.any(String),
      is_claimed: 1,
      owner_id: owner.id,
      claim_email: `c${n}@example.in`,
      take_token_hash: hashToken(take_token ?? ''),
    })
    expect(told).toContain(`c${n}@example.in`)
  })

  test('one undoes a claim, and the others are told that there is none', async () => {
    const { db, owner, codes, now } = await openOwner()
    const held = { ...HELD, claim_email: 'asha@example.in' }
    const { qr_id } = await insertCode(db, owner.id, held)
    const { won, refused } = await race(() =>
      undoClaim(db, owner, qr_id, { now, contactMode }, async () => {}),
    )
    expect(won).toHaveLength(1)
    expect(refused).toEqual({ 'conflict: This QR code has no claim to undo': 19 })
    expect(await codes()).toMatchObject([{ is_claimed: 0, owner_name: null, claim_email: null }])
  })

  test('one account takes a claimed code, unless the issuer undoes the claim first', async () => {
    const { db, owner, signUp, codes, now } = await openOwner()
    const token = randomToken()
    const { qr_id } = await insertCode(db, owner.id, { ...HELD, take_token_hash: hashToken(token) })
    const takers = await Promise.all(Array.from({ length: 19 }, () => signUp()))
    const { won, refused } = await race(async (n) => {
      const taker = takers[n]
      if (taker) return { taker, took: await takeClaim(db, token, taker.id, now) }
      await undoClaim(db, owner, qr_id, { now, contactMode }, async () => {})
      return { taker: owner, took: 'undone' }
    })
    const winners = won.filter(({ took }) => took !== undefined)
    expect(winners).toHaveLength(1)
    expect(await codes()).toMatchObject([{ owner_id: winners[0]?.taker.id, claimed_at: null }])
    const isUndone = winners[0]?.took === 'undone'
    expect(refused).toEqual(isUndone ? {} : { 'not_found: QR code not found': 1 })
  })

  test('one changes the version that it has seen, and one deletes the code', async () => {
    const { db, owner, codes, now, secretKey } = await openOwner()
    const { qr_id, updated_at } = await insertCode(db, owner.id)
    const changes = await race((n) => {
      const change = { fields: { city_area: `Place ${n}` }, updated_at }
      return updateQrCode(db, owner, qr_id, change, { secretKey, now })
    })
    expect(changes.refused).toEqual({ 'conflict: This QR code was changed meanwhile': 19 })
    expect(await codes()).toMatchObject([{ city_area: changes.won[0]?.city_area }])
    const deletions = await race(() => deleteQrCode(db, owner, qr_id, now))
    expect(deletions.won).toHaveLength(1)
    expect(deletions.refused).toEqual({ 'not_found: QR code not found': 19 })
  })
})

test('changes that name no version are all made, each with a time of its own', async () => {
  const { db, owner, codes, now, secretKey } = await openOwner()
  const { qr_id } = await insertCode(db, owner.id)
  const { won } = await race((n) =>
    updateQrCode(db, owner, qr_id, { fields: { city_area: `Place ${n}` } }, { secretKey, now }),
  )
  expect(new Set(won.map(({ updated_at }) => updated_at)).size).toBe(20)
  const last = won.toSorted((a, b) => (a.updated_at < b.updated_at ? -1 : 1)).at(-1)
  expect(await codes()).toMatchObject([
    { city_area: last?.city_area, updated_at: last?.updated_at },
  ])
})

describe('the quota of codes is kept exactly', () => {
  const REQUIRED = { owner_name: 'Asha Patil', contact_phone: '9876543210' }
  const full = 'plan_limit: QR limit reached'

  test('by codes that are made one by one', async () => {
    const { db, owner, codes, now, secretKey } = await openOwner('free')
    const { won, refused } = await race(() =>
      createQrCode(db, owner.id, REQUIRED, { secretKey, now, contactMode }),
    )
    expect([won.length, (await codes()).length]).toEqual([1, 1])
    expect(refused).toEqual({ [`${full} (1/1)`]: 19 })
  })

  test('by batches: each is made whole or not at all', async () => {
    const { db, owner, codes, now } = await openOwner()
    const { won, refused } = await race(() =>
      createUnclaimedCodes(db, owner.id, 7, { now, contactMode }),
    )
    expect([won.length, (await codes()).length]).toEqual([7, 49])
    expect(refused).toEqual({ [`${full} (49/50)`]: 13 })
  })

  test('by single codes and batches together', async () => {
    const { db, owner, codes, now, secretKey } = await openOwner()
    await createUnclaimedCodes(db, owner.id, 39, { now, contactMode })
    const { won } = await race(
      async (n): Promise<unknown> =>
        n % 2
          ? createUnclaimedCodes(db, owner.id, 3, { now, contactMode })
          : createQrCode(db, owner.id, REQUIRED, { secretKey, now, contactMode }),
    )
    const made = won.reduce<number>(
      (sum, each) => sum + (Array.isArray(each) ? each.length : 1),
      39,
    )
    const all = await codes()
    expect(all).toHaveLength(made)
    expect(made).toBe(50)
  })

  test('by child codes, which are taken off what is left', async () => {
    const { db, owner, codes, quota, now } = await openOwner()
    const { won, refused } = await race(() =>
      createChildCodes(db, owner.id, 7, { now, contactMode }),
    )
    expect([won.length, (await codes()).length, await quota()]).toEqual([7, 49, 1])
    expect(refused).toEqual({ 'invalid: Quantity must be between 1 and 1': 13 })
    const one = await race(() => createChildCodes(db, owner.id, 1, { now, contactMode }))
    expect([one.won.length, (await codes()).length, await quota()]).toEqual([1, 50, 0])
    expect(one.refused).toEqual({ 'plan_limit: Child QR limit reached (50/50)': 19 })
  })
})

describe('a PIN that twenty try at once', () => {
  async function openPinned() {
    const app = await openOwner()
    const { qr_id } = await insertCode(app.db, app.owner.id)
    const pin_hash = hashPin(app.secretKey, qr_id, '4711')
    await app.db.updateTable('qr_codes').set({ pin_hash }).execute()
    const { db, secretKey } = app
    const attempt = (pin: string, now = app.now, address = '203.0.113.7') =>
      tryPin(db, qr_id, pin, { secretKey, networks: networksOf(address), now })
    const tries = () => db.selectFrom('wrong_tries').select('tries').execute()
    return { ...app, attempt, tries }
  }

  test('takes five wrong tries, and after them none, not even a right one', async () => {
    const { attempt, tries, now } = await openPinned()
    const { won } = await race(() => attempt('0000'))
    expect(countEach(won.map(({ outcome }) => outcome))).toEqual({ incorrect: 5, locked: 15 })
    // Those of the address, and of its network.
    expect(await tries()).toEqual([{ tries: 5 }, { tries: 5 }])
    expect(await attempt('4711')).toMatchObject({ outcome: 'locked' })
    expect(await attempt('4711', now, '203.0.113.8')).toMatchObject({ outcome: 'opened' })
  })

  test('takes five also of tries that are made in another order than they began', async () => {
    const { attempt, now } = await openPinned()
    const { won } = await race((n) => attempt('0000', secondsAfter(now, -n / 1000)))
    expect(countEach(won.map(({ outcome }) => outcome))).toEqual({ incorrect: 5, locked: 15 })
    expect(await attempt('4711', secondsAfter(now, -1))).toEqual({
      outcome: 'locked',
      retryAfter: 900,
    })
  })

  test('opens for everybody who knows it', async () => {
    const { attempt, tries } = await openPinned()
    const { won } = await race(() => attempt('4711'))
    expect(countEach(won.map(({ outcome }) => outcome))).toEqual({ opened: 20 })
    expect(await tries()).toEqual([])
  })
})

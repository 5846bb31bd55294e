import { describe, expect, test } from 'vitest'
import { assertActivationCodes, renewActivationCode } from '#db/codes/activation.ts'
import { claimQrCode, takeClaim, undoClaim } from '#db/codes/claims.ts'
import { createUnclaimedCodes } from '#db/codes/qr-creation.ts'
import { hashToken, randomToken } from '#db/secrets.ts'
import { cleanClaim } from '#domain/codes/claim.ts'
import { networksOf } from '#domain/networks.ts'
import { openTestApp } from '#tests/support/app.ts'
import { HELD, insertCode } from '#tests/support/codes.ts'
import { race } from '#tests/support/races.ts'

const contactMode = 'public'
const WRONG = 'forbidden: That activation code is not right'
const claimOf = (owner_name: string) => cleanClaim({ owner_name, contact_phone: '9845012345' })

async function openActivated() {
  const app = await openTestApp()
  const { db, deps } = app
  const { secretKey } = deps
  const issuer = await app.signUp({ subscription_plan: 'premium' })
  const by = { secretKey, now: deps.clock() }
  const order = { now: by.now, contactMode, activationKey: secretKey } as const
  const made = await createUnclaimedCodes(db, issuer.id, 2, order)
  const [{ qr_id, activation_code = '' }] = made as [(typeof made)[number]]
  const claim = (activationCode: string | null, owner_name = 'Ayesha', address = '203.0.113.7') => {
    const networks = networksOf(address)
    const by = { claim: claimOf(owner_name), activationCode, accountId: undefined } as const
    const claimer = { ...by, networks }
    const when = { secretKey, now: deps.clock(), notice: '1' }
    return claimQrCode(db, qr_id, { ...claimer, lang: 'en' }, when, async () => {})
  }
  const stored = () => db.selectFrom('activation_codes').selectAll().execute()
  const tries = () => db.selectFrom('wrong_tries').select('tries').orderBy('tries').execute()
  const renew = () => renewActivationCode(db, issuer, qr_id, by)
  const wrong = activation_code === '000000' ? '111111' : '000000'
  return { ...app, issuer, by, made, qr_id, activation_code, claim, stored, tries, renew, wrong }
}

describe('an activation code', () => {
  test('has six symbols, its own for each code, and is stored as a keyed hash alone', async () => {
    const { made, stored, db } = await openActivated()
    const codes = made.map(({ activation_code }) => activation_code ?? '')
    expect(new Set(codes).size).toBe(2)
    for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{6}$/)
    const rows = await stored()
    expect(rows.map(({ code_hash }) => code_hash)).toEqual([
      expect.stringMatching(/^[0-9a-f]{64}$/),
      expect.stringMatching(/^[0-9a-f]{64}$/),
    ])
    const all = JSON.stringify([rows, await db.selectFrom('qr_codes').selectAll().execute()])
    for (const code of codes) expect(all).not.toContain(code)
  })

  test('that twenty guess at once counts five wrong tries, and then none, not even the right one', async () => {
    const { claim, wrong, activation_code, tries, advance } = await openActivated()
    const { won, refused } = await race(() => claim(wrong))
    expect(won).toEqual([])
    const locked = 'too_many: Too many wrong activation codes. Try again in 15 minutes.'
    expect(refused).toEqual({ [WRONG]: 5, [locked]: 15 })
    // Those of the address, and of its network.
    expect(await tries()).toEqual([{ tries: 5 }, { tries: 5 }])
    await expect(claim(activation_code)).rejects.toMatchObject({
      kind: 'too_many',
      retryAfter: 900,
    })
    advance(901)
    expect((await race(() => claim(activation_code), 1)).won).toHaveLength(1)
  })

  test('is taken from another network while strangers lock it for theirs', async () => {
    const { claim, wrong, activation_code } = await openActivated()
    for (const address of ['203.0.113.7', '203.0.113.8', '198.51.100.1', '2001:db8::1']) {
      await race(() => claim(wrong, 'Stranger', address), 6)
      await expect(claim(activation_code, 'Stranger', address)).rejects.toMatchObject({
        kind: 'too_many',
      })
    }
    await claim(activation_code, 'Ayesha', '192.0.2.44')
  })

  test('is not guessed from all addresses of a network', async () => {
    const { claim, wrong, activation_code } = await openActivated()
    let counted = 0
    for (let n = 0; n < 30; n++) {
      const tried = claim(wrong, 'Stranger', `203.0.113.${n}`)
      if (await tried.catch(({ kind }) => kind === 'forbidden')) counted++
    }
    expect(counted).toBe(20)
    await expect(claim(activation_code, 'Stranger', '203.0.113.99')).rejects.toMatchObject({
      kind: 'too_many',
    })
  })

  test('of twenty who know it at once, one claims the code', async () => {
    const { claim, activation_code, db } = await openActivated()
    const { won, refused } = await race((n) => claim(activation_code, `Claimer ${n}`))
    expect(won).toHaveLength(1)
    expect(refused).toEqual({ 'conflict: This QR code has already been claimed': 19 })
    const claimed = db.selectFrom('qr_codes').select('owner_name').where('is_claimed', '=', 1)
    expect(await claimed.execute()).toHaveLength(1)
  })

  test('is not counted as wrong when it cannot be one, and must be there', async () => {
    const { claim, tries } = await openActivated()
    for (const typed of ['12345', 'U23456', '1234567', 'कोड']) {
      await expect(claim(typed)).rejects.toMatchObject({ kind: 'forbidden' })
    }
    for (const typed of [null, '']) {
      await expect(claim(typed)).rejects.toMatchObject({ kind: 'invalid' })
    }
    expect(await tries()).toEqual([])
  })

  test('that is new ends the earlier one and its lock', async () => {
    const { claim, renew, wrong, activation_code, issuer, db, by } = await openActivated()
    await race(() => claim(wrong), 5)
    const shown = await renew()
    expect(shown.activation_code).not.toBe(activation_code)
    await assertActivationCodes(db, issuer, [shown], by.secretKey)
    const earlier = assertActivationCodes(db, issuer, [{ ...shown, activation_code }], by.secretKey)
    await expect(earlier).rejects.toMatchObject({ kind: 'conflict' })
    await expect(claim(activation_code)).rejects.toMatchObject({ kind: 'forbidden' })
    await claim(shown.activation_code)
    // The code is claimed: there is nothing to print or to renew.
    const printed = assertActivationCodes(db, issuer, [shown], by.secretKey)
    await expect(printed).rejects.toMatchObject({ kind: 'conflict' })
    await expect(renew()).rejects.toMatchObject({ kind: 'conflict' })
  })

  test('and a claim at the same time come one after the other', async () => {
    for (let round = 0; round < 20; round++) {
      const { claim, renew, activation_code, stored, db } = await openActivated()
      const [claimed, renewed] = await Promise.allSettled([claim(activation_code), renew()])
      const isClaimed = claimed.status === 'fulfilled'
      expect(renewed.status).toBe(isClaimed ? 'rejected' : 'fulfilled')
      const codes = await db.selectFrom('qr_codes').select('is_claimed').execute()
      expect(codes.filter(({ is_claimed }) => is_claimed)).toHaveLength(isClaimed ? 1 : 0)
      expect(await stored()).toHaveLength(2)
    }
  })

  test('is needed again when the claim is undone', async () => {
    const { claim, activation_code, issuer, qr_id, db, by, wrong } = await openActivated()
    await claim(activation_code)
    const code = await undoClaim(db, issuer, qr_id, { now: by.now, contactMode }, async () => {})
    expect(code.needs_activation).toBe(true)
    await expect(claim(wrong)).rejects.toMatchObject({ kind: 'forbidden' })
    await claim(activation_code)
  })
})

test('a claim, its undoing and its taking: of 100 rounds each has one winner, and nothing is half done', async () => {
  const { db, deps, signUp } = await openTestApp()
  const { secretKey } = deps
  const now = deps.clock()
  const [issuer, taker] = [await signUp(), await signUp()]
  const seen: Record<string, number> = {}
  for (let round = 0; round < 100; round++) {
    const token = randomToken()
    const held = { ...HELD, owner_name: 'First', take_token_hash: hashToken(token) }
    const { id, qr_id } = await insertCode(db, issuer.id, held)
    let told = 0
    const second = {
      claim: claimOf('Second'),
      activationCode: null,
      networks: [],
      accountId: undefined,
    } as const
    const acts = [
      () => takeClaim(db, token, taker.id, now),
      () =>
        undoClaim(db, issuer, qr_id, { now, contactMode }, async () => {
          told++
        }),
      () =>
        claimQrCode(
          db,
          qr_id,
          { ...second, lang: 'en' },
          { secretKey, now, notice: '1' },
          async () => {},
        ),
    ]
    // The first caller mostly wins, so each begins first in turn.
    const order = [0, 1, 2].map((n) => (n + round) % 3)
    const ended = await Promise.allSettled(order.map((n) => acts[n]?.()))
    const byAct = [0, 1, 2].map((n) => ended[order.indexOf(n)] as PromiseSettledResult<unknown>)
    const [taken, undone, claimed] = byAct as [
      PromiseSettledResult<unknown>,
      PromiseSettledResult<unknown>,
      PromiseSettledResult<{ take_token: string }>,
    ]
    const code = await db
      .selectFrom('qr_codes')
      .select(['owner_id', 'owner_name', 'is_claimed', 'claimed_at', 'take_token_hash'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const wasTaken = taken.status === 'fulfilled' && taken.value === qr_id
    const [wasUndone, wasClaimed] = [undone, claimed].map(({ status }) => status === 'fulfilled')
    expect(wasTaken).toBe(!wasUndone)
    expect(told > 0).toBe(wasUndone)
    if (wasClaimed) expect(wasUndone).toBe(true)
    const none = { claimed_at: null, take_token_hash: null }
    if (wasTaken) {
      const { take_token_hash } = held
      const kept = { owner_id: taker.id, owner_name: 'First', is_claimed: 1, take_token_hash }
      expect(code).toEqual({ ...kept, claimed_at: null })
    } else if (claimed.status === 'fulfilled') {
      expect(code).toEqual({
        owner_id: issuer.id,
        owner_name: 'Second',
        is_claimed: 1,
        claimed_at: now.toISOString(),
        take_token_hash: hashToken(claimed.value.take_token),
      })
    } else {
      expect(code).toEqual({ ...none, owner_id: issuer.id, owner_name: null, is_claimed: 0 })
    }
    const outcome = wasTaken ? 'taken' : wasClaimed ? 'undone and claimed' : 'undone'
    seen[outcome] = (seen[outcome] ?? 0) + 1
  }
  // It was a race: each came first at times.
  expect(seen.taken).toBeGreaterThan(0)
  expect((seen.undone ?? 0) + (seen['undone and claimed'] ?? 0)).toBeGreaterThan(0)
})

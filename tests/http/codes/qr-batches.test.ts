import { describe, expect, test } from 'vitest'
import { parseQrId } from '#domain/codes/qr-id.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'

type Code = Record<string, unknown> & { qr_id: string }

async function openSignedIn(plan: 'free' | 'premium' | 'enterprise') {
  const app = await openTestApp()
  const as = await app.signUp({ subscription_plan: plan })
  const post = async (path: string, json?: unknown) => {
    const answer = await app.ask('POST', `/api/qr/${path}`, { as, json })
    return { status: answer.status, body: await answer.json() }
  }
  const count = async () => (await app.db.selectFrom('qr_codes').select('id').execute()).length
  const quota = async () =>
    (
      await app.db
        .selectFrom('accounts')
        .select('child_qr_quota')
        .where('id', '=', as.id)
        .executeTakeFirst()
    )?.child_qr_quota
  const setQuota = (child_qr_quota: number) =>
    app.db.updateTable('accounts').set({ child_qr_quota }).execute()
  return {
    ...app,
    as,
    bulk: (json?: unknown) => post('bulk-create', json),
    child: (json?: unknown) => post('child-create', json),
    count,
    quota,
    setQuota,
  }
}

describe('POST /api/qr/bulk-create', () => {
  test('makes unclaimed codes of the account, each with an id of its own', async () => {
    const { bulk, as, ask } = await openSignedIn('premium')
    const { status, body } = await bulk({ quantity: 50 })
    expect([status, body.created_count]).toEqual([201, 50])
    const codes = body.qr_codes as Code[]
    expect(new Set(codes.map(({ qr_id }) => parseQrId(qr_id))).size).toBe(50)
    for (const code of codes) {
      expect(code).toMatchObject({
        owner_id: as.id,
        qr_type: 'normal',
        is_claimed: false,
        is_active: true,
        owner_name: null,
        public_message: null,
        qr_image: expect.stringMatching(/^iVBORw0KGgo/),
      })
    }
    const listed = (await (await ask('GET', '/api/qr/my-qrs', { as })).json()) as Code[]
    const byId = (all: Code[]) => all.toSorted((a, b) => a.qr_id.localeCompare(b.qr_id))
    expect(byId(listed)).toEqual(byId(codes))
  })

  test('creates 10 by default', async () => {
    const { bulk } = await openSignedIn('premium')
    for (const json of [{}, { quantity: null }, undefined]) {
      expect((await bulk(json)).body.created_count).toBe(10)
    }
  })

  test('refuses a quantity out of range and makes nothing', async () => {
    const { bulk, count } = await openSignedIn('enterprise')
    const detail = 'Quantity must be between 1 and 50'
    expect(await bulk({ quantity: '10' })).toEqual({ status: 400, body: { detail } })
    expect(await count()).toBe(0)
  })

  test('makes all or nothing', async () => {
    const { bulk, count, db, as } = await openSignedIn('premium')
    for (let n = 0; n < 41; n++) await insertCode(db, as.id)
    const detail = { message: 'QR limit reached (41/50)', current_count: 41, limit: 50 }
    expect(await bulk({ quantity: 10 })).toEqual({ status: 402, body: { detail } })
    expect(await count()).toBe(41)
    expect((await bulk({ quantity: 9 })).status).toBe(201)
  })

  test('never passes the limit, however many calls come at once', async () => {
    const { bulk, count } = await openSignedIn('premium')
    const answers = await Promise.all(Array.from({ length: 20 }, () => bulk({ quantity: 12 })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(4)
    const refused = answers.filter(({ status }) => status === 402)
    expect(refused).toHaveLength(16)
    const message = 'QR limit reached (48/50)'
    const detail = { message, current_count: 48, limit: 50 }
    for (const { body } of refused) expect(body).toEqual({ detail })
    expect(await count()).toBe(48)
  })
})

describe('POST /api/qr/child-create', () => {
  test('makes unregistered child codes and takes them off what is left', async () => {
    const { child, quota, as } = await openSignedIn('premium')
    const { status, body } = await child({ quantity: 3 })
    expect([status, body.created_count, body.qr_codes.length]).toEqual([201, 3, 3])
    expect(body.qr_codes[0]).toMatchObject({
      owner_id: as.id,
      qr_type: 'child',
      is_child_registered: false,
      is_claimed: false,
    })
    expect(await quota()).toBe(47)
  })

  test('does not count against the limit of normal codes', async () => {
    const { child, bulk } = await openSignedIn('premium')
    expect((await bulk({ quantity: 50 })).status).toBe(201)
    expect((await child({ quantity: 50 })).status).toBe(201)
  })

  test('is refused without a quota, as on the free plan', async () => {
    const { child, count } = await openSignedIn('free')
    const detail = { message: 'Child QR limit reached (0/0)', current_count: 0, limit: 0 }
    for (const json of [{ quantity: 1 }, {}, { quantity: 99 }]) {
      expect(await child(json)).toEqual({ status: 402, body: { detail } })
    }
    expect(await count()).toBe(0)
  })

  test('refuses a quantity out of range and takes nothing', async () => {
    const { child, count, quota } = await openSignedIn('enterprise')
    const detail = 'Quantity must be between 1 and 50'
    expect(await child({ quantity: 51 })).toEqual({ status: 400, body: { detail } })
    expect([await count(), await quota()]).toEqual([0, 1000])
  })

  test('creates no more than are left, and by default all that are left', async () => {
    const { child, setQuota, quota } = await openSignedIn('premium')
    await setQuota(3)
    const detail = 'Quantity must be between 1 and 3'
    expect(await child({ quantity: 4 })).toEqual({ status: 400, body: { detail } })
    expect((await child({})).body.created_count).toBe(3)
    expect(await quota()).toBe(0)
  })

  test('makes as many again as were deleted, one by one or many at once', async () => {
    const { child, ask, as, quota } = await openSignedIn('premium')
    const codes = (await child({ quantity: 50 })).body.qr_codes as Code[]
    const refused = await child({ quantity: 1 })
    expect([refused.status, refused.body.detail]).toEqual([
      402,
      { message: 'Child QR limit reached (50/50)', current_count: 50, limit: 50 },
    ])
    const [first, ...others] = codes.map(({ qr_id }) => qr_id)
    expect((await ask('DELETE', `/api/qr/${first}`, { as })).status).toBe(200)
    expect(await quota()).toBe(1)
    const many = { ids: others.slice(0, 9), action: 'delete', value: 9 }
    expect((await ask('POST', '/api/qr/bulk', { as, json: many })).status).toBe(200)
    expect(await quota()).toBe(10)
    expect((await child({ quantity: 10 })).body.created_count).toBe(10)
    expect(await quota()).toBe(0)
  })

  test('makes none for codes beyond the plan that were deleted', async () => {
    const { child, ask, as, db, quota, setQuota } = await openSignedIn('premium')
    const [code] = (await child({ quantity: 2 })).body.qr_codes as [Code]
    await db.updateTable('accounts').set({ subscription_plan: 'free', qr_limit: 1 }).execute()
    await setQuota(0)
    expect((await ask('DELETE', `/api/qr/${code.qr_id}`, { as })).status).toBe(200)
    expect(await quota()).toBe(0)
  })

  test('never passes the quota, however many calls come at once', async () => {
    const { child, count, quota } = await openSignedIn('premium')
    const answers = await Promise.all(Array.from({ length: 20 }, () => child({ quantity: 7 })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(7)
    const refused = answers.filter(({ status }) => status === 400)
    expect(refused).toHaveLength(13)
    const detail = 'Quantity must be between 1 and 1'
    for (const { body } of refused) expect(body).toEqual({ detail })
    expect([await count(), await quota()]).toEqual([49, 1])
  })
})

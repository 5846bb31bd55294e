import { describe, expect, test } from 'vitest'
import { listActs } from '#db/admin/audit-events.ts'
import { PERMISSION_TYPES } from '#domain/accounts/permission.ts'
import { openTestApp, PASSWORD } from '#tests/support/app.ts'
import { askSlowly } from '#tests/support/callers.ts'
import { addPromoCode } from '#tests/support/promo.ts'

const CALL = '/api/admin/users/permissions'
const FREE = { subscription_plan: 'free', qr_limit: 1, child_qr_quota: 0 }
const PREMIUM = { subscription_plan: 'premium', qr_limit: 50, child_qr_quota: 50 }
const HOUR = 3600
/** An hour after the test's clock. */
const IN_AN_HOUR = '2026-11-20T11:00:00.000Z'

async function openPermissions() {
  const app = await openTestApp()
  const root = await app.signUp({ name: 'Nandini Rao', role: 'super_admin' })
  const admin = await app.signUp({ name: 'Meera Nair', role: 'admin' })
  const asha = await app.signUp({ email: 'asha@example.in' })
  async function set(
    permission_type: string,
    { as = admin, to = asha.id, until }: { as?: typeof root; to?: string; until?: unknown } = {},
  ) {
    const json = { user_id: to, permission_type, expires_at: until ?? null }
    const answer = await app.ask('POST', CALL, { as, json })
    return { status: answer.status, body: await answer.json() }
  }
  const standing = (id = asha.id) =>
    app.db
      .selectFrom('accounts')
      .select(['role', 'subscription_plan', 'qr_limit', 'child_qr_quota', 'is_active'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  const me = (as: { bearerToken: string }) => app.ask('GET', '/api/auth/me', { as })
  const login = () =>
    app.ask('POST', '/api/auth/login', {
      json: { contact: 'asha@example.in', password: PASSWORD },
    })
  async function acts() {
    const { acts } = await listActs(app.db, { limit: 100, offset: 0 })
    return acts.toReversed().map(({ before, after, ...act }) => ({
      ...act,
      before: JSON.parse(before ?? '{}'),
      after: JSON.parse(after ?? '{}'),
    }))
  }
  return { ...app, root, admin, asha, set, standing, me, login, acts }
}

describe('a permission', () => {
  test.each([
    ['client', { role: 'client', ...FREE }],
    ['premium', { role: 'premium', ...PREMIUM }],
    ['moderator', { role: 'moderator', ...FREE }],
  ])('%s is set permanently, and the answer has the changed user', async (type, expected) => {
    const { set, standing } = await openPermissions()
    const { status, body } = await set(type)
    expect(status).toBe(200)
    const { child_qr_quota: _, ...shown } = expected
    expect(body).toMatchObject({ ...shown, is_active: true, permission_expires_at: null })
    expect(await standing()).toEqual({ ...expected, is_active: 1 })
  })

  test('takes the place of the one before: a plan that came with it goes with it', async () => {
    const { set, standing } = await openPermissions()
    await set('premium')
    await set('moderator')
    expect(await standing()).toMatchObject({ role: 'moderator', ...FREE })
  })

  test('takes no plan that was redeemed or paid for', async () => {
    const app = await openPermissions()
    await addPromoCode(app, { code: 'GIFT', requires_approval: false })
    const redeemed = await app.ask('POST', '/api/promo/redeem', {
      as: app.asha,
      json: { promo_code: 'GIFT' },
    })
    expect(redeemed.status).toBe(200)
    await app.set('premium')
    await app.set('client')
    expect(await app.standing()).toMatchObject({ role: 'client', subscription_plan: 'premium' })
  })

  test('blocked ends the sessions and refuses logins; any other one allows them again', async () => {
    const { set, me, asha, login, standing, db } = await openPermissions()
    await set('moderator')
    expect((await set('blocked')).body).toMatchObject({ role: 'moderator', is_active: false })
    expect((await me(asha)).status).toBe(401)
    const left = await db.selectFrom('sessions').select('id').where('account_id', '=', asha.id)
    expect(await left.execute()).toEqual([])
    const refused = await login()
    expect([refused.status, await refused.json()]).toEqual([
      403,
      { detail: 'Your account has been blocked. Please contact support.' },
    ])
    await set('client')
    expect(await standing()).toMatchObject({ role: 'client', is_active: 1 })
    expect((await login()).status).toBe(200)
  })
})

describe('the roles that may set it', () => {
  test('no admin can change themselves, up or down', async () => {
    const { set, root, admin, standing } = await openPermissions()
    for (const as of [root, admin]) {
      for (const type of PERMISSION_TYPES) {
        expect(await set(type, { as, to: as.id })).toEqual({
          status: 403,
          body: { detail: 'You cannot change your own permissions' },
        })
      }
    }
    expect(await standing(root.id)).toMatchObject({ role: 'super_admin', is_active: 1 })
    expect(await standing(admin.id)).toMatchObject({ role: 'admin', is_active: 1 })
  })

  test('no admin can change a super admin, not even another super admin', async () => {
    const { set, root, admin, signUp } = await openPermissions()
    const other = await signUp({ role: 'super_admin' })
    for (const as of [root, admin]) {
      expect(await set('blocked', { as, to: other.id })).toEqual({
        status: 403,
        body: { detail: 'The permissions of a super admin cannot be changed' },
      })
    }
  })

  test('only a super admin makes an admin, and changes one', async () => {
    const { set, root, signUp, standing } = await openPermissions()
    const refusal = {
      status: 403,
      body: { detail: 'Only a super admin can make or change an admin' },
    }
    const other = await signUp({ role: 'admin' })
    expect(await set('admin')).toEqual(refusal)
    expect(await set('blocked', { to: other.id })).toEqual(refusal)
    expect((await set('admin', { as: root })).status).toBe(200)
    expect(await standing()).toMatchObject({ role: 'admin' })
    expect((await set('client', { as: root, to: other.id })).status).toBe(200)
  })

  test('somebody with a lower role for a time is still protected by their permanent role', async () => {
    const { set, root, signUp } = await openPermissions()
    const other = await signUp({ role: 'admin' })
    await set('client', { as: root, to: other.id, until: IN_AN_HOUR })
    expect((await set('blocked', { to: other.id })).status).toBe(403)
  })

  test('an admin who is made a client meanwhile is refused in parallel calls', async () => {
    const app = await openPermissions()
    const { set, root, admin, asha, standing, acts } = app
    const [, ...answers] = await Promise.all([
      set('client', { as: root, to: admin.id }),
      ...Array.from({ length: 20 }, () => set('moderator')),
    ])
    expect(await standing(admin.id)).toMatchObject({ role: 'client' })
    const counted = (status: number) => answers.filter((each) => each.status === status).length
    expect(counted(200) + counted(403)).toBe(20)
    const done = (await acts()).filter(({ actor }) => actor === 'Meera Nair')
    expect(done).toHaveLength(counted(200))

    expect((await set('admin', { as: root, to: admin.id })).status).toBe(200)
    const late = { user_id: asha.id, permission_type: 'premium', expires_at: null }
    const demote = () => set('client', { as: root, to: admin.id })
    expect(await askSlowly(app, CALL, admin, late, demote)).toBe(403)
    expect((await standing()).role).not.toBe('premium')
  })
})

describe('a wrong call', () => {
  test.each([
    [{ permission_type: 'client' }, 404, 'User not found'],
    [{ user_id: 'nobody', permission_type: 'client' }, 404, 'User not found'],
    [
      { permission_type: 'owner' },
      400,
      'permission_type must be client, premium, moderator, admin or blocked',
    ],
    [
      { permission_type: 'super_admin' },
      400,
      'permission_type must be client, premium, moderator, admin or blocked',
    ],
    [{ permission_type: 'client', expires_at: 'soon' }, 400, 'Expiry must be a date and a time'],
    [
      { permission_type: 'client', expires_at: '2026-02-30T10:00' },
      400,
      'Expiry must be a date and a time',
    ],
    [
      { permission_type: 'client', expires_at: '2026-11-20T10:00:00.000Z' },
      400,
      'Expiry must be in the future',
    ],
    [{ permission_type: 'client', expires_at: 5 }, 400, 'expires_at must be text'],
  ])('%j is %i', async (json, status, detail) => {
    const { ask, admin, acts } = await openPermissions()
    const answer = await ask('POST', CALL, { as: admin, json })
    expect([answer.status, await answer.json()]).toEqual([status, { detail }])
    expect(await acts()).toEqual([])
  })
})

describe('a permission for a time', () => {
  test('ends by itself at its moment, and not before', async () => {
    const { set, standing, asha, advance, me } = await openPermissions()
    const { body } = await set('moderator', { until: IN_AN_HOUR })
    expect(body).toMatchObject({ role: 'moderator', permission_expires_at: IN_AN_HOUR })
    advance(HOUR - 0.001)
    expect(await (await me(asha)).json()).toMatchObject({ user: { role: 'moderator' } })
    advance(0.001)
    expect(await (await me(asha)).json()).toMatchObject({ user: { role: 'client' } })
    expect(await standing()).toEqual({ role: 'client', ...FREE, is_active: 1 })
  })

  test('ends an admin’s rights at its exact end', async () => {
    const { set, root, asha, ask, advance } = await openPermissions()
    await set('admin', { as: root, until: IN_AN_HOUR })
    const asAdmin = async () => (await ask('GET', '/api/admin/users?page=1', { as: asha })).status
    expect(await asAdmin()).toBe(200)
    advance(HOUR)
    expect(await asAdmin()).toBe(403)
  })

  test('ends without any request: the next request finds it ended at its time', async () => {
    const { set, advance, acts, admin, me, asha } = await openPermissions()
    await set('premium', { until: IN_AN_HOUR })
    advance(400 * HOUR)
    await me(admin)
    const [, ended] = await acts()
    expect(ended).toMatchObject({
      action: 'permission.ended',
      actor: 'expiry',
      about: 'Asha Patil',
      happened_at: IN_AN_HOUR,
      before: { role: 'premium', ...PREMIUM, expires_at: IN_AN_HOUR },
      after: { role: 'client', ...FREE, expires_at: null },
    })
    expect(asha.role).toBe('client')
  })

  test('lets a blocked account sign in again after it ends', async () => {
    const { set, advance, login } = await openPermissions()
    await set('blocked', { until: IN_AN_HOUR })
    expect((await login()).status).toBe(403)
    advance(HOUR)
    expect((await login()).status).toBe(200)
  })

  test('a time without an offset is the time in TIMEZONE', async () => {
    const { set } = await openPermissions()
    const { body } = await set('moderator', { until: '2026-11-20T16:30' })
    expect(body).toMatchObject({ permission_expires_at: IN_AN_HOUR })
  })

  test('gives back no child codes that were made meanwhile, and all that were not', async () => {
    const { set, standing, asha, ask, advance } = await openPermissions()
    await set('premium')
    await set('moderator', { until: IN_AN_HOUR })
    expect(await standing()).toMatchObject({ role: 'moderator', child_qr_quota: 0 })
    advance(HOUR)
    await ask('GET', '/api/auth/me', { as: asha })
    expect(await standing()).toMatchObject({ role: 'premium', ...PREMIUM })
    await set('client')
    await set('premium', { until: '2026-11-20T13:00:00Z' })
    const made = await ask('POST', '/api/qr/child-create', { as: asha, json: { quantity: 7 } })
    expect(made.status).toBe(201)
    await set('premium')
    expect(await standing()).toMatchObject({ role: 'premium', child_qr_quota: 43 })
  })

  test('that is then given permanently does not end', async () => {
    const { set, standing, advance, asha, me } = await openPermissions()
    await set('moderator', { until: IN_AN_HOUR })
    await set('moderator')
    advance(2 * HOUR)
    await me(asha)
    expect(await standing()).toMatchObject({ role: 'moderator' })
  })

  test('ends once for parallel requests', async () => {
    const { set, advance, acts, me, admin, root, asha } = await openPermissions()
    await set('premium', { until: IN_AN_HOUR })
    advance(HOUR)
    const all = [admin, root, asha]
    await Promise.all(Array.from({ length: 20 }, (_, n) => me(all[n % 3] as typeof admin)))
    expect((await acts()).map(({ action }) => action)).toEqual([
      'permission.changed',
      'permission.ended',
    ])
  })
})

test('twenty parallel changes have one outcome, and the log has them in order', async () => {
  const { set, standing, acts, root } = await openPermissions()
  await set('moderator')
  const types = Array.from(
    { length: 20 },
    (_, n) => ['client', 'premium', 'admin'][n % 3] as string,
  )
  const answers = await Promise.all(types.map((type) => set(type, { as: root })))
  expect(answers.map(({ status }) => status)).toEqual(types.map(() => 200))
  const changes = (await acts()).filter(({ actor }) => actor === 'Nandini Rao')
  expect(changes).toHaveLength(20)
  // Had they not waited for each other, more than one would have found the moderator.
  expect(changes.filter(({ before }) => before.role === 'moderator')).toHaveLength(1)
  const { role } = await standing()
  const count = (roles: string[]) => roles.filter((each) => each === role).length
  const [starts, ends] = [changes.map((c) => c.before.role), changes.map((c) => c.after.role)]
  expect(count(ends)).toBe(count(starts) + 1)
})

describe('making oneself a super admin', () => {
  const GRANT = '/api/admin/grant-super-admin'

  test('is for signed-in accounts outside production', async () => {
    const { ask, asha, acts } = await openPermissions()
    expect((await ask('POST', GRANT)).status).toBe(401)
    const answer = await ask('POST', GRANT, { as: asha })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ user: { id: asha.id, role: 'super_admin' } })
    expect((await ask('GET', '/api/admin/users?page=1', { as: asha })).status).toBe(200)
    expect(await acts()).toMatchObject([
      {
        action: 'role.granted',
        actor: 'Asha Patil',
        before: { role: 'client' },
        after: { role: 'super_admin' },
      },
    ])
  })

  test.each<Record<string, string>>([
    { NODE_ENV: 'production' },
    { PUBLIC_URL: 'https://keys.example.in' },
  ])('is refused with %j', async (production) => {
    const env = { ...production, REQUIRE_SECOND_FACTOR: 'none' }
    const { ask, signUp, db } = await openTestApp({ env })
    const as = await signUp({ role: 'admin' })
    const answer = await ask('POST', GRANT, { as })
    expect([answer.status, await answer.json()]).toEqual([
      403,
      { detail: 'Granting super admin is disabled' },
    ])
    const { role } = await db.selectFrom('accounts').select('role').executeTakeFirstOrThrow()
    expect(role).toBe('admin')
  })
})

import { describe, expect, test } from 'vitest'
import { setPermission } from '#db/accounts/permission-types.ts'
import { deletePromoCode } from '#db/plans/promo-changes.ts'
import { openTestApp } from '#tests/support/app.ts'
import { askSlowly } from '#tests/support/callers.ts'
import { addPromoCode } from '#tests/support/promo.ts'
import { thingsOf } from '#tests/support/things.ts'

/** Opens an admin whose role or account ends while the body of a request arrives. */
async function openLeaving() {
  const app = await openTestApp()
  const root = await app.signUp({ role: 'super_admin' })
  const admin = await app.signUp({ role: 'admin' })
  const owner = await app.signUp()
  const set = (type: 'client' | 'blocked') => () =>
    setPermission(app.db, { actorId: root.id, accountId: admin.id, type, until: null }, new Date())
  return { ...app, admin, set, things: thingsOf(app, owner) }
}

type App = Awaited<ReturnType<typeof openLeaving>>

const WRITES: [string, (app: App) => Promise<[string, object]>][] = [
  [
    'adds no promo code',
    async () => ['/api/admin/promo-codes', { code: 'LATE', child_qr_quantity: 1, usage_limit: 1 }],
  ],
  ['adds no message', async () => ['/api/admin/messages', { title: 'Late', content: 'Too late' }]],
  [
    'decides no upgrade request',
    async ({ things }) => [
      `/api/admin/upgrade-requests/${await things.upgrade()}/approve`,
      { notes: 'Too late', payment_seen: true },
    ],
  ],
]

describe('an admin whose role ends while a request is under way', () => {
  test.each(WRITES)('%s', async (_, write) => {
    for (const type of ['client', 'blocked'] as const) {
      const app = await openLeaving()
      const [path, json] = await write(app)
      const state = async () => [
        await app.db.selectFrom('promo_codes').selectAll().execute(),
        await app.db.selectFrom('admin_messages').selectAll().execute(),
        await app.db.selectFrom('upgrade_requests').selectAll().execute(),
      ]
      const before = await state()
      expect(await askSlowly(app, path, app.admin, json, app.set(type))).toBe(403)
      expect(await state()).toEqual(before)
      const acts = await app.db.selectFrom('audit_events').select('action').execute()
      expect(acts).toEqual([{ action: 'permission.changed' }])
    }
  })

  test('deletes no promo code by a call that had passed its guard', async () => {
    const app = await openLeaving()
    const { id } = await addPromoCode(app)
    await app.set('client')()
    const actor = { actor_id: app.admin.id, actor: 'Asha' }
    await expect(deletePromoCode(app.db, id, actor, new Date())).rejects.toMatchObject({
      kind: 'forbidden',
    })
    expect(await app.db.selectFrom('promo_codes').select('id').execute()).toEqual([{ id }])
  })
})

import { describe, expect, test } from 'vitest'
import { FREE, openMoney, PREMIUM } from '#tests/support/money.ts'
import { addPromoCode } from '#tests/support/promo.ts'

const OWN = 'Another admin must decide your own request'

describe.each(['admin', 'super_admin'] as const)('a request of an account that is %s', (role) => {
  async function openOwn() {
    const app = await openMoney()
    const asker = await app.signUp({ name: 'Own Name', role })
    const upgrade: string = (await app.call('POST', '/subscription/upgrade', {}, asker)).body
      .request_id
    const { code } = await addPromoCode(app, { requires_approval: true, usage_limit: 1 })
    await app.call('POST', '/promo/redeem', { promo_code: code }, asker)
    const { id: redemption } = await app.db
      .selectFrom('promo_redemptions')
      .select('id')
      .executeTakeFirstOrThrow()
    const form = (path: string, action: string) =>
      app.browse('POST', path, new URLSearchParams({ action }), asker)
    const open = async (path: string, as = asker) =>
      (await app.browse('GET', path, undefined, as)).html
    return { ...app, asker, upgrade, redemption, form, open }
  }

  test('is refused to it by every call and form, and stays pending', async () => {
    const { asker, call, form, upgrade, redemption, db, entitlement, acts } = await openOwn()
    const refused = [403, { detail: OWN }]
    for (const action of ['approve', 'reject']) {
      for (const path of [
        `/admin/upgrade-requests/${upgrade}/${action}`,
        `/admin/${action}-redemption/${redemption}`,
      ]) {
        const { status, body } = await call('POST', path, {}, asker)
        expect([path, status, body]).toEqual([path, ...refused])
      }
      const forms = [
        `/admin-dashboard/upgrade-requests/${upgrade}`,
        `/admin-dashboard/promo-codes/redemptions/${redemption}`,
        ...(role === 'super_admin' ? [`/admin/promo-codes/redemptions/${redemption}`] : []),
      ]
      for (const path of forms) {
        const { status, html } = await form(path, action)
        expect([path, status, html.includes(OWN)]).toEqual([path, 403, true])
      }
    }
    for (const table of ['upgrade_requests', 'promo_redemptions'] as const) {
      const rows = await db.selectFrom(table).select('status').execute()
      expect(rows).toEqual([{ status: 'pending' }])
    }
    expect(await entitlement(asker.id)).toEqual(FREE)
    expect((await acts()).map(({ action }) => action)).toEqual(['promo.created'])
  })

  test('says in its row who must decide, and has buttons for everybody else', async () => {
    const { open, admin, upgrade } = await openOwn()
    const pages = [
      '/admin-dashboard?tab=upgrade-requests',
      `/admin-dashboard?tab=upgrade-requests&part=dialog&request=${upgrade}`,
      '/admin-dashboard?tab=promo-codes&show=redemptions',
    ]
    for (const page of pages) {
      const [own, other] = [await open(page), await open(page, admin)]
      const isAsked = [own, other].map((html) => html.includes('data-dialog="approve"'))
      expect([page, own.includes(OWN), other.includes(OWN)]).toEqual([page, true, false])
      expect([page, ...isAsked]).toEqual([page, false, true])
    }
  })

  test('opens no question before a decision', async () => {
    const { asker, browse, upgrade, redemption } = await openOwn()
    for (const action of ['approve', 'reject']) {
      for (const query of [
        `tab=upgrade-requests&${action}=${upgrade}`,
        `tab=promo-codes&show=redemptions&${action}=${redemption}`,
      ]) {
        const { status } = await browse('GET', `/admin-dashboard?${query}`, undefined, asker)
        expect([query, status]).toEqual([query, 403])
      }
    }
  })

  test('is decided by another admin, and the audit log names that admin', async () => {
    const { asker, call, upgrade, redemption, entitlement, acts } = await openOwn()
    expect(
      (await call('POST', `/admin/upgrade-requests/${upgrade}/approve`, { payment_seen: true }))
        .status,
    ).toBe(200)
    expect((await call('POST', `/admin/reject-redemption/${redemption}`)).status).toBe(200)
    expect(await entitlement(asker.id)).toEqual(PREMIUM)
    expect(await acts()).toMatchObject([
      { action: 'promo.created' },
      { action: 'upgrade.approved', actor: 'Nandini Rao', subject_id: upgrade },
      { action: 'redemption.rejected', actor: 'Nandini Rao', subject_id: redemption },
    ])
  })
})

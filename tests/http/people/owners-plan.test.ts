import { expect, test } from 'vitest'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { insertShare } from '#tests/support/people.ts'

async function openHelped(plan: 'free' | 'premium', helperPlan: 'free' | 'premium') {
  const app = await openTestApp()
  const owner = await app.signUp({ name: 'Meera Deshpande', subscription_plan: plan })
  const helper = await app.signUp({ subscription_plan: helperPlan })
  const shared = await insertCode(app.db, owner.id, { owner_name: 'Meera’s Swift' })
  const own = await insertCode(app.db, helper.id, { owner_name: 'My Scooty' })
  await insertShare(app.db, { owner_id: owner.id, person_id: helper.id }, { role: 'viewer' })
  const analytics = async (qrId: string) =>
    (await app.ask('GET', `/api/scan/${qrId}/analytics`, { as: helper })).status
  const page = async (tab: string) =>
    (await app.ask('GET', `/dashboard?tab=${tab}`, { headers: { Cookie: helper.cookie } })).text()
  return { shared, own, analytics, page }
}

test('analytics and gallery of shared codes open by the plan of their owner', async () => {
  const { shared, own, analytics, page } = await openHelped('premium', 'free')
  expect(await analytics(shared.qr_id)).toBe(200)
  expect(await analytics(own.qr_id)).toBe(403)
  const scans = await page('analytics')
  expect(scans).toContain('Meera’s Swift')
  expect(scans).not.toContain('My Scooty')
  expect(await page('gallery')).not.toContain('Upgrade to Premium')
})

test('the own plan opens nothing of an owner without it', async () => {
  const { shared, own, analytics, page } = await openHelped('free', 'premium')
  expect(await analytics(shared.qr_id)).toBe(403)
  expect(await analytics(own.qr_id)).toBe(200)
  const scans = await page('analytics')
  expect(scans).toContain('My Scooty')
  expect(scans).not.toContain('Meera’s Swift')
})

test('neither plan opens anything', async () => {
  const { page } = await openHelped('free', 'free')
  for (const tab of ['analytics', 'gallery']) {
    const html = await page(tab)
    expect(html).not.toContain('Meera’s Swift')
    expect(html).not.toContain('My Scooty')
  }
})

import { decideUpgradeRequest } from '#db/plans/upgrade-decisions.ts'
import { requestUpgrade } from '#db/plans/upgrade-requests.ts'
import { signIn } from '#tests/e2e/support/dashboard.ts'
import { dialogOf, openDashboard, openReady } from '#tests/e2e/support/page.ts'
import { openDatabaseOf } from '#tests/e2e/support/server.ts'
import { expect, expectWellMade, test } from '#tests/e2e/support/test.ts'

const DAY_MS = 86_400_000
const PRICES = { premium: 999, enterprise: 9999 }
const ACTOR = { actor_id: null, actor: 'test' }
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS)

test('a plan that ended is renewed from the banner, and has its receipt @main', async ({
  page,
  context,
  server,
}) => {
  const owner = await signIn(context, server, {}, [{}, {}], async (db, { id }) => {
    const asked = { requested_plan: 'premium', payment_reference: '417288901123' } as const
    const request = await requestUpgrade(db, id, asked, PRICES, daysAgo(40))
    const decision = { id: request.id, action: 'approve', notes: null, months: 1 } as const
    await decideUpgradeRequest(db, decision, ACTOR, daysAgo(40), async () => {})
  })
  await openDashboard(page)
  const banner = page.getByLabel('Plan', { exact: true })
  await expect(banner).toContainText(/Premium ended on \d+ \w{3} \d{4}\./)
  await expect(banner).toContainText('All 2 codes stay reachable')
  await expectWellMade(page)

  await banner.getByRole('link', { name: 'Renew' }).click()
  const upgrade = dialogOf(page, 'Upgrade')
  await expect(upgrade.getByRole('radio', { name: /^Premium/ })).toBeChecked()
  await upgrade.getByLabel('Months').selectOption('3 months')
  await expectWellMade(page)
  await upgrade.getByRole('button', { name: 'Continue to payment' }).click()
  await expect(upgrade.getByText('Pay ₹2,997 with any UPI app')).toBeVisible()
  await expect(upgrade).toContainText('For 3 months.')

  const { db, close } = await openDatabaseOf(server)
  const { id } = await db
    .selectFrom('upgrade_requests')
    .select('id')
    .where('account_id', '=', owner.id)
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow()
  const decision = { id, action: 'approve', notes: null, months: 3, payment_seen: true } as const
  await decideUpgradeRequest(db, decision, ACTOR, new Date(), async () => {})
  await close()

  await openReady(page, '/settings/plan')
  await expect(page.getByRole('heading', { name: 'Plan and receipts' })).toBeVisible()
  await expect(page.getByText(/^Until \d+ \w{3} \d{4}$/)).toBeVisible()
  const receipts = page.getByRole('table', { name: 'Receipts' })
  await expect(receipts.getByRole('row')).toHaveCount(3)
  await expectWellMade(page)
  const downloading = page.waitForEvent('download')
  await receipts
    .getByRole('link', { name: /^PDF of R-/ })
    .first()
    .click()
  expect((await downloading).suggestedFilename()).toMatch(/^DriveQR-R-\d{4}-\d{6}\.pdf$/)

  await openDashboard(page)
  await expect(page.getByLabel('Plan', { exact: true })).toContainText(/^Premium.*Until \d+ \w{3}/)
})

import type { Page } from '@playwright/test'
import { signIn } from '#tests/e2e/support/dashboard.ts'
import { freshPromoCode } from '#tests/e2e/support/fresh.ts'
import { test as mailing } from '#tests/e2e/support/mailing.ts'
import { card, dialogOf, openDashboard, openReady, toast } from '#tests/e2e/support/page.ts'
import { openDatabaseOf } from '#tests/e2e/support/server.ts'
import { test as base, expect, expectWellMade } from '#tests/e2e/support/test.ts'
import { addPromoCode } from '#tests/support/promo.ts'
import { textOf } from '#tests/support/smtp.ts'
import { picture } from '#tests/support/uploads.ts'

const ADMIN = { name: 'Nandini Rao', role: 'super_admin' } as const

mailing(
  'Premium is requested, paid, approved by an admin, reported by mail and active @main',
  async ({ page, context, server, mailbox }) => {
    const before = mailbox.received.length
    const owner = await signIn(context, server, { name: 'Harpreet Singh' })
    const ownCookies = await context.cookies()
    await openDashboard(page, '?upgrade=1')
    const upgrade = dialogOf(page, 'Upgrade')
    await upgrade.getByRole('button', { name: 'Continue to payment' }).click()
    await upgrade.getByLabel('Payment reference').fill('4172 8890 1123')
    await upgrade.getByLabel('Notes').fill('Paid from my wife’s account')
    await upgrade.getByRole('button', { name: 'Send payment details' }).click()
    await expect(toast(page, 'Payment details sent')).toBeVisible()
    await upgrade
      .getByLabel('File')
      .setInputFiles({ name: 'paid.png', mimeType: 'image/png', buffer: await picture() })
    await upgrade.getByRole('button', { name: 'Send screenshot' }).click()
    await expect(toast(page, 'Screenshot sent')).toBeVisible()

    await signIn(context, server, ADMIN)
    await openReady(page, '/admin-dashboard?tab=upgrade-requests')
    const request = card(page, 'Harpreet Singh, pending')
    await expect(request.getByText('4172 8890 1123')).toBeVisible()
    await expectWellMade(page)
    await request.getByRole('link', { name: 'Details' }).click()
    const details = dialogOf(page, 'Upgrade Request Details')
    await expect(details.getByText('₹999 for 1 month')).toBeVisible()
    await expectShown(page, 'Screenshot of the payment')
    await expectWellMade(page)
    await details.getByRole('link', { name: 'Approve Upgrade' }).click()
    const question = dialogOf(page, 'Approve Premium?')
    await expect(question.getByText('4172 8890 1123')).toBeVisible()
    await expect(question.getByRole('checkbox')).toHaveCount(0)
    await expect(question.getByRole('button', { name: 'Approve 1 month' })).toBeVisible()
    await question.getByLabel('Months').selectOption('3')
    await expectWellMade(page)
    await question.getByLabel('Notes').fill('Thank you!')
    await question.getByRole('button', { name: 'Approve 3 months' }).click()
    await expect(toast(page, 'Upgrade request approved successfully')).toBeVisible()
    await expect(question).toHaveCount(0)
    const approved = card(page, 'Harpreet Singh, approved')
    await expect(approved).toBeFocused()
    await expect(approved).toContainText(/Approved for 3 months, until \d+ \w{3} \d{4}\./)
    await expect(approved.getByRole('button')).toHaveCount(0)
    await approved.getByRole('link', { name: 'Details' }).click()
    await expect(details.getByText('Nandini Rao')).toBeVisible()

    await expect.poll(() => mailbox.received.length - before).toBe(1)
    const mail = mailbox.received.at(-1)
    expect(mail?.to).toEqual([owner.email])
    expect(mail && textOf(mail)).toContain('your account has the Premium plan until')
    expect(mail && textOf(mail)).toContain('Thank you!')
    await context.clearCookies()
    await context.addCookies(ownCookies)
    await openDashboard(page)
    await expect(page.getByLabel('Plan', { exact: true })).toContainText('of 50 QR codes')
    await expect(page.getByRole('link', { name: 'Upgrade' })).toHaveCount(0)
  },
)

async function expectShown(page: Page, name: string): Promise<void> {
  const image = page.getByRole('img', { name })
  await expect(image).toBeVisible()
  await expect
    .poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0)
}

base(
  'a decided request keeps its place, and one that was decided elsewhere is reported @main',
  async ({ page, context, server, problems }) => {
    problems.expect(/409/)
    const ids: string[] = []
    for (const name of ['Priya Nair', 'Debojyoti Sen']) {
      await signIn(context, server, { name })
      const asked = await page.request.post('/api/subscription/upgrade', {
        headers: { 'Sec-Fetch-Site': 'same-origin' },
      })
      ids.push((await asked.json()).request_id)
    }
    await signIn(context, server, ADMIN)
    await openReady(page, '/admin-dashboard?tab=upgrade-requests&status=pending')
    const names = page.getByRole('article')
    const before = await names.evaluateAll((cards) => cards.map(({ id }) => id))
    const rejected = card(page, 'Priya Nair')
    await expect(rejected).toContainText('none given')
    await rejected.getByRole('link', { name: 'Reject' }).click()
    const refusal = dialogOf(page, 'Reject this request?')
    await expectWellMade(page)
    await refusal.getByRole('button', { name: 'Keep Pending' }).click()
    await expect(rejected.getByRole('link', { name: 'Reject' })).toBeFocused()
    await rejected.getByRole('link', { name: 'Reject' }).click()
    await refusal.getByRole('button', { name: 'Reject Request' }).click()
    await expect(toast(page, 'Upgrade request rejected successfully')).toBeVisible()
    await expect(card(page, 'Priya Nair, rejected')).toBeFocused()
    expect(await names.evaluateAll((cards) => cards.map(({ id }) => id))).toEqual(before)

    await card(page, 'Debojyoti Sen').getByRole('link', { name: 'Approve' }).click()
    const question = dialogOf(page, 'Approve Premium?')
    const seen = question.getByRole('checkbox', { name: 'I saw ₹999 arrive' })
    await expectWellMade(page)
    await question.getByRole('button', { name: 'Approve 1 month' }).click()
    await expect(seen).toBeFocused()
    await expect(question).toBeVisible()
    await seen.check()

    await page.request.post(`/api/admin/upgrade-requests/${ids[1]}/approve`, {
      data: { payment_seen: true },
      headers: { 'Sec-Fetch-Site': 'same-origin' },
    })
    await question.getByRole('button', { name: 'Approve 1 month' }).click()
    await expect(toast(page, 'This request has already been decided')).toBeVisible()
    await expect(question).toHaveCount(0)
    await expect(card(page, 'Debojyoti Sen')).toHaveCount(0)
    await page.getByLabel('Status').selectOption('Approved')
    await expect(card(page, 'Debojyoti Sen, approved')).toBeVisible()
  },
)

base(
  'promo codes for child QR slots are created and switched on the management page @main',
  async ({ page, context, server, problems }) => {
    problems.expect(/400/)
    problems.expect(/409/)
    const code = freshPromoCode()
    const other = freshPromoCode()
    await signIn(context, server, ADMIN, [], (db) => addPromoCode({ db }, { code: other }))
    await openReady(page, '/admin-dashboard?tab=promo-codes')
    await page.getByRole('link', { name: 'Create' }).click()
    const create = dialogOf(page, 'Create promo code')
    await expect(create.getByRole('heading')).toBeFocused()
    await expectWellMade(page)
    await create.getByRole('button', { name: 'Create promo code' }).click()
    await expect(toast(page, 'Please enter a promo code')).toBeVisible()
    await expect(create.getByLabel('Code')).toBeFocused()
    await expect(create.getByLabel('Code')).toHaveAccessibleDescription('Please enter a promo code')
    await create.getByLabel('Code').fill(other.toLowerCase())
    await create.getByRole('button', { name: 'Create promo code' }).click()
    await expect(toast(page, 'Child QR quantity must be at least 1')).toBeVisible()
    await expect(create.getByLabel('Child QR quantity')).toBeFocused()
    await create.getByLabel('Child QR quantity').fill('3')
    await create.getByLabel('Expiry').fill('2099-12-31T18:30')
    await create.getByRole('button', { name: 'Create promo code' }).click()
    await expect(toast(page, 'This promo code already exists')).toBeVisible()
    await create.getByLabel('Code').fill(code.toLowerCase())
    await create.getByLabel('Code').press('Enter')
    await expect(toast(page, 'Promo code created successfully')).toBeVisible()
    await expect(create).toHaveCount(0)

    const made = card(page, code)
    await expect(made).toContainText('Client QR Creation')
    await expect(made).toContainText('0/1,000 · 0.0%')
    await expect(made).toContainText('31 Dec 2099')
    await expect(made.getByText('Active', { exact: true })).toBeVisible()
    await made.getByRole('button', { name: 'Deactivate' }).click()
    await expect(toast(page, 'Promo code status updated')).toBeVisible()
    await expect(made.getByText('Inactive')).toBeVisible()
    await expect(made.getByRole('heading')).toBeFocused()
    await expectWellMade(page)
    await page.getByLabel('Status').selectOption('Inactive')
    await expect(card(page, other)).toHaveCount(0)
    await expect(made).toBeVisible()
  },
)

base(
  'promo codes for plans are created, redemptions decided and codes deleted on the admin page @main',
  async ({ page, context, server, problems }) => {
    problems.expect(/400/)
    const code = freshPromoCode()
    await signIn(context, server, ADMIN)
    const adminCookies = await context.cookies()
    await openReady(page, '/admin?tab=promo-codes')
    await page.getByRole('link', { name: 'Create' }).click()
    const create = dialogOf(page, 'Create promo code')
    await expect(create.getByLabel('Requires approval')).toBeChecked()
    await expectWellMade(page)
    await create.getByLabel('Code').fill(code.toLowerCase())
    await create.getByLabel('Usage limit').fill('0')
    await create.getByLabel('Usage limit').press('Enter')
    await expect(toast(page, 'Usage limit must be at least 1')).toBeVisible()
    await create.getByLabel('Usage limit').fill('5')
    await create.getByLabel('Usage limit').press('Enter')
    await expect(toast(page, 'Promo code created successfully')).toBeVisible()
    const row = page.getByRole('row', { name: code })
    await expect(row).toContainText('Premium plan')
    await expectWellMade(page)

    for (const name of ['Lakshmi Narayanan', 'Gurmeet Kaur']) {
      await signIn(context, server, { name })
      await page.request.post('/api/promo/redeem', {
        data: { promo_code: code },
        headers: { 'Sec-Fetch-Site': 'same-origin' },
      })
    }
    await context.clearCookies()
    await context.addCookies(adminCookies)
    await page.getByRole('link', { name: /^Redemptions/ }).click()
    await expect(page.getByText(/redemptions are pending/)).toBeVisible()
    const size = page.viewportSize()
    await page.setViewportSize({ width: 320, height: 640 })
    const bar = page.getByRole('navigation', { name: 'Promo codes and redemptions' })
    await expect(bar.getByText('2 pending')).toBeVisible()
    expect(await bar.evaluate((tabs) => tabs.scrollWidth - tabs.clientWidth)).toBe(0)
    await page.setViewportSize(size ?? { width: 1280, height: 800 })
    await openReady(page, `/admin?tab=promo-codes&show=redemptions&q=${code}`)
    await expectWellMade(page)
    const redemption = (name: string) => page.getByRole('row', { name })
    await redemption('Lakshmi').getByRole('link', { name: 'Approve' }).click()
    const approval = dialogOf(page, `Approve ${code}?`)
    await expect(approval.getByText('Premium plan')).toBeVisible()
    await expectWellMade(page)
    await approval.getByRole('button', { name: 'Approve' }).click()
    await expect(toast(page, 'Redemption approved successfully!')).toBeVisible()
    await expect(redemption('Lakshmi')).toContainText('Approved')
    await redemption('Gurmeet').getByRole('link', { name: 'Reject' }).click()
    await dialogOf(page, `Reject ${code}?`).getByRole('button', { name: 'Reject' }).click()
    await expect(toast(page, 'Redemption rejected')).toBeVisible()
    await expect(redemption('Gurmeet').getByRole('link')).toHaveCount(0)

    await openReady(page, `/admin?tab=promo-codes&q=${code}`)
    await expect(row).toContainText('1/5')
    await row.getByRole('link', { name: 'Delete' }).click()
    const question = dialogOf(page, 'Are you sure you want to delete this promo code?')
    await expectWellMade(page)
    await question.getByRole('button', { name: 'Keep Promo Code' }).click()
    await expect(question).toHaveCount(0)
    await row.getByRole('link', { name: 'Delete' }).click()
    await question.getByRole('button', { name: 'Delete' }).click()
    await expect(toast(page, 'Promo code deleted')).toBeVisible()
    await expect(page.getByText('No promo codes found')).toBeVisible()
  },
)

base(
  'an admin decides redemptions on the management page, and leaves it when the role ends',
  async ({ page, context, server }) => {
    const code = freshPromoCode()
    const needsApproval = { code, requires_approval: true }
    await signIn(context, server, {}, [], (db) => addPromoCode({ db }, needsApproval))
    for (const name of ['Meera Nair', 'Vikram Shinde']) {
      await signIn(context, server, { name })
      await page.request.post('/api/promo/redeem', {
        data: { promo_code: code },
        headers: { 'Sec-Fetch-Site': 'same-origin' },
      })
    }
    const admin = await signIn(context, server, { name: 'Gurmeet Kaur', role: 'admin' })
    await openReady(page, '/admin-dashboard?tab=promo-codes')
    await expectWellMade(page)
    await page.getByRole('link', { name: /^Redemptions/ }).click()
    await expect(page.getByRole('heading', { name: 'Redemptions' })).toBeVisible()
    await openReady(page, `/admin-dashboard?tab=promo-codes&show=redemptions&q=${code}`)
    await expectWellMade(page)
    const redemption = (name: string) => page.getByRole('row', { name })
    await redemption('Meera').getByRole('link', { name: 'Approve' }).click()
    await dialogOf(page, `Approve ${code}?`).getByRole('button', { name: 'Approve' }).click()
    await expect(toast(page, 'Redemption approved successfully!')).toBeVisible()
    await expect(redemption('Meera')).toContainText('Approved')

    await redemption('Vikram').getByRole('link', { name: 'Reject' }).click()
    const { db, close } = await openDatabaseOf(server)
    await db.updateTable('accounts').set({ role: 'client' }).where('id', '=', admin.id).execute()
    await close()
    await dialogOf(page, `Reject ${code}?`).getByRole('button', { name: 'Reject' }).click()
    await expect(page).toHaveURL(/\/dashboard/)
    await expect(toast(page, 'Failed to reject redemption')).toBeVisible()
  },
)

import type { BrowserContext } from '@playwright/test'
import { insertAccount } from '#db/accounts/accounts.ts'
import { signIn } from '#tests/e2e/support/dashboard.ts'
import { freshEmail } from '#tests/e2e/support/fresh.ts'
import { openReady, toast } from '#tests/e2e/support/page.ts'
import { openDatabaseOf, type RunningServer } from '#tests/e2e/support/server.ts'
import {
  expect,
  expectNoSideways,
  expectReadableInDark,
  expectWellMade,
  test,
} from '#tests/e2e/support/test.ts'
import { insertShare } from '#tests/support/people.ts'

const PAGE = '/settings/notifications/if-nobody-answers'

/** Signs in an owner with two people. */
async function openOwner(context: BrowserContext, server: RunningServer) {
  const owner = await signIn(context, server, { subscription_plan: 'premium' })
  const { db, close } = await openDatabaseOf(server)
  for (const [n, name] of ['Meera Kulkarni', 'Suresh Pawar'].entries()) {
    const person = await insertAccount(
      db,
      { name, email: freshEmail(), password_hash: null },
      new Date(),
    )
    const scope = n === 0 ? {} : { role: 'member' as const, company_fleet_name: 'Kulkarni Traders' }
    const created_at = `2026-11-20T10:00:0${n}.000Z`
    await insertShare(db, { owner_id: owner.id, person_id: person.id }, { created_at, ...scope })
  }
  await close()
}

test('the order is set by keyboard, shown at once and saved', async ({ page, context, server }) => {
  await openOwner(context, server)
  await openReady(page, '/settings/notifications')
  await page.getByRole('link', { name: 'If nobody answers' }).click()
  await page.getByRole('radio', { name: '15' }).focus()
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
  await expect(toast(page, 'Settings saved')).toBeVisible()
  const people = page.locator('.order > li')
  await expect(people).toContainText([
    /At once.*You/,
    /After 15 min.*Meera/,
    /After 30 min.*Suresh/,
  ])
  await page.getByRole('button', { name: 'Suresh Pawar earlier' }).press('Enter')
  await expect(people).toContainText([/You/, /After 15 min.*Suresh/, /After 30 min.*Meera/])
  await page.getByRole('checkbox', { name: /At once.*Meera/ }).press('Space')
  await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
  await expect(people).toContainText([/You/, /After 15 min.*Suresh/, /At once.*Meera/])
  await page.reload()
  await expect(people).toContainText([/You/, /After 15 min.*Suresh/, /At once.*Meera/])
  await expectWellMade(page)
  await expectReadableInDark(page)
})

test('a person is dragged to another place @both', async ({ page, context, server, isMobile }) => {
  test.skip(isMobile, 'a finger scrolls the page, and the buttons are there')
  await openOwner(context, server)
  await openReady(page, PAGE)
  const people = page.locator('.order > [data-person]')
  await people.nth(1).dragTo(people.nth(0))
  await expect(people).toContainText([/Suresh/, /Meera/])
  await expect(toast(page, 'Settings saved')).toBeVisible()
  await page.reload()
  await expect(people).toContainText([/Suresh/, /Meera/])
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })
  test('buttons move people, and the page fits a narrow screen', async ({
    page,
    context,
    server,
  }) => {
    await openOwner(context, server)
    await page.setViewportSize({ width: 320, height: 700 })
    await page.goto(PAGE)
    await page.getByText('30', { exact: true }).click()
    await page.getByRole('button', { name: 'Meera Kulkarni later' }).click()
    const people = page.locator('.order > li')
    await expect(people).toContainText([/You/, /After 30 min.*Suresh/, /After 60 min.*Meera/])
    await expectNoSideways(page)
  })
})

import type { Page } from '@playwright/test'
import { LONG_NAME, signIn } from '#tests/e2e/support/dashboard.ts'
import { openReady, toast, untilReady } from '#tests/e2e/support/page.ts'
import { watchForProblems } from '#tests/e2e/support/problems.ts'
import {
  expect,
  expectAccessible,
  expectNoSideways,
  expectWellMade,
  test,
} from '#tests/e2e/support/test.ts'
import { insertTicket } from '#tests/support/stored-tickets.ts'
import { PDF } from '#tests/support/uploads.ts'

const CUSTOMER = { name: 'Vikram Deshmukh', subscription_plan: 'enterprise' } as const
const ADMIN = { name: 'Nandini Rao', role: 'super_admin' } as const
const PAGE = '/settings/support'
const PRINT = { name: 'test-print.pdf', mimeType: 'application/pdf', buffer: PDF }

const chat = (page: Page) => page.getByRole('log', { name: 'What was written' })
const answer = (page: Page) => page.getByLabel('Answer')
const send = (page: Page) => page.getByRole('button', { name: 'Answer', exact: true })

test.describe('on a service of its own', () => {
  test.use({ serverEnv: { RATE_LIMITS: 'off' } })

  test('a customer opens a ticket with a file, an admin answers, the customer sees it and closes @main', async ({
    page,
    context,
    server,
    browser,
    baseURL,
    problems,
  }) => {
    await signIn(context, server, CUSTOMER)
    await openReady(page, '/settings')
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Support/ })
      .click()
    await untilReady(page)
    await expect(page.getByRole('heading', { level: 2, name: 'New ticket' })).toBeVisible()
    await expectWellMade(page)

    problems.expect(/415/)
    await page.getByLabel('Subject').fill('Labels print 2 mm too low')
    await page.getByLabel('What is it about?').fill('On our sheets, since Monday.')
    const wrong = { name: 'print.pdf', mimeType: 'application/pdf', buffer: Buffer.from('words') }
    await page.getByLabel('Attach a file').setInputFiles(wrong)
    await page.getByRole('button', { name: 'Open ticket' }).click()
    await expect(
      page.getByRole('main').getByText('Only PDF, JPG and PNG files are accepted', { exact: true }),
    ).toBeVisible()
    await expect(page.getByLabel('Attach a file')).toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByLabel('What is it about?')).toHaveValue('On our sheets, since Monday.')
    await expectWellMade(page)
    await page.getByLabel('Attach a file').setInputFiles(PRINT)
    await page.getByRole('button', { name: 'Open ticket' }).click()
    await page.waitForURL(/\/settings\/support\/[\w-]+/)
    await untilReady(page)
    await expect(page.getByRole('heading', { name: 'Labels print 2 mm too low' })).toBeVisible()
    await expect(chat(page)).toContainText('On our sheets, since Monday.')
    const href = await page.getByRole('link', { name: /test-print\.pdf/ }).getAttribute('href')
    expect((await page.request.get(href ?? '')).status()).toBe(200)
    await expectWellMade(page)

    const desk = await browser.newContext(baseURL ? { baseURL } : {})
    const deskProblems = await watchForProblems(desk)
    await signIn(desk, server, ADMIN)
    const admin = await desk.newPage()
    await openReady(admin, '/admin')
    const tabs = admin.getByRole('navigation', { name: 'Admin' })
    await expect(tabs.getByRole('link', { name: 'Support 1 open' })).toBeVisible()
    await tabs.getByRole('link', { name: /^Support/ }).click()
    await untilReady(admin)
    await expectWellMade(admin)
    await admin.getByRole('link', { name: /Labels print 2 mm too low/ }).click()
    await untilReady(admin)
    await expectWellMade(admin)
    await answer(admin).fill('Which printer is it?')
    await send(admin).click()
    await expect(toast(admin, 'Answer sent')).toBeVisible()
    await expect(chat(admin)).toContainText('Which printer is it?')
    await expect(answer(admin)).toHaveValue('')
    await expect(send(admin)).toBeFocused()
    await expect(tabs.getByRole('link', { name: 'Support', exact: true })).toBeVisible()
    expect(deskProblems.report()).toEqual([])
    await desk.close()

    // It arrives without loading the page again, and the draft stays.
    await answer(page).fill('HP Laser')
    await expect(chat(page)).toContainText('Which printer is it?')
    await expect(chat(page)).toContainText('Nandini, Support')
    await expect(page.getByText('Waiting', { exact: true })).toBeVisible()
    await expect(answer(page)).toHaveValue('HP Laser')
    await answer(page).fill('HP LaserJet M1136.')
    await page.getByLabel('Attach a file').setInputFiles(PRINT)
    await send(page).click()
    await expect(toast(page, 'Answer sent')).toBeVisible()
    await expect(chat(page)).toContainText('HP LaserJet M1136.')
    await expect(page.getByRole('link', { name: /test-print\.pdf/ })).toHaveCount(2)
    await page.getByRole('button', { name: 'Close ticket' }).click()
    await expect(toast(page, 'Ticket closed')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Open again' })).toBeFocused()
    await expectWellMade(page)
    await page.getByRole('link', { name: 'All tickets' }).click()
    await expect(page.getByRole('region', { name: 'Tickets' })).toContainText('Closed')
    await expectWellMade(page)
  })
})

test('a ticket that was not sent is still there', async ({ page, context, server, problems }) => {
  await signIn(context, server, CUSTOMER)
  await openReady(page, PAGE)
  problems.expect(/ERR_FAILED/)
  await page.route('**/settings/support', (route) => route.abort())
  await page.getByLabel('Subject').fill('Own address')
  await page.getByLabel('What is it about?').fill('It is not verified.')
  await page.getByRole('button', { name: 'Open ticket' }).click()
  await expect(toast(page, /What you typed is still here/)).toBeVisible()
  await expect(page.getByLabel('Subject')).toHaveValue('Own address')
  const send = page.getByRole('button', { name: 'Open ticket' })
  await expect(send).toBeEnabled()
  await expect(send.locator('svg')).toBeVisible()
})

test('long words and many tickets stay inside a narrow screen', async ({
  page,
  context,
  server,
}) => {
  await page.setViewportSize({ width: 320, height: 640 })
  let ticket = ''
  await signIn(context, server, CUSTOMER, [], async (db, { id }) => {
    for (let n = 0; n < 21; n++) await insertTicket(db, id, { subject: `Matter ${n}` })
    const messages = [
      { text: LONG_NAME },
      { sender: 'support', author: LONG_NAME, text: LONG_NAME } as const,
    ]
    const status = 'waiting' as const
    ticket = (await insertTicket(db, id, { subject: LONG_NAME.slice(0, 120), messages, status })).id
  })
  await openReady(page, PAGE)
  await expect(page.getByText('Page 1 of 2')).toBeVisible()
  await expectWellMade(page)
  await openReady(page, `${PAGE}?q=none-of-them`)
  await expect(page.getByRole('heading', { name: 'No tickets found' })).toBeVisible()
  await expectWellMade(page)
  await openReady(page, `${PAGE}/${ticket}`)
  await expectWellMade(page)
  await signIn(context, server, ADMIN)
  await openReady(page, `/admin?tab=support&status=waiting&ticket=${ticket}`)
  await expectAccessible(page)
  await expectNoSideways(page)
  await openReady(page, '/admin-dashboard?tab=support&q=none-of-them')
  await expect(page.getByRole('heading', { name: 'No tickets found' })).toBeVisible()
  await expectWellMade(page)
})

test('without the plan, the page says how the operator is reached', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server)
  await openReady(page, PAGE)
  await expect(page.getByRole('link', { name: 'pay@example.in' })).toBeVisible()
  await expectWellMade(page)
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('a ticket is opened, answered and closed with the keyboard', async ({
    page,
    context,
    server,
  }) => {
    await signIn(context, server, CUSTOMER)
    await page.goto(PAGE)
    await page.getByLabel('Subject').fill('Own address')
    await page.getByLabel('What is it about?').fill('It is not verified.')
    await page.getByLabel('Attach a file').setInputFiles(PRINT)
    await page.getByRole('button', { name: 'Open ticket' }).press('Enter')
    await expect(page.getByText('Ticket opened', { exact: true })).toBeVisible()
    await answer(page).fill('dig shows it.')
    await send(page).press('Enter')
    await expect(chat(page)).toContainText('dig shows it.')
    await page.getByRole('button', { name: 'Close ticket' }).press('Enter')
    await expect(page.getByText('Ticket closed', { exact: true })).toBeVisible()
  })
})

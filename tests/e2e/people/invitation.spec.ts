import type { BrowserContext, Page } from '@playwright/test'
import { signIn } from '#tests/e2e/support/dashboard.ts'
import { freshEmail } from '#tests/e2e/support/fresh.ts'
import type { RunningServer } from '#tests/e2e/support/server.ts'
import { expect, expectWellMade, test } from '#tests/e2e/support/test.ts'
import { PASSWORD } from '#tests/support/app.ts'

const VEHICLE = {
  owner_name: 'Ramesh Kulkarni',
  vehicle_registration: 'MH12QX4827',
  vehicle_make_model: 'Maruti Suzuki Swift VXi',
}

/** Invites an address as a new owner, who is signed out then. Returns the path of the link, which is shown. */
async function inviteTo(
  page: Page,
  context: BrowserContext,
  server: RunningServer,
  { email, role = 'member', one = true }: { email: string; role?: string; one?: boolean },
): Promise<string> {
  await signIn(context, server, { name: 'Ramesh Kulkarni' }, [VEHICLE])
  const headers = { 'Sec-Fetch-Site': 'same-origin' }
  const codes = await (await page.request.get(`${server.url}/api/qr/my-qrs`, { headers })).json()
  const scope = one ? { qr_id: codes[0].qr_id } : 'all'
  const answer = await page.request.post(`${server.url}/api/people`, {
    headers,
    data: { email, role, scope },
  })
  const { url } = await answer.json()
  await context.clearCookies()
  return new URL(url).pathname
}

test('an invitation makes an account that helps @main', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(/status of 40[04]/)
  const email = freshEmail('meera')
  const path = await inviteTo(page, context, server, { email })
  await page.goto(path)
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText('Ramesh Kulkarni asks for your help')
  await expect(page.locator('.plate')).toHaveText('MH 12 QX 4827')
  await expect(page.getByText('read and answer messages of finders')).toBeVisible()
  await expect(page.getByText('You do not see private documents.')).toBeVisible()
  await expectWellMade(page)
  await page.getByRole('link', { name: 'Help Ramesh' }).click()
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await expectWellMade(page)
  await page.getByLabel('Full Name').fill('Meera Kulkarni')
  await page.getByLabel('Password', { exact: true }).fill('12345')
  await page.getByRole('button', { name: 'Help Ramesh' }).click()
  await expect(page.getByText('Password must be at least 6 characters long').first()).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Help Ramesh' }).click()
  await expect(page).toHaveURL(/\/dashboard\?tab=my-qrs&done=helping/)
  await page.goto(path)
  await expect(heading).toHaveText('This link is no longer valid')
})

test('the invited account comes back to the invitation after the login, and accepts', async ({
  page,
  context,
  server,
}) => {
  const email = freshEmail('meera')
  const path = await inviteTo(page, context, server, { email, role: 'manager', one: false })
  await page.goto(path)
  await expect(page.getByText('All QR codes of Ramesh')).toBeVisible()
  await expect(page.getByText('You do not see private documents.')).toBeHidden()
  const kept = await context.cookies()
  expect(kept.map(({ name }) => name)).toContain('driveqr_invite')
  await signIn(context, server, { name: 'Meera Kulkarni', email })
  await page.goto('/dashboard')
  await expect(page).toHaveURL(server.url + path)
  await expectWellMade(page)
  await page.getByRole('button', { name: 'Help Ramesh' }).click()
  await expect(page).toHaveURL(/done=helping/)
})

test('another account is told so, with both ways out', async ({ page, context, server }) => {
  const path = await inviteTo(page, context, server, { email: freshEmail('meera') })
  await signIn(context, server, { name: 'Ravi Menon', email: freshEmail('ravi') })
  await page.goto(path)
  await expect(page.getByText('You are logged in as ravi')).toBeVisible()
  await expect(page.getByText('Or ask Ramesh to invite the address of this account.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Help Ramesh' })).toBeHidden()
  await expectWellMade(page)
  await page.getByRole('button', { name: 'Log out and continue' }).click()
  await expect(page).toHaveURL(/\/login/)
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('an invitation is declined in Urdu', async ({ page, context, server, problems }) => {
    problems.expect(/status of 404/)
    const path = await inviteTo(page, context, server, {
      email: freshEmail('meera'),
      role: 'viewer',
    })
    await page.goto(`${path}?lang=ur`)
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
    await page.getByRole('button', { name: 'نہیں، شکریہ' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Ramesh')
    expect((await page.goto(path))?.status()).toBe(404)
  })
})

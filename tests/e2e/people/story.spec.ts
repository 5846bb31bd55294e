import type { Browser, Page } from '@playwright/test'
import { signIn } from '#tests/e2e/support/dashboard.ts'
import { ageForm } from '#tests/e2e/support/finder.ts'
import { freshEmail } from '#tests/e2e/support/fresh.ts'
import { test } from '#tests/e2e/support/mailing.ts'
import { dialogOf, openReady } from '#tests/e2e/support/page.ts'
import { openDatabaseOf, type RunningServer } from '#tests/e2e/support/server.ts'
import { expect, expectWellMade } from '#tests/e2e/support/test.ts'
import { PASSWORD } from '#tests/support/app.ts'
import { type Received, textOf } from '#tests/support/smtp.ts'

/** The server looks once a minute for people to tell. */
const NEXT_LOOK = { timeout: 70_000 }

const CODE = {
  owner_name: 'Asha Patil',
  vehicle_registration: 'MH12QX4827',
  contact_mode: 'relay',
} as const

async function openPhone(browser: Browser): Promise<Page> {
  return (await browser.newContext()).newPage()
}

/** Returns the path of the link in the newest mail to an address. */
async function linkTo(received: Received[], email: string, pattern: RegExp, wait = {}) {
  const newest = () => textOf(received.filter(({ to }) => to.includes(email)).at(-1) as Received)
  const find = () => pattern.exec(received.some(({ to }) => to.includes(email)) ? newest() : '')
  await expect.poll(() => find() !== null, wait).toBe(true)
  return new URL(find()?.[0] ?? '').pathname + new URL(find()?.[0] ?? '').search
}

/** Lets the minutes pass after which the next person is told. */
async function passMinutes(server: RunningServer): Promise<void> {
  const { db, close } = await openDatabaseOf(server)
  const past = new Date(Date.now() - 1000).toISOString()
  const { numUpdatedRows } = await db
    .updateTable('escalation_steps')
    .set({ due_at: past })
    .where('state', '=', 'due')
    .executeTakeFirstOrThrow()
  await close()
  expect(numUpdatedRows).toBe(1n)
}

test('a person who is told after five minutes answers in the owner’s place, until removed @slow', async ({
  page,
  context,
  browser,
  server,
  mailbox,
}) => {
  test.setTimeout(180_000)
  const { received } = mailbox
  const owner = await signIn(context, server, {}, [CODE])
  const email = freshEmail('meera')
  await openReady(page, '/settings/people')
  await page.getByRole('link', { name: 'Invite a person' }).click()
  await page.getByLabel('Their e-mail').fill(email)
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await expect(page.getByRole('button', { name: `Cancel ${email}` })).toBeVisible()

  // The person makes an account from the mail.
  const meera = await openPhone(browser)
  await meera.goto(server.url + (await linkTo(received, email, /https?:\S+\/invite\/[\w-]+/)))
  await meera.getByRole('link', { name: 'Help Asha' }).click()
  await meera.getByLabel('Full Name').fill('Meera Kulkarni')
  await meera.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await meera.getByLabel('Confirm Password').fill(PASSWORD)
  await meera.getByRole('button', { name: 'Help Asha' }).click()
  await expect(meera.getByText("Asha's", { exact: true })).toBeVisible()
  await expectWellMade(meera)

  await openReady(page, '/settings/notifications/if-nobody-answers')
  await page.getByRole('radio', { name: '5', exact: true }).check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.locator('.order > li')).toContainText([/At once.*You/, /After 5 min.*Meera/])

  // A finder writes, and nobody opens it.
  const finder = await openPhone(browser)
  await finder.goto(`${server.url}/scan/${owner.codes[0]?.qr_id}`)
  await finder.getByRole('link', { name: /Message owner/ }).click()
  await finder.getByText('I found these keys').click()
  await finder.getByLabel('Your message').fill('They were on the counter.')
  await ageForm(finder, server)
  await finder.getByRole('button', { name: 'Send message' }).click()
  await expect(finder.getByRole('heading', { name: 'Sent' })).toBeVisible()
  const link = /https?:\S+conversation=[\w-]+/
  await linkTo(received, owner.email ?? '', link)
  expect(received.filter(({ to }) => to.includes(email))).toHaveLength(1)
  await passMinutes(server)
  await meera.goto(server.url + (await linkTo(received, email, link, NEXT_LOOK)))

  // Both see the answer, and the finder sees one partner.
  await meera.getByLabel('Your answer').fill('I come for them in ten minutes.')
  await meera.getByRole('button', { name: 'Answer', exact: true }).click()
  const talk = finder.getByRole('log', { name: 'Conversation' })
  await expect(talk).toContainText('I come for them in ten minutes.')
  expect(await finder.content()).not.toContain('Meera')
  await openReady(page, new URL(meera.url()).pathname + new URL(meera.url()).search)
  const chat = page.getByRole('log', { name: 'What was written' })
  await expect(chat).toContainText('I come for them in ten minutes.')
  await expect(chat).toContainText('Meera')

  await openReady(page, '/settings/people')
  await page.getByRole('link', { name: 'Remove Meera Kulkarni' }).click()
  await dialogOf(page, 'Remove this person?').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('Meera Kulkarni')).toHaveCount(0)
  await expect(
    meera.getByText('This conversation was deleted, or is no longer shared with you.'),
  ).toBeVisible()
  await meera.goto(`${server.url}/dashboard`)
  await expect(meera.getByText("Asha's", { exact: true })).toHaveCount(0)
  await Promise.all([meera.context().close(), finder.context().close()])
})

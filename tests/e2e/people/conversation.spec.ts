import type { Browser, Page } from '@playwright/test'
import type { Tables } from '#db/schema.ts'
import { type Owner, signIn } from '#tests/e2e/support/dashboard.ts'
import { openReady } from '#tests/e2e/support/page.ts'
import { openDatabaseOf, type RunningServer } from '#tests/e2e/support/server.ts'
import { expect, expectNoSideways, expectWellMade, test } from '#tests/e2e/support/test.ts'
import { insertShare } from '#tests/support/people.ts'
import { insertConversation } from '#tests/support/stored-conversations.ts'

const answer = (page: Page) => page.getByLabel('Your answer')
const chat = (page: Page) => page.getByRole('log', { name: 'What was written' })
const pane = (page: Page) => page.getByRole('region', { name: 'I found these keys' })
const send = (page: Page) => page.getByRole('button', { name: 'Answer', exact: true }).click()

/** Opens a conversation of Ravi on two browsers, his own and that of Meera, who helps him. */
async function openBoth(
  { page, browser, server }: { page: Page; browser: Browser; server: RunningServer },
  role: Tables['shares']['role'],
) {
  let href = ''
  const codes = [{ vehicle_registration: 'MH12QX4827', contact_phone: '+919876543210' }]
  const owner = await signIn(page.context(), server, { name: 'Ravi Kulkarni' }, codes, begin)
  const other = await browser.newContext()
  let shareId = ''
  await signIn(other, server, { name: 'Meera' }, [], async (db, { id }) => {
    const between = { owner_id: owner.id, person_id: id }
    const created_at = '2026-01-01T00:00:00.000Z'
    shareId = (await insertShare(db, between, { role, created_at })).id
  })
  const meera = await other.newPage()
  await openReady(meera, href)

  async function begin(db: Parameters<typeof insertConversation>[0], { id, codes: [code] }: Owner) {
    const about = { account_id: id, qr_id: code?.qr_id ?? '' }
    const { id: conversation } = await insertConversation(db, about)
    href = `/dashboard?tab=messages&conversation=${conversation}`
  }
  async function remove() {
    const { db, close } = await openDatabaseOf(server)
    await db.deleteFrom('shares').where('id', '=', shareId).execute()
    await close()
  }
  return { href, meera, other, remove }
}

test('an owner and a person see each other type and answer @slow', async ({
  page,
  browser,
  server,
}) => {
  const { href, meera, other } = await openBoth({ page, browser, server }, 'member')
  await openReady(page, href)
  await expect(pane(meera).getByText("Ravi's", { exact: true })).toBeVisible()
  await expect(pane(page).getByText('Read by Meera')).toBeVisible()
  await expectNoSideways(meera)
  await expectWellMade(meera)
  await answer(meera).pressSequentially('I go there')
  await expect(pane(page).getByText('Meera is writing')).toBeVisible()
  await answer(page).fill('I come')
  await expect(pane(meera).getByText('Ravi Kulkarni is writing')).toBeVisible()
  await Promise.all([send(page), send(meera)])
  for (const each of [page, meera]) {
    await expect(chat(each)).toContainText('I come')
    await expect(chat(each)).toContainText('I go there')
  }
  await expect(chat(page)).toContainText('Meera, ')
  await expect(chat(meera)).toContainText('Ravi Kulkarni, ')
  await expect(page.getByText('Meera is writing')).toHaveCount(0)
  await other.close()
})

test('an open page says when its conversation is shared no more, and a viewer has no box @slow', async ({
  page,
  browser,
  server,
}) => {
  const { meera, other, remove } = await openBoth({ page, browser, server }, 'viewer')
  await expect(meera.getByText('You can read this, and not answer.')).toBeVisible()
  await expect(answer(meera)).toHaveCount(0)
  await expect(meera.getByText('Share')).toHaveCount(0)
  await remove()
  await expect(meera.getByText('or is no longer shared with you')).toBeVisible({ timeout: 15_000 })
  await expect(meera.getByText('No messages yet')).toBeVisible()
  await other.close()
})

import type { Page } from '@playwright/test'
import type { Db } from '#db/client.ts'
import type { FinderConversationRow } from '#db/schema.ts'
import { type Owner, signIn } from '#tests/e2e/support/dashboard.ts'
import { dialogOf, hold, LOST, loseNextAnswer, openReady, toast } from '#tests/e2e/support/page.ts'
import { openDatabaseOf } from '#tests/e2e/support/server.ts'
import { expect, expectNoSideways, expectWellMade, test } from '#tests/e2e/support/test.ts'
import { storeFile } from '#tests/support/storage.ts'
import { insertConversation, writeAsFinder } from '#tests/support/stored-conversations.ts'
import { picture } from '#tests/support/uploads.ts'

const TAB = '/dashboard?tab=messages'
const CODE = { vehicle_registration: 'MH12QX4827' }

type Fields = Parameters<typeof insertConversation>[2]

/** Conversations about the owner's code, for `signIn`. */
function begin(...all: Fields[]) {
  const made: FinderConversationRow[] = []
  async function more(db: Db, { id, codes: [code] }: Owner) {
    const about = { account_id: id, qr_id: code?.qr_id ?? '' }
    for (const fields of all) made.push(await insertConversation(db, about, fields))
  }
  return { made, more }
}

const messagesTab = (page: Page) =>
  page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: /^Messages/ })
const chat = (page: Page) => page.getByRole('log', { name: 'What was written' })
const answer = (page: Page) => page.getByLabel('Your answer')

/** Expects texts to end where their boxes do: a box may be narrower than the page. */
async function expectWithin(page: Page, boxes: string) {
  const beyond = await page.locator(boxes).evaluateAll((all) =>
    all.flatMap((box) => {
      const { left, right } = box.getBoundingClientRect()
      const inside = [...box.querySelectorAll('*')]
      const outside = inside.filter((each) => {
        const { left: from, right: to, width } = each.getBoundingClientRect()
        return width > 0 && (from < left || to > right)
      })
      return outside.map((each) => each.outerHTML.slice(0, 60))
    }),
  )
  expect(beyond).toEqual([])
}

test('an owner reads, answers, sees the reply arrive and closes the conversation @main', async ({
  page,
  context,
  server,
  problems,
}) => {
  const { made, more } = begin({ messages: [{ text: 'They are at the tea stall.' }] })
  await signIn(context, server, {}, [CODE], more)
  await openReady(page, '/dashboard')
  await expect(messagesTab(page)).toHaveAccessibleName('Messages 1 unread')
  await messagesTab(page).click()
  await page.getByRole('link', { name: /Unread: I found these keys/ }).click()
  await expect(page.getByRole('heading', { name: 'I found these keys' })).toBeVisible()
  await expect(messagesTab(page)).toHaveAccessibleName('Messages')
  await expect(chat(page)).toContainText('They are at the tea stall.')

  await answer(page).fill('I am on my way')
  problems.expect(/ERR_FAILED/)
  await page.route('**/answer', (route) => route.abort())
  const send = page.getByRole('button', { name: 'Answer', exact: true })
  await send.click()
  await expect(toast(page, /What you typed is still here/)).toBeVisible()
  await expect(answer(page)).toHaveValue('I am on my way')
  await expect(send).toBeFocused()
  await page.unroute('**/answer')
  await send.click()
  await expect(chat(page)).toContainText('I am on my way')
  await expect(answer(page)).toHaveValue('')
  await expect(send).toBeFocused()
  await answer(page).fill('Thank you!')
  await page.getByRole('button', { name: 'I am coming now' }).click()
  await expect(answer(page)).toBeFocused()
  await expect(answer(page)).toHaveValue('Thank you! I am coming now')
  await page.keyboard.type(', by bus')
  await expect(chat(page)).not.toContainText('I am coming now')
  await send.click()
  await expect(chat(page)).toContainText('Thank you! I am coming now, by bus')

  const { db, close } = await openDatabaseOf(server)
  await answer(page).fill('Where exactly')
  await answer(page).press('End')
  const topOf = async () => (await answer(page).boundingBox())?.y ?? Number.NaN
  const before = await topOf()
  await writeAsFinder(db, made[0] as FinderConversationRow, 'Ask for Imran', new Date())
  await expect(chat(page)).toContainText('Ask for Imran')
  await expect(answer(page)).toHaveValue('Where exactly')
  await expect(answer(page)).toBeFocused()
  await page.keyboard.type('?')
  await expect(answer(page)).toHaveValue('Where exactly?')
  expect(Math.abs((await topOf()) - before)).toBeLessThan(2)
  await expect(messagesTab(page)).toHaveAccessibleName('Messages')

  // A draft outlives another act.
  await page.getByRole('button', { name: 'Mute' }).click()
  await expect(toast(page, /^Muted/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Unmute' })).toBeFocused()
  await expect(answer(page)).toHaveValue('Where exactly?')
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(page.getByText('This conversation is closed', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Reopen' })).toBeFocused()
  await expect(answer(page)).toHaveCount(0)
  await close()
})

test('an act whose answer was lost is not said to have failed', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(LOST)
  const { made, more } = begin({ messages: [{ text: 'They are at the tea stall.' }] })
  await signIn(context, server, {}, [CODE], more)
  await openReady(page, `${TAB}&conversation=${made[0]?.id}`)
  const unknown = toast(page, /Look whether it was done before you try again/)
  await loseNextAnswer(page)
  await page.getByRole('button', { name: 'Mute' }).click()
  await expect(unknown).toBeVisible()
  await expect(page.getByRole('button', { name: 'Unmute' })).toBeVisible()
  await loseNextAnswer(page)
  await page.locator('#close').press('Enter')
  await expect(unknown).toBeVisible()
  await expect(page.getByRole('button', { name: 'Reopen' })).toBeFocused()
  await expect(page.getByText(/Failed to|Nothing was sent/)).toHaveCount(0)
})

test('a text that is typed while an answer is sent stays for the next one', async ({
  page,
  context,
  server,
}) => {
  const { made, more } = begin({})
  await signIn(context, server, {}, [CODE], more)
  await openReady(page, `${TAB}&conversation=${made[0]?.id}`)
  const release = await hold(page, '**/answer')
  await answer(page).fill('I am on my way')
  await page.getByRole('button', { name: 'Answer', exact: true }).click()
  await answer(page).pressSequentially('Wait at')
  release()
  await expect(chat(page)).toContainText('I am on my way')
  await expect(answer(page)).toHaveValue('Wait at')
  await expect(answer(page)).toBeFocused()
  await page.keyboard.type(' gate 2')
  await expect(answer(page)).toHaveValue('Wait at gate 2')
})

test('the count grows on every tab, and the list shows what arrives', async ({
  page,
  context,
  server,
}) => {
  const { made, more } = begin({ is_unread: 0, created_at: '2026-01-01T09:00:00.000Z' })
  const owner = await signIn(context, server, { subscription_plan: 'premium' }, [CODE, {}], more)
  const { db, close } = await openDatabaseOf(server)
  const about = { account_id: owner.id, qr_id: owner.codes[0]?.qr_id ?? '' }
  await openReady(page, '/dashboard?tab=documents')
  await page.getByRole('searchbox').fill('half a wo')
  await insertConversation(db, about, { reason: 'lights' })
  await expect(messagesTab(page)).toHaveAccessibleName('Messages 1 unread')
  await expect(page.locator('.topbar .said')).toContainText('New message. 1 unread.')
  await expect(page.getByRole('searchbox')).toHaveValue('half a wo')

  await openReady(page, TAB)
  const rows = page.getByRole('region', { name: 'Conversations' }).getByRole('listitem')
  await expect(rows).toHaveCount(2)
  await rows.last().getByRole('link').focus()
  await writeAsFinder(db, made[0] as FinderConversationRow, 'Hello?', new Date())
  await expect(rows.first()).toContainText('Unread: I found these keys')
  await expect(rows.first().getByRole('link')).toBeFocused()
  await expect(messagesTab(page)).toHaveAccessibleName('Messages 2 unread')
  await close()
})

/** Puts a page in the background, or has it seen again. */
const turn = (page: Page, state: 'hidden' | 'visible') =>
  page.evaluate((visibilityState) => {
    Object.defineProperty(document, 'visibilityState', {
      configurable: true,
      get: () => visibilityState,
    })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)

test('a page in the background catches up when it is seen again', async ({
  page,
  context,
  server,
}) => {
  const owner = await signIn(context, server, {}, [CODE])
  await openReady(page, TAB)
  await turn(page, 'hidden')
  const { db, close } = await openDatabaseOf(server)
  await insertConversation(db, { account_id: owner.id, qr_id: owner.codes[0]?.qr_id ?? '' })
  await turn(page, 'visible')
  await expect(page.getByRole('link', { name: /Unread: I found these keys/ })).toBeVisible()
  await close()
})

test('a page whose session was ended elsewhere leads to the login, unless an answer is being written', async ({
  page,
  context,
  server,
  problems,
}) => {
  const { made, more } = begin({ messages: [{ text: 'They are at the tea stall.' }] })
  const owner = await signIn(context, server, {}, [CODE], more)
  await openReady(page, `${TAB}&conversation=${made[0]?.id}`)
  await answer(page).fill('I am on my way')
  const { db, close } = await openDatabaseOf(server)
  await db.deleteFrom('sessions').where('account_id', '=', owner.id).execute()
  await close()
  problems.expect(/401/)
  const refused = () => page.waitForResponse((response) => response.status() === 401)
  await Promise.all([refused(), turn(page, 'visible')])
  await expect(answer(page)).toHaveValue('I am on my way')
  await answer(page).fill('')
  await turn(page, 'visible')
  await expect(page.getByText('Your session has ended. Please log in again.')).toBeVisible()
  await expect(page.getByText('They are at the tea stall.')).toHaveCount(0)
})

test('a conversation that ends or goes elsewhere is shown as it is', async ({
  page,
  context,
  server,
  problems,
}) => {
  const { made, more } = begin({}, { reason: 'other', is_unread: 0 })
  await signIn(context, server, {}, [CODE], more)
  const [talk] = made as [FinderConversationRow]
  await openReady(page, `${TAB}&conversation=${talk.id}`)
  await page.getByRole('link', { name: 'Block' }).click()
  const question = dialogOf(page, 'Block this sender?')
  await question.getByRole('button', { name: 'Block' }).click()
  await expect(page.getByText('You blocked this sender', { exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'I found these keys' })).toBeFocused()

  // In another window it is deleted.
  const other = await context.newPage()
  await openReady(other, `${TAB}&conversation=${talk.id}`)
  await other.getByRole('link', { name: 'Delete' }).click()
  problems.expect(/404/)
  await dialogOf(other).getByRole('button', { name: 'Delete' }).click()
  await expect(toast(other, 'Conversation deleted')).toBeVisible()
  await page.bringToFront()
  await expect(page.getByRole('link', { name: /Something else/ })).toBeVisible()
  await expect(page.getByRole('log')).toHaveCount(0)
})

test('an answer that is being written when the conversation is closed can still be read', async ({
  page,
  context,
  server,
}) => {
  const { made, more } = begin({})
  await signIn(context, server, {}, [CODE], more)
  const talk = `${TAB}&conversation=${made[0]?.id}`
  await openReady(page, talk)
  await answer(page).fill('Wait at gate 2')
  const other = await context.newPage()
  await openReady(other, talk)
  await other.getByRole('button', { name: 'Close' }).click()
  await expect(other.getByText('This conversation is closed', { exact: true })).toBeVisible()
  await page.bringToFront()
  const unsent = page.getByLabel('Not sent')
  await expect(unsent).toHaveValue('Wait at gate 2')
  await expect(unsent).toBeFocused()
  await expect(unsent).not.toBeEditable()
  await page.getByRole('button', { name: 'Reopen' }).click()
  await expect(answer(page)).toHaveValue('Wait at gate 2')
})

test('everything is done by keyboard alone', async ({ page, context, server }) => {
  const { more } = begin({})
  await signIn(context, server, {}, [CODE], more)
  await openReady(page, TAB)
  const press = async (target: ReturnType<Page['getByRole']>, key = 'Enter') => {
    await target.focus()
    await page.keyboard.press(key)
  }
  await press(page.getByRole('link', { name: /I found these keys/ }))
  await press(page.getByRole('link', { name: 'Share my number' }))
  const share = dialogOf(page, 'Share your number?')
  await expect(share).toContainText('+91 98765 43210')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('link', { name: 'Share my number' })).toBeFocused()
  await page.keyboard.press('Enter')
  await press(share.getByRole('button', { name: 'Share my number' }))
  await expect(chat(page)).toContainText('You shared your number')
  await expect(page.getByRole('link', { name: 'Share my number' })).toBeFocused()
  await press(page.getByRole('link', { name: 'Report' }))
  const report = dialogOf(page, 'Report this conversation')
  await press(report.getByLabel('It tries to cheat people'), 'Space')
  await press(report.getByRole('button', { name: 'Send report' }))
  await expect(toast(page, 'Report sent')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Report' })).toBeFocused()
  await press(page.getByRole('button', { name: 'Got it back' }))
  await expect(page.getByText('You have it back', { exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'I found these keys' })).toBeFocused()
  await press(page.getByRole('button', { name: 'Reopen' }))
  await expect(answer(page)).toBeVisible()
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('an owner finds, answers, closes and deletes a conversation', async ({
    page,
    context,
    server,
  }) => {
    const others = Array.from({ length: 4 }, () => ({ reason: 'parking' }) as const)
    const found = { messages: [{ text: 'At the tea stall' }] }
    const { more } = begin(found, { reason: 'lights' }, ...others)
    await signIn(context, server, {}, [CODE], more)
    await page.goto(TAB)
    await page.getByRole('searchbox').fill('tea stall')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByRole('link', { name: /I found these keys/ }).click()
    await answer(page).fill('Thank you')
    await page.getByRole('button', { name: 'Answer', exact: true }).click()
    await expect(chat(page)).toContainText('Thank you')
    await expect(page.getByText('Answer sent')).toBeVisible()
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await expect(page.getByText('This conversation is closed', { exact: true })).toBeVisible()
    await page.getByRole('link', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByRole('heading', { name: 'No messages found' })).toBeVisible()
    await page.getByRole('link', { name: 'Clear Search' }).click()
    await expect(page.getByRole('link', { name: /Lights are on/ })).toBeVisible()
  })
})

test('every state is accessible @both @slow', async ({ page, context, server }) => {
  const long = 'Venkatanarasimharajuvaripeta'.repeat(6)
  const [photo_name, photo_thumbnail_name] = ['photo', 'thumb'].map(
    (name) => `${name.padEnd(26, 'q')}.png`,
  ) as [string, string]
  for (const name of [photo_name, photo_thumbnail_name]) {
    await storeFile(server.dataDir, name, await picture())
  }
  const location = { latitude: 18.5074, longitude: 73.8077, accuracy: 12 }
  const place = { place: long, ...location, photo_name, photo_thumbnail_name }
  const { made, more } = begin(
    { name: 'Farhan', ...place, messages: [{ text: long }, { text: 'Yes', sender: 'owner' }] },
    { reason: 'accident', status: 'closed' },
    { ended_at: '2026-11-20T10:00:00.000Z', status: 'closed', reason: 'lights' },
  )
  await signIn(context, server, {}, [{ owner_name: long }], more)
  const [first, closed, ended] = made.map(({ id }) => id)
  await openReady(page, TAB)
  await expectWellMade(page)
  for (const query of [
    '&status=closed',
    '&q=camel',
    `&conversation=${first}`,
    `&conversation=${closed}`,
    `&conversation=${ended}`,
    `&conversation=${first}&number=1`,
    `&conversation=${first}&report=1`,
    `&conversation=${first}&block=1`,
    `&conversation=${first}&delete=1`,
  ]) {
    await openReady(page, TAB + query)
    await expectWellMade(page)
  }
  await page.setViewportSize({ width: 320, height: 640 })
  for (const query of ['', `&conversation=${first}`]) {
    await openReady(page, TAB + query)
    await expectNoSideways(page)
  }
  await expectWithin(page, '.bubble')
})

test('before the first message the tab shows the way on @both', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server, {}, [CODE])
  await openReady(page, TAB)
  await expect(page.getByRole('heading', { name: 'No messages yet' })).toBeVisible()
  await expect(page.getByRole('link', { name: /See what finders see/ })).toBeVisible()
  await expectWellMade(page)
})

import type { Page } from '@playwright/test'
import { addChannel } from '#db/alerts/channels.ts'
import type { Db } from '#db/client.ts'
import { loadSecretKey } from '#db/secrets.ts'
import { LONG_NAME, signIn } from '#tests/e2e/support/dashboard.ts'
import {
  dialogOf,
  hold,
  openDashboard,
  openReady,
  toast,
  untilReady,
} from '#tests/e2e/support/page.ts'
import { test } from '#tests/e2e/support/receiver.ts'
import { openDatabaseOf, type RunningServer } from '#tests/e2e/support/server.ts'
import {
  expect,
  expectAccessible,
  expectNoSideways,
  expectWellMade,
} from '#tests/e2e/support/test.ts'

const PAGE = '/settings/notifications'
const ENTERPRISE = { subscription_plan: 'enterprise' } as const

/** The row of a channel. */
function row(page: Page, name: string) {
  return page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) })
}

/** Opens an event, which a phone folds. */
async function openEvent(page: Page, name: string) {
  const event = page.locator('.matrix details').filter({ hasText: name })
  if (!(await event.getByRole('group').isVisible())) await event.locator('summary').click()
  return event.getByRole('group', { name })
}

test('alerts and channels are set with the keyboard alone @both', async ({
  page,
  context,
  server,
  isMobile,
  problems,
}) => {
  problems.expect(/400/)
  await signIn(context, server, ENTERPRISE)
  await openDashboard(page)
  await page.getByLabel('Menu', { exact: true }).focus()
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('link', { name: 'Settings' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  await tabTo(page, page.getByRole('main').getByRole('link', { name: 'Notifications' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Notifications' })).toBeVisible()
  await untilReady(page)
  await expectWellMade(page)

  const scans = page.getByRole('group', { name: 'A code was scanned' })
  if (isMobile) {
    await expect(scans).toBeHidden()
    await tabTo(page, page.locator('.matrix summary').nth(1))
    await page.keyboard.press('Enter')
  }
  await tabTo(page, scans.getByLabel('Email'))
  await page.keyboard.press('Space')
  await tabTo(page, page.getByRole('switch', { name: 'Keep quiet at night' }))
  await page.keyboard.press('Space')
  await page.getByLabel('From').fill('07:00')
  await tabTo(page, page.getByRole('button', { name: 'Save' }))
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('To')).toHaveAccessibleDescription(/must end at another time/)
  await expect(page.getByLabel('To')).toBeFocused()
  await expect(scans.getByLabel('Email')).toBeChecked()
  await expectAccessible(page)
  await page.getByLabel('From').fill('23:15')
  await tabTo(page, page.getByRole('button', { name: 'Save' }))
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Settings saved')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save' })).toBeFocused()
  // An open event stays open, and its summary names the chosen channels.
  await expect(scans.getByLabel('Email')).toBeChecked()
  await expect(page.locator('.matrix summary').nth(1)).toContainText('Email')

  await openReady(page, PAGE)
  await expect((await openEvent(page, 'A code was scanned')).getByLabel('Email')).toBeChecked()
  await expect(page.getByLabel('From')).toHaveValue('23:15')
  const security = await openEvent(page, 'Security')
  await expect(security.getByLabel('Email')).toBeChecked()
  await expect(security.getByLabel('Email')).toBeDisabled()
  await page.goto('/settings')
  await expect(page.getByRole('main')).toContainText('Email, quiet from 23:15')
  await expectWellMade(page)
})

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, target: ReturnType<Page['locator']>) {
  for (let n = 0; n < 80; n++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  await expect(target).toBeFocused()
}

test('a refusal is said when its dialog was closed meanwhile', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(/status of 400/)
  await signIn(context, server)
  await openReady(page, PAGE)
  const opener = page.getByRole('link', { name: 'Connect ntfy' })
  await opener.click()
  const form = dialogOf(page, 'Connect ntfy')
  await form.getByLabel('Topic').fill('nowhere')
  const release = await hold(page, `**${PAGE}/channels`)
  await form.getByRole('button', { name: 'Connect' }).click()
  await page.keyboard.press('Escape')
  await expect(form).toHaveCount(0)
  release()
  await expect(page.locator('.said .say-stop, .note-stop')).toContainText('address')
  await expect(form).toHaveCount(0)
  await expect(opener).toBeFocused()
})

test('a topic of ntfy is connected, tested and removed, and ticks that are not saved stay', async ({
  page,
  context,
  server,
  receiver,
  problems,
}) => {
  problems.expect(/400|503/)
  await signIn(context, server)
  await openReady(page, PAGE)
  await (await openEvent(page, 'A finder wrote a message')).getByLabel('Email').uncheck()
  await page.getByRole('link', { name: 'Connect ntfy' }).click()
  const form = dialogOf(page, 'Connect ntfy')
  await expectAccessible(page)
  await form.getByLabel('Address of the topic').fill('ftp://nowhere')
  await form.getByLabel('Access token').fill('tk_mine')
  await form.getByRole('button', { name: 'Connect' }).click()
  const address = form.getByLabel('Address of the topic')
  await expect(address).toHaveAccessibleDescription(/That address cannot be used$/)
  await expect(address).toBeFocused()
  await expect(address).toHaveValue('ftp://nowhere')
  await expect(form.getByLabel('Access token')).toHaveValue('tk_mine')
  await expectAccessible(page)
  await address.fill(`${receiver.url}/keys`)
  await form.getByRole('button', { name: 'Connect' }).click()
  await expect(toast(page, 'Connected')).toBeVisible()

  const ntfy = row(page, 'ntfy')
  await expect(ntfy).toContainText('Connected')
  // The tick is not saved; the new channel has its defaults.
  const messages = await openEvent(page, 'A finder wrote a message')
  await expect(messages.getByLabel('Email')).not.toBeChecked()
  await expect(messages.getByLabel('ntfy')).toBeChecked()

  await ntfy.getByRole('button', { name: 'Send a test' }).click()
  await expect(toast(page, 'The test arrived')).toBeVisible()
  expect(receiver.count()).toBe(1)
  receiver.answer(403)
  const showRows = await hold(page, /\/settings\/notifications$/)
  await ntfy.getByRole('button', { name: 'Send a test' }).click()
  await expect(toast(page, 'The test did not arrive: Answered 403')).toBeVisible()

  await ntfy.getByRole('link', { name: 'Remove' }).click()
  const question = dialogOf(page, 'Remove ntfy?')
  await expectAccessible(page)
  const isShown = page.evaluate(
    () => new Promise((resolve) => document.addEventListener('swapped', resolve, { once: true })),
  )
  showRows()
  await isShown
  await expect(messages.getByLabel('Email')).not.toBeChecked()
  await question.getByRole('button', { name: 'Keep ntfy' }).click()
  await expect(ntfy.getByRole('link', { name: 'Remove' })).toBeFocused()
  await ntfy.getByRole('link', { name: 'Remove' }).click()
  await question.getByRole('button', { name: 'Remove' }).click()
  await expect(toast(page, 'Removed')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Connect ntfy' })).toBeVisible()
})

/** A delivery of the only webhook that was given up. */
async function noteDelivery(server: RunningServer) {
  const { db, close } = await openDatabaseOf(server)
  const { id } = await db.selectFrom('alert_channels').select('id').executeTakeFirstOrThrow()
  const delivery = { id: 'delivery-1', channel_id: id, qr_id: null, event: 'message' } as const
  const state = { attempts: 9, status: 'failed', answer: 'There was no answer' } as const
  await db
    .insertInto('webhook_deliveries')
    .values({ ...delivery, ...state, created_at: new Date().toISOString(), content: 'sealed' })
    .execute()
  await close()
}

test('a webhook shows its secret once, and its deliveries, which are sent again', async ({
  page,
  context,
  server,
  receiver,
  problems,
}) => {
  problems.expect(/400/)
  await signIn(context, server, ENTERPRISE)
  await openReady(page, PAGE)
  await page.getByRole('link', { name: 'Connect webhook' }).click()
  await dialogOf(page, 'Connect webhook').getByLabel('URL').fill(`${receiver.url}/hook`)
  await dialogOf(page).getByRole('button', { name: 'Connect' }).click()
  const made = dialogOf(page, 'Secret of the webhook')
  await expect(made.getByLabel('Secret')).toHaveValue(/^whsec_/)
  await expectAccessible(page)
  await made.getByRole('button', { name: 'Done' }).click()
  await row(page, 'Webhook').getByRole('link', { name: 'Deliveries' }).click()
  await untilReady(page)
  await expect(page.getByText('Nothing was sent yet.')).toBeVisible()
  const url = page.getByLabel('URL')
  await url.fill('ftp://nowhere')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(url).toHaveAccessibleDescription(/That address cannot be used$/)
  await expect(url).toBeFocused()
  await expect(url).toHaveValue('ftp://nowhere')
  await expectAccessible(page)
  await url.fill(`${receiver.url}/moved`)
  await page.keyboard.press('Enter')
  await expect(toast(page, 'The webhook calls this address now')).toBeVisible()
  await expect(url).toHaveValue(`${receiver.url}/moved`)
  await page.getByRole('button', { name: 'Send a test' }).click()
  await expect(toast(page, 'The test arrived')).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: 'message' })).toHaveCount(1)

  await noteDelivery(server)
  await openReady(page, page.url())
  await expectWellMade(page)
  await page.getByRole('button', { name: 'Send again' }).first().click()
  await expect(toast(page, 'It is sent again')).toBeVisible()

  await page.getByRole('link', { name: 'New secret' }).click()
  await expectAccessible(page)
  await dialogOf(page).getByRole('button', { name: 'Make a new one' }).click()
  await expect(dialogOf(page, 'Secret of the webhook').getByLabel('Secret')).toHaveValue(/^whsec_/)
  await dialogOf(page).getByRole('button', { name: 'Done' }).click()
  await page.getByRole('link', { name: 'Remove' }).click()
  await dialogOf(page, 'Remove Webhook?').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Notifications' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Connect webhook' })).toBeVisible()
})

/** Channels with the longest names, one of which fails. */
function connectLong(server: RunningServer) {
  return async (db: Db, owner: { id: string }) => {
    const key = loadSecretKey(server.dataDir)
    const now = new Date()
    for (const kind of ['push', 'telegram', 'ntfy', 'webhook'] as const) {
      const channel = { kind, name: LONG_NAME, address: LONG_NAME, target: {} }
      await addChannel(db, key, owner.id, channel, now)
    }
    const since = { failing_since: now.toISOString(), unreachable_since: now.toISOString() }
    await db
      .updateTable('alert_channels')
      .set({ failures: 3, ...since })
      .execute()
  }
}

test('no page of Settings is wider than its window, with any channels', async ({
  page,
  context,
  server,
}) => {
  const inWidths = async (check: (page: Page) => Promise<void>) => {
    for (const width of [320, 1280]) {
      await test.step(`${new URL(page.url()).pathname} at ${width} px`, async () => {
        await page.setViewportSize({ width, height: 844 })
        await check(page)
      })
    }
  }
  await signIn(context, server, ENTERPRISE, [], connectLong(server))
  await openReady(page, PAGE)
  await expect(page.getByText('Not reachable since').first()).toBeVisible()
  await inWidths(expectWellMade)
  await page.getByRole('link', { name: 'Deliveries' }).click()
  await noteDelivery(server)
  await openReady(page, page.url())
  await inWidths(expectWellMade)
  for (const path of ['/settings', '/settings/api-keys', `${PAGE}?connect=ntfy`]) {
    await openReady(page, path)
    await inWidths(expectNoSideways)
  }
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('everything is set, connected, tested and removed', async ({
    page,
    context,
    server,
    receiver,
    problems,
  }) => {
    problems.expect(/400|503/)
    await signIn(context, server)
    await page.goto('/dashboard')
    await page.getByLabel('Menu', { exact: true }).click()
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('main').getByRole('link', { name: 'Notifications' }).click()
    await page.getByRole('link', { name: 'Connect ntfy' }).click()
    const form = page.getByRole('dialog', { name: 'Connect ntfy' })
    await form.getByLabel('Address of the topic').fill('ftp://nowhere')
    await form.getByRole('button', { name: 'Connect' }).click()
    await expect(form.getByText('That address cannot be used')).toBeVisible()
    await form.getByLabel('Address of the topic').fill(`${receiver.url}/keys`)
    await form.getByRole('button', { name: 'Connect' }).click()
    await expect(page.getByText('Connected', { exact: true }).first()).toBeVisible()

    const ntfy = row(page, 'ntfy')
    await ntfy.getByRole('button', { name: 'Send a test' }).click()
    await expect(page.getByText('The test arrived')).toBeVisible()
    receiver.answer(500)
    await ntfy.getByRole('button', { name: 'Send a test' }).click()
    await expect(page.getByText('The test did not arrive: Answered 500')).toBeVisible()

    const scans = page.getByRole('group', { name: 'A code was scanned' })
    await scans.getByLabel('ntfy').check()
    await page.getByRole('switch', { name: 'Keep quiet at night' }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Settings saved')).toBeVisible()
    await expect(scans.getByLabel('ntfy')).toBeChecked()
    await expect(page.getByRole('switch', { name: 'Keep quiet at night' })).toBeChecked()

    await ntfy.getByRole('link', { name: 'Remove' }).click()
    const question = page.getByRole('dialog', { name: 'Remove ntfy?' })
    await question.getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByText('Removed', { exact: true })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Connect ntfy' })).toBeVisible()
  })
})

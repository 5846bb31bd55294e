import type { Locator, Page } from '@playwright/test'
import { secondsAfter, toFlag, toInstant } from '#db/cast.ts'
import type { Db } from '#db/client.ts'
import { randomId } from '#db/secrets.ts'
import { LONG_NAME, type Owner, signIn } from '#tests/e2e/support/dashboard.ts'
import { uploadDocument } from '#tests/e2e/support/documents.ts'
import { freshEmail } from '#tests/e2e/support/fresh.ts'
import { findMisfits } from '#tests/e2e/support/misfits.ts'
import {
  card,
  dialogOf,
  hold,
  openDashboard,
  openReady,
  openView,
  toast,
  unfold,
  untilReady,
} from '#tests/e2e/support/page.ts'
import { doubleLetters, expect, expectNoSideways, test } from '#tests/e2e/support/test.ts'
import { insertConversation } from '#tests/support/stored-conversations.ts'

const PREMIUM = { subscription_plan: 'premium' } as const
const UNREGISTERED = { qr_type: 'child', is_claimed: 0, is_child_registered: 0 } as const
/** The widest letters. */
const WIDE_PLATE = { vehicle_registration: 'MW20WW8884', email: 'kulkarni.family@example.in' }

test('a card of the list has its acts beside it, and its number in one line', async ({
  page,
  context,
  server,
}) => {
  const claimed = { is_claimed: 1, claimed_at: toInstant(new Date()) } as const
  await signIn(context, server, PREMIUM, [WIDE_PLATE, claimed])
  for (const width of [390, 1024, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    await openDashboard(page, '?layout=list')
    const cards = page.locator('.code')
    await expect(cards).toHaveCount(2)
    for (const each of await cards.all()) {
      const number = await each.locator('.num').boundingBox()
      expect(number?.height, `${width} pixels`).toBeLessThan(30)
      const acts = await each.locator('.tools').boundingBox()
      expect(acts?.width, `${width} pixels`).toBeGreaterThan(250)
    }
  }
})

test('the acts of a conversation are never alone in a row', async ({ page, context, server }) => {
  await signIn(context, server, PREMIUM, [WIDE_PLATE], (db, { id, codes: [code] }) =>
    insertConversation(
      db,
      { account_id: id, qr_id: code?.qr_id ?? '' },
      { messages: [{ text: 'I found them.' }] },
    ),
  )
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/dashboard?tab=messages')
    await page.locator('a[href*="conversation="]').first().click()
    const tops = await page
      .locator('.talk-tools .tool')
      .evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().top)))
    const rows = [...new Set(tops)].map((top) => tops.filter((each) => each === top).length)
    expect([[5], [3, 2]], `${width} pixels`).toContainEqual(rows)
  }
})

test('long names, addresses and plates fit the smallest phone', async ({
  page,
  context,
  server,
  request,
}) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined })
  })
  const expectFits = async () => {
    // Long words are allowed to break.
    const misfits = (await findMisfits(page)).filter((each) => !each.startsWith('broken'))
    expect(misfits).toEqual([])
  }
  const email = `${randomId()}${'ramvishwanathkulkarni'.repeat(2)}@example.in`
  await openReady(page, '/login?mode=register')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send OTP' }).click()
  await expect(page.getByRole('heading', { name: 'Verify Email' })).toBeFocused()
  await expect(page.getByText(email)).toBeVisible()
  await expectFits()

  const plate = { vehicle_registration: 'W'.repeat(20), lost_since: new Date().toISOString() }
  const { codes } = await signIn(context, server, PREMIUM, [plate, UNREGISTERED], handOver)
  const kept = { name: LONG_NAME, contact: freshEmail(), contact_type: 'email', adult: false }
  const data = { qr_id: codes[1]?.qr_id, password: 'a-long-password', ...kept }
  expect((await request.post('/api/qr/child-register', { data })).status()).toBe(201)
  await page.goto(`/scan/${codes[0]?.qr_id}/message`)
  await expectFits()
  for (const layout of ['grid-small', 'grid-medium', 'grid-large', 'list']) {
    await test.step(layout, async () => {
      await openDashboard(page, `?layout=${layout}`)
      await expect(
        page.getByRole('button', { name: `I am the guardian of ${LONG_NAME}` }),
      ).toBeVisible()
      await expectFits()
    })
  }
  await page.locator('.code summary').first().click()
  await page.getByRole('button', { name: 'Copy Link' }).click()
  await expect(toast(page, /^Copy this: http/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Close' })).toBeInViewport({ ratio: 1 })
})

/** Makes each word of the bar a third longer, as other languages do. */
function lengthenBar(page: Page): Promise<void> {
  return page.evaluate(() => {
    const texts = document.createTreeWalker(
      document.querySelector('.topbar') as Element,
      NodeFilter.SHOW_TEXT,
    )
    while (texts.nextNode()) {
      const text = texts.currentNode.textContent ?? ''
      // The name is the same in every language.
      if (texts.currentNode.parentElement?.closest('.logo')) continue
      texts.currentNode.textContent = text + text.slice(0, Math.ceil(text.length / 3))
    }
  })
}

const BARS = [
  [{}, ['/dashboard', '/settings']],
  [PREMIUM, ['/dashboard']],
  [{ subscription_plan: 'enterprise' }, ['/dashboard']],
  [{ role: 'moderator' }, ['/dashboard']],
  [{ role: 'admin' }, ['/dashboard', '/admin-dashboard']],
  [{ role: 'super_admin' }, ['/dashboard', '/admin-dashboard', '/admin']],
] as const

test('the bar of each plan and role fits the smallest phone, in a longer language too @main', async ({
  page,
  context,
  server,
}) => {
  await page.setViewportSize({ width: 320, height: 640 })
  for (const [account, paths] of BARS) {
    await signIn(context, server, account)
    for (const path of paths) {
      await test.step(`${JSON.stringify(account)} ${path}`, async () => {
        await page.goto(path)
        await expect(page.locator('.topbar summary')).toBeInViewport({ ratio: 1 })
        await expectNoSideways(page)
        await lengthenBar(page)
        await expectNoSideways(page)
        const parts = page.locator('.topbar :is(.logo, .btn, .badge):visible')
        for (const part of await parts.all()) await expect(part).toBeInViewport({ ratio: 1 })
      })
    }
  }
})

test('with letters twice as large the public pages fit the smallest phone', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  for (const path of ['/', '/privacy', '/terms', '/login']) {
    await test.step(path, async () => {
      await page.goto(path)
      await doubleLetters(page)
      await expectNoSideways(page)
    })
  }
})

test('on a phone the focus follows the visible order, and an open menu closes when it is left', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server, PREMIUM, [WIDE_PLATE, {}])
  await openDashboard(page)
  await page.getByRole('link', { name: 'Create QR Code' }).focus()
  await page.keyboard.press('Tab')
  const ways = page.locator('.lead-acts details')
  await expect(ways.locator('summary')).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Child QRs' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(ways.locator('summary')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('searchbox')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('combobox', { name: 'Show' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.locator('.finds summary')).toBeFocused()

  const menu = page.locator('.code details.menu').first()
  const last = menu.getByRole('link', { name: 'Delete' })
  await menu.locator('summary').press('Enter')
  await last.focus()
  await expect(last).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(menu).not.toHaveAttribute('open')
  await expect(page.locator('.code').nth(1).locator('.qr-frame')).toBeFocused()
  // A click beside it does its own work too.
  await menu.locator('summary').click()
  await expect(last).toBeInViewport({ ratio: 1 })
  await page.locator('.code').first().locator('.qr-frame').click()
  await expect(dialogOf(page)).toBeVisible()
  await expect(menu).not.toHaveAttribute('open')
})

test('everything that the Tab key reaches is visible', async ({ page, context, server }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(context, server, PREMIUM)
  await openDashboard(page, '?tab=popup-images')
  const tab = page.getByRole('link', { name: 'My QR Codes' })
  await expect(tab).not.toBeInViewport({ ratio: 1 })
  await page.getByRole('link', { name: 'Messages' }).focus()
  await page.keyboard.press('Shift+Tab')
  await expect(tab).toBeFocused()
  await expect(tab).toBeInViewport({ ratio: 1 })
  await openDashboard(page, '?create=1')
  await unfold(dialogOf(page))
  await dialogOf(page).getByRole('textbox', { name: 'City / Area' }).focus()
  await page.keyboard.press('Tab')
  const message = dialogOf(page).getByLabel('Public Message')
  await expect(message).toBeFocused()
  await expect(message).toBeInViewport({ ratio: 1 })
})

test('at 400 % zoom a dialog is scrolled as a whole, to its last button', async ({
  page,
  context,
  server,
}) => {
  await page.setViewportSize({ width: 320, height: 256 })
  const { codes } = await signIn(context, server, PREMIUM, [{ owner_name: LONG_NAME }])
  await openDashboard(page, '?create=1')
  const name = dialogOf(page).getByLabel('Full Name')
  await name.focus()
  await expect(name).toBeInViewport({ ratio: 1 })
  await openDashboard(page, `?show=${codes[0]?.qr_id}`)
  await page.mouse.move(160, 200)
  await page.mouse.wheel(0, 5000)
  await expect(dialogOf(page).getByRole('link', { name: 'Print label' })).toBeInViewport({
    ratio: 1,
  })
})

test('each tab of the code form opens its section, also by keyboard', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server, PREMIUM)
  await openDashboard(page, '?create=1')
  const labels = dialogOf(page).locator('.tabset > label')
  const form = dialogOf(page)
  await form.getByRole('radio', { name: 'Basic Info' }).focus()
  for (const tab of ['Vehicle', 'Emergency', 'Misc', 'Finder']) {
    await page.keyboard.press('ArrowRight')
    await expect(form.getByRole('region', { name: tab })).toBeVisible()
    await expect(form.locator('.tabset > section:visible')).toHaveCount(1)
    await expect(labels.filter({ hasText: tab })).toBeInViewport({ ratio: 0.5 })
  }
})

test('the bar of acts on many codes scrolls to its end on a phone', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server, PREMIUM, [WIDE_PLATE, {}])
  await openDashboard(page, '?select=1')
  await page.getByRole('checkbox').first().check()
  const acts = page.locator('.selbar .tools')
  await acts.evaluate((each) => each.scrollTo({ left: each.scrollWidth, behavior: 'instant' }))
  await expect(acts.getByRole('button', { name: 'Delete' })).toBeInViewport({ ratio: 1 })
})

test('moving back by keyboard focuses nothing below the bar', async ({ page, context, server }) => {
  await signIn(context, server, PREMIUM, Array(6).fill(WIDE_PLATE))
  await openDashboard(page)
  await page.getByRole('link', { name: 'Download ZIP' }).focus()
  const bar = await boxOf(page.locator('.topbar'))
  for (let n = 0; n < 20; n++) {
    await page.keyboard.press('Shift+Tab')
    expect((await boxOf(page.locator(':focus'))).y).toBeGreaterThanOrEqual(bar.height)
  }
})

test('the current tab is visible when the style sheet loads after the script, and the page stays at its top', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server, PREMIUM)
  const styled = await hold(page, '**/assets/app-*.css')
  // WebKit does this with every module: it does not wait for style sheets.
  await page.route('**/dashboard?*', async (route) => {
    const response = await route.fetch()
    const html = (await response.text()).replace('<script type="module"', '$& async=""')
    await route.fulfill({ response, body: html })
  })
  const opened = page.goto('/dashboard?tab=analytics')
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
  styled()
  await opened
  await expect(page.locator('.tabs-bar [aria-current]')).toBeInViewport({ ratio: 1 })
  expect(await page.evaluate(() => scrollY)).toBe(0)
})

test('the first dashboard after registering opens at its top', async ({ page }) => {
  await openReady(page, '/login?mode=register')
  await page.getByLabel('Email').fill(freshEmail())
  await page.getByRole('button', { name: 'Send OTP' }).click()
  const said = await toast(page, /^OTP Generated/).textContent()
  await expectNothingCovered(page, said ?? '')
  await page.getByLabel('Full Name').fill('Ramesh Kulkarni')
  await page.getByLabel('Password', { exact: true }).fill('correct horse')
  await page.getByLabel('Confirm Password').fill('correct horse')
  await page.getByLabel('6-digit OTP').fill(said?.match(/\d{6}/)?.[0] ?? '')
  await page.getByRole('button', { name: 'Verify & Register' }).click()
  await page.waitForURL('**/dashboard')
  await untilReady(page)
  await expect(toast(page, 'Registration completed successfully!')).toBeVisible()
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await expectNothingCovered(page, 'Registration completed successfully!')
})

test('a result covers no control of a dialog @both', async ({
  page,
  context,
  server,
  problems,
  isMobile,
}) => {
  problems.expect(/ERR_FAILED/)
  if (isMobile) await page.setViewportSize({ width: 320, height: 700 })
  await signIn(context, server, PREMIUM)
  await openDashboard(page, '?create=1')
  const dialog = dialogOf(page, 'Create QR Code')
  await page.route(/\/dashboard\/qr(?:\?|$)/, (route) => route.abort())
  await dialog.getByLabel('Full Name').fill('Ramesh Kulkarni')
  await dialog.getByLabel('Mobile Number').fill('98765 43210')
  await dialog.getByRole('button', { name: 'Create QR Code' }).click()
  await expect(toast(page, 'Failed to create QR code')).toBeVisible()
  await expectNothingCovered(page, 'Failed to create QR code')
})

test('the bar says one result at a time, a success for six seconds, an error until it is closed', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(/ERR_FAILED|500/)
  await signIn(context, server, PREMIUM, [{ owner_name: 'Ramesh Kulkarni' }, {}])
  await page.clock.install()
  await openDashboard(page)
  const bar = page.locator('.topbar')
  const said = bar.locator('.say')
  await page.route(/\/active(?:\?|$)/, (route) => route.abort(), { times: 1 })
  const turn = async (label: string) => {
    const ramesh = card(page, 'Ramesh Kulkarni')
    await ramesh.locator('summary').last().click()
    await ramesh.getByRole('button', { name: label }).click()
  }
  const menu = bar.locator('summary')
  const place = await boxOf(menu)
  await turn('Deactivate')
  await expect(said).toHaveText('Failed to update QR code')
  expect((await boxOf(menu)).x).toBe(place.x)
  await page.clock.runFor(10_000)
  await expect(said).toBeVisible()
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await expect(said).toBeInViewport()
  await turn('Deactivate')
  await expect(said).toHaveText('QR code updated successfully!')
  await said.hover()
  await page.clock.runFor(7000)
  await expect(said).toBeVisible()
  await page.mouse.move(0, 300)
  await page.clock.runFor(7000)
  await expect(said).toHaveCount(0)
  await page.route(/\/active(?:\?|$)/, (route) => route.abort(), { times: 1 })
  await turn('Activate')
  await bar.getByRole('button', { name: 'Close' }).click()
  await expect(said).toHaveCount(0)
})

test('the bar says a result without script too', async ({ browser, server }) => {
  const context = await browser.newContext({ baseURL: server.url, javaScriptEnabled: false })
  await signIn(context, server, PREMIUM, [{}])
  const page = await context.newPage()
  await page.goto('/dashboard?done=updated')
  await expect(page.locator('.topbar').getByText('QR code updated successfully!')).toBeVisible()
  await context.close()
})

test('in forced colours what is chosen, current or on looks different', async ({
  page,
  context,
  server,
}) => {
  await page.emulateMedia({ forcedColors: 'active' })
  const { codes } = await signIn(context, server, PREMIUM, [WIDE_PLATE, {}])
  const look = async (one: Locator) => (await one.screenshot()).toString('base64')
  const qrId = codes[0]?.qr_id ?? ''
  await uploadDocument(page, qrId, { document_type: 'puc' })
  await openDashboard(page, '?tab=documents')
  const toggle = page.getByRole('switch').first()
  const off = await look(toggle)
  await toggle.click()
  await expect(toast(page, 'Public now. Anyone who scans can see it.')).toBeVisible()
  await page.mouse.move(0, 0)
  await expect(toggle).toBeChecked()
  expect(await look(toggle)).not.toBe(off)
  const tabs = page.locator('.tabs-bar a')
  const line = (tab: Locator) =>
    tab.evaluate((each) => getComputedStyle(each).borderBlockEndWidth !== '0px')
  expect(await line(tabs.nth(3))).toBe(true)
  expect(await line(tabs.nth(2))).toBe(false)

  await openDashboard(page)
  const ground = (link: Locator) => link.evaluate((each) => getComputedStyle(each).backgroundColor)
  await openView(page)
  const layouts = page.getByRole('navigation', { name: 'Layout' }).getByRole('link')
  expect(await ground(layouts.nth(1))).not.toBe(await ground(layouts.nth(0)))

  await page.goto(`/scan/${qrId}/message`)
  const reason = page.locator('.why label').filter({ hasText: 'The vehicle is in the way' })
  const ring = () => reason.evaluate((each) => getComputedStyle(each, '::after').backgroundImage)
  expect(await ring()).toBe('none')
  await reason.click()
  expect(await ring()).not.toBe('none')
})

/** Everything outside of the bar that can be pressed without the result can be pressed with it. */
async function expectNothingCovered(page: Page, said: string): Promise<void> {
  await expect(toast(page, said)).toBeVisible()
  const covered = await page.evaluate(() => {
    const pressable = 'a[href], button, input, select, textarea, summary, label'
    const all = [...document.querySelectorAll(pressable)].filter(
      (each) => !each.closest('.topbar') && each.checkVisibility(),
    )
    const pressed = () =>
      all.filter((each) => {
        each.scrollIntoView({ block: 'center', behavior: 'instant' })
        const { x, y, width, height } = each.getBoundingClientRect()
        const hit = document.elementFromPoint(x + width / 2, y + height / 2)
        return width > 0 && hit !== null && (each.contains(hit) || hit.contains(each))
      })
    const withResult = pressed()
    for (const each of document.querySelectorAll('.said')) each.replaceChildren()
    const without = pressed()
    if (without.length === 0) throw new Error('Nothing can be pressed on this page')
    return without.filter((each) => !withResult.includes(each)).map((each) => each.outerHTML)
  })
  expect(covered).toEqual([])
}

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox()
  if (!box) throw new Error(`${locator} is not shown`)
  return box
}

/** Starts a transfer of the newest code. */
async function handOver(db: Db, { id, codes }: Owner): Promise<void> {
  const now = new Date()
  const row = {
    id: randomId(),
    code_id: codes[0]?.id ?? '',
    from_account_id: id,
    email: 'meenakshi@example.in',
    token_hash: randomId(),
    include_documents: toFlag(false),
    created_at: toInstant(now),
    expires_at: toInstant(secondsAfter(now, 3600)),
  }
  await db.insertInto('transfers').values(row).execute()
}

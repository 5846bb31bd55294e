import type { Locator, Page } from '@playwright/test'
import { secondsAfter, toFlag, toInstant } from '#db/cast.ts'
import type { Db } from '#db/client.ts'
import { randomId } from '#db/secrets.ts'
import { LONG_NAME, type Owner, signIn } from '#tests/e2e/support/dashboard.ts'
import { uploadDocument } from '#tests/e2e/support/documents.ts'
import { freshEmail } from '#tests/e2e/support/fresh.ts'
import {
  dialogOf,
  hold,
  openDashboard,
  openReady,
  toast,
  untilReady,
} from '#tests/e2e/support/page.ts'
import { doubleLetters, expect, expectNoSideways, test } from '#tests/e2e/support/test.ts'

const PREMIUM = { subscription_plan: 'premium' } as const
const UNREGISTERED = { qr_type: 'child', is_claimed: 0, is_child_registered: 0 } as const
/** The widest letters. */
const WIDE_PLATE = { vehicle_registration: 'MW20WW8884', email: 'kulkarni.family@example.in' }

test('a long email address fits the second step of a registration', async ({ page }) => {
  const [name = '', domain] = freshEmail().split('@')
  const email = `${name.replaceAll('-', '')}${'ramvishwanathkulkarni'.repeat(2)}@${domain}`
  await openReady(page, '/login?mode=register')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send OTP' }).click()
  await expect(page.getByRole('heading', { name: 'Verify Email' })).toBeFocused()
  await inWidths(page, [320, 390], async (width) => {
    await expectInside(page.getByText(email), width)
    await expectNoSideways(page)
  })
})

test('a long name fits the button of its guardian', async ({ page, context, server, request }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  const { codes } = await signIn(context, server, PREMIUM, [UNREGISTERED])
  const kept = { name: LONG_NAME, contact: freshEmail(), contact_type: 'email', adult: false }
  const data = { qr_id: codes[0]?.qr_id, password: 'a-long-password', ...kept }
  expect((await request.post('/api/qr/child-register', { data })).status()).toBe(201)
  await openDashboard(page)
  await expectInside(page.getByRole('button', { name: `I am the guardian of ${LONG_NAME}` }), 320)
  await expectNoSideways(page)
})

test.describe('with a mail server', () => {
  test.use({ serverEnv: { SMTP_URL: 'smtp://127.0.0.1:9' } })

  test('a long email address fits the button of a test mail', async ({ page, context, server }) => {
    await page.setViewportSize({ width: 320, height: 640 })
    const email = `${'ramvishwanathkulkarni'.repeat(2)}@example.in`
    await signIn(context, server, { role: 'super_admin', email })
    await openReady(page, '/admin?tab=system')
    await page.getByText('Configure Email SMTP').click()
    await expectInside(page.getByRole('button', { name: `Send a test mail to ${email}` }), 320)
    await expectNoSideways(page)
  })
})

test('on the smallest phone the name and the two buttons of the front page are in one line', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto('/')
  for (const part of await page.locator('.site-head > :not(.push)').all())
    expect((await boxOf(part)).height).toBe(44)
  await expectNoSideways(page)
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

test('the links of the plans are as high as a fingertip needs', async ({ page }) => {
  await page.goto('/')
  for (const link of await page.locator('.price li a').all())
    expect((await boxOf(link)).height).toBeGreaterThanOrEqual(24)
})

test('a plate of any length fits above the form of a message', async ({
  page,
  context,
  server,
}) => {
  await page.setViewportSize({ width: 320, height: 640 })
  const plate = { vehicle_registration: 'W'.repeat(20) }
  const { codes } = await signIn(context, server, PREMIUM, [plate])
  await page.goto(`/scan/${codes[0]?.qr_id}/message`)
  await expect(page.getByText(plate.vehicle_registration)).toBeVisible()
  await expectNoSideways(page)
})

test('the filter of the gallery shows its words', async ({ page, context, server }) => {
  const { codes } = await signIn(context, server, PREMIUM, [WIDE_PLATE])
  await uploadDocument(page, codes[0]?.qr_id ?? '', { document_type: 'puc' })
  await openReady(page, '/dashboard?tab=gallery')
  await inWidths(page, [320, 390], async () => {
    const left = await page.getByLabel('Document type').evaluate((select: HTMLSelectElement) => {
      const { font, paddingInlineStart, paddingInlineEnd } = getComputedStyle(select)
      const pen = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D
      pen.font = font
      const words = pen.measureText(select.selectedOptions[0]?.text ?? '').width
      const padding = Number.parseFloat(paddingInlineStart) + Number.parseFloat(paddingInlineEnd)
      return select.clientWidth - padding - words
    })
    expect(left).toBeGreaterThanOrEqual(0)
  })
})

test('on a phone the search of My QR Codes is beside the layouts, and Select below both', async ({
  page,
  context,
  server,
}) => {
  await page.setViewportSize({ width: 390, height: 800 })
  await signIn(context, server, PREMIUM, [WIDE_PLATE, {}])
  await openDashboard(page)
  const search = await boxOf(page.getByRole('search'))
  const layouts = await boxOf(page.getByRole('navigation', { name: 'Layout' }))
  const select = await boxOf(page.getByRole('link', { name: 'Select' }))
  expect(layouts.x).toBeGreaterThan(search.x + search.width)
  expect(layouts.y).toBeLessThan(search.y + search.height)
  expect(select.y).toBeGreaterThan(layouts.y + layouts.height)
  // What is drawn first has the focus first.
  const create = page.getByRole('link', { name: 'Create QR Code' })
  await create.focus()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Child QRs' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('searchbox')).toBeFocused()
})

test('all of what the Tab key reaches is seen', async ({ page, context, server }) => {
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
  await dialogOf(page).getByRole('textbox', { name: 'City / Area' }).focus()
  await page.keyboard.press('Tab')
  const message = dialogOf(page).getByLabel('Public Message')
  await expect(message).toBeFocused()
  await expect(message).toBeInViewport({ ratio: 1 })
  const buttons = dialogOf(page).getByRole('button', { name: 'Cancel' })
  const { y, height } = await boxOf(message)
  expect(y + height).toBeLessThan((await boxOf(buttons)).y)
})

test('in the list view no fields of a code overlap', async ({ page, context, server }) => {
  await signIn(context, server, PREMIUM, [WIDE_PLATE])
  await openDashboard(page, '?layout=list')
  await inWidths(page, [1024, 1280], async () => {
    const plate = await boxOf(page.locator('.qr-card .plate'))
    const facts = await boxOf(page.locator('.qr-card .facts'))
    expect(plate.x + plate.width).toBeLessThanOrEqual(facts.x)
  })
})

test('in each layout the badges of a code stay on its card', async ({ page, context, server }) => {
  const lost_since = new Date().toISOString()
  await signIn(context, server, PREMIUM, [{ ...WIDE_PLATE, lost_since }], handOver)
  for (const [layout, width] of [
    ['grid-small', 360],
    ['grid-medium', 320],
    ['grid-large', 320],
    ['list', 320],
  ] as const) {
    await test.step(`in ${layout} at ${width} px`, async () => {
      await page.setViewportSize({ width, height: 800 })
      await openDashboard(page, `?layout=${layout}`)
      const card = await boxOf(page.locator('.qr-card'))
      for (const part of await page.locator('.qr-info > :not(.qr-id), .badges > *').all()) {
        const { x, width: wide } = await boxOf(part)
        expect(x + wide).toBeLessThanOrEqual(card.x + card.width)
      }
    })
  }
})

test('the counts of a plan with an end stand in a line each', async ({ page, context, server }) => {
  const term = { term_plan: 'premium', term_ends_at: '2099-12-23T18:29:00.000Z' } as const
  await signIn(context, server, {}, [], (db, { id }) =>
    db
      .updateTable('accounts')
      .set({ ...term, term_child_quota: 50 })
      .where('id', '=', id)
      .execute(),
  )
  await openDashboard(page)
  await inWidths(page, [320, 390], async () => {
    await expect(page.getByText('until 23 Dec 2099')).toBeVisible()
    const counts = page.locator('.plan-counts > span')
    await expect(counts).toHaveCount(2)
    for (const count of await counts.all()) expect((await boxOf(count)).height).toBeLessThan(30)
    await expectNoSideways(page)
  })
})

test('a link that could not be copied leaves room to dismiss it', async ({
  page,
  context,
  server,
}) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await signIn(context, server, {}, [WIDE_PLATE])
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined })
  })
  await openDashboard(page)
  await page.getByRole('button', { name: 'Copy Link' }).click()
  await expect(toast(page, /^Copy this: http/)).toBeVisible()
  await expectInside(page.getByRole('button', { name: 'Dismiss' }), 320)
})

test('the pages of Settings are in rows, with what is set beside the icon @both', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server)
  await openReady(page, '/settings')
  const cards = page.getByRole('navigation', { name: 'Pages of Settings' }).getByRole('link')
  for (const card of await cards.all()) {
    const icon = await boxOf(card.locator('.avatar'))
    const text = await boxOf(card.locator('.stack'))
    const arrow = await boxOf(card.locator(':scope > .icon'))
    expect(text.x).toBeGreaterThan(icon.x + icon.width)
    expect(arrow.x).toBeGreaterThanOrEqual(text.x + text.width)
    await expect(card).toHaveCSS('text-decoration-line', 'none')
  }
  await expect(cards).toHaveCount(9)
  await expectNoSideways(page)
})

test('a breadcrumb in two lines begins both at the edge', async ({ page, context, server }) => {
  await signIn(context, server)
  await openReady(page, '/settings/security/authenticator')
  const names = page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem')
  const first = await boxOf(names.first())
  const last = await boxOf(names.last())
  expect(last.y).toBeGreaterThan(first.y)
  const [text, edge] = [names.last().locator('[aria-current]'), names.first().getByRole('link')]
  expect((await boxOf(text)).x).toBe((await boxOf(edge)).x)
})

test('in a low window nothing in a dialog lies over what follows', async ({
  page,
  context,
  server,
}) => {
  await page.setViewportSize({ width: 360, height: 480 })
  const { codes } = await signIn(context, server, PREMIUM, [WIDE_PLATE])
  const qrId = codes[0]?.qr_id ?? ''
  await uploadDocument(page, qrId, { document_type: 'puc' })
  await uploadDocument(page, qrId, { document_type: 'insurance' })
  await openDashboard(page, `?transfer=${qrId}`)
  const parts = await dialogOf(page).locator('.dialog-body > *').all()
  expect(parts.length).toBeGreaterThan(3)
  let end = Number.NEGATIVE_INFINITY
  for (const part of parts) {
    const { y, height } = await boxOf(part)
    expect(y).toBeGreaterThanOrEqual(end)
    expect(await part.evaluate(({ scrollHeight }) => scrollHeight)).toBeLessThan(height + 2)
    end = y + height
  }
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

test('the tabs of the code form are in one row, and each opens its section, also by keyboard', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server, PREMIUM)
  await openDashboard(page, '?create=1')
  const labels = dialogOf(page).locator('.form-tabs > .tabs > label')
  const tops = await labels.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().y))
  expect(tops).toHaveLength(5)
  expect(new Set(tops).size).toBe(1)
  const form = dialogOf(page)
  await form.getByRole('radio', { name: 'Basic Info' }).focus()
  for (const tab of ['Vehicle', 'Emergency', 'Misc', 'Finder']) {
    await page.keyboard.press('ArrowRight')
    await expect(form.getByRole('region', { name: tab })).toBeVisible()
    await expect(form.locator('.form-tabs > section:visible')).toHaveCount(1)
    await expect(labels.filter({ hasText: tab })).toBeInViewport({ ratio: 0.5 })
  }
})

test('the tab bar shows at its edge that there are more tabs, until its end', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server, PREMIUM)
  await openDashboard(page)
  const bar = page.locator('.tabs-bar .tabs')
  const { x, y, width } = await boxOf(bar)
  const shot = (left: number) =>
    page.screenshot({ clip: { x: left, y: y + 2, width: 3, height: 3 } })
  const edge = () => shot(x + width - 4)
  const plain = await edge()
  await bar.evaluate((each) => each.scrollTo({ left: each.scrollWidth, behavior: 'instant' }))
  const atEnd = await edge()
  expect(plain.equals(atEnd)).toBe(false)
  const fromStart = await shot(x + 1)
  expect(fromStart.equals(atEnd)).toBe(false)
})

test('who goes back by keyboard finds nothing below the tab bar', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server, PREMIUM, Array(6).fill(WIDE_PLATE))
  await openDashboard(page)
  await page.getByRole('link', { name: 'Download ZIP' }).focus()
  const bar = await boxOf(page.locator('.tabs-bar'))
  for (let n = 0; n < 20; n++) {
    await page.keyboard.press('Shift+Tab')
    expect((await boxOf(page.locator(':focus'))).y).toBeGreaterThanOrEqual(bar.height)
  }
})

test('a menu closes when the keyboard leaves it, and lies over nothing then', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server, PREMIUM, [WIDE_PLATE, {}])
  await openDashboard(page)
  const menu = page.locator('.qr-card details.menu').first()
  await menu.locator('summary').press('Enter')
  const last = menu.getByRole('link', { name: 'Delete' })
  await last.focus()
  await expect(last).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(menu).not.toHaveAttribute('open')
  await expect(page.locator('.qr-card').nth(1).locator('.qr-frame')).toBeFocused()
})

test('a click beside an open menu does what it is on', async ({ page, context, server }) => {
  await signIn(context, server, PREMIUM, [WIDE_PLATE])
  await openDashboard(page)
  const card = page.locator('.qr-card')
  const menu = card.locator('details.menu')
  await menu.locator('summary').click()
  await expect(menu.getByRole('link', { name: 'Delete' })).toBeInViewport({ ratio: 1 })
  await card.locator('.qr-frame').click()
  await expect(dialogOf(page)).toBeVisible()
  await expect(menu).not.toHaveAttribute('open')
})

test('so does the bar of acts on many codes, whose last is Delete', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server, PREMIUM, [WIDE_PLATE, {}])
  await openDashboard(page, '?select=1')
  await page.getByRole('checkbox').first().check()
  const acts = page.locator('.selbar .tools')
  const { x, y, width } = await boxOf(acts)
  const edge = () => page.screenshot({ clip: { x: x + width - 4, y: y + 2, width: 3, height: 3 } })
  const plain = await edge()
  await acts.evaluate((each) => each.scrollTo({ left: each.scrollWidth, behavior: 'instant' }))
  await expect(acts.getByRole('button', { name: 'Delete' })).toBeInViewport({ ratio: 1 })
  expect(plain.equals(await edge())).toBe(false)
})

test('all tabs of a moderator fit a window of 1280 px', async ({ page, context, server }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await signIn(context, server, { role: 'moderator' })
  await openDashboard(page)
  const bar = page.locator('.tabs-bar .tabs')
  await expect(bar.getByRole('link')).toHaveCount(8)
  expect(await bar.evaluate((tabs) => tabs.scrollWidth - tabs.clientWidth)).toBe(0)
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
  await expectNothingCovered(page, 'Registration completed successfully!')
  expect(await page.evaluate(() => scrollY)).toBe(0)
})

test('a toast does not cover the controls or the heading of a dialog @both', async ({
  page,
  context,
  server,
  problems,
  isMobile,
}) => {
  problems.expect(/ERR_FAILED/)
  // On the smallest phone its text takes two lines.
  if (isMobile) await page.setViewportSize({ width: 320, height: 700 })
  await signIn(context, server, PREMIUM)
  await openDashboard(page, '?create=1')
  const dialog = dialogOf(page, 'Create QR Code')
  await page.route(/\/dashboard\/qr(?:\?|$)/, (route) => route.abort())
  await dialog.getByLabel('Full Name').fill('Ramesh Kulkarni')
  await dialog.getByLabel('Mobile Number').fill('98765 43210')
  await dialog.getByRole('button', { name: 'Create QR Code' }).click()
  await expect(toast(page, 'Failed to create QR code')).toBeVisible()
  const box = await boxOf(page.locator('.toast'))
  const heading = await boxOf(dialog.getByRole('heading', { name: 'Create QR Code' }))
  const isApart = box.y + box.height <= heading.y || box.x >= heading.x + heading.width
  expect(isApart).toBe(true)
  await expectNothingCovered(page, 'Failed to create QR code')
})

test('the text of a toast can be selected @both', async ({ page }) => {
  await openReady(page, '/login?mode=register')
  await page.getByRole('button', { name: 'Send OTP' }).click()
  const said = toast(page, 'Please enter your email address')
  const { x, y, width, height } = await boxOf(said)
  // On a phone it takes two lines, and the logo is below the first words.
  const [right, line] = [x + 0.8 * width, y + height / 4]
  await page.mouse.move(right, line)
  await page.mouse.dblclick(right, line)
  expect(await page.evaluate(() => getSelection()?.toString())).toMatch(/\w/)
})

test('in forced colours what is chosen, current or on looks different', async ({
  page,
  context,
  server,
}) => {
  await page.emulateMedia({ forcedColors: 'active' })
  const { codes } = await signIn(context, server, PREMIUM, [WIDE_PLATE])
  const look = async (one: Locator) => (await one.screenshot()).toString('base64')
  const qrId = codes[0]?.qr_id ?? ''
  await uploadDocument(page, qrId, { document_type: 'puc' })
  await openDashboard(page, '?tab=documents')
  const toggle = page.getByRole('switch').first()
  const off = await look(toggle)
  await toggle.click()
  await expect(toast(page, 'Authorities can see all documents of this code now')).toBeVisible()
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
  const layouts = page.getByRole('navigation', { name: 'Layout' }).getByRole('link')
  expect(await ground(layouts.nth(1))).not.toBe(await ground(layouts.nth(0)))

  await page.goto(`/scan/${qrId}/message`)
  const reason = page.locator('.why label').filter({ hasText: 'The vehicle is in the way' })
  const ring = () => reason.evaluate((each) => getComputedStyle(each, '::after').backgroundImage)
  expect(await ring()).toBe('none')
  await reason.click()
  expect(await ring()).not.toBe('none')
})

/** The same of an open page in windows of these widths. */
async function inWidths(
  page: Page,
  widths: number[],
  check: (width: number) => Promise<void>,
): Promise<void> {
  for (const width of widths) {
    await test.step(`at ${width} px`, async () => {
      await page.setViewportSize({ width, height: 800 })
      await check(width)
    })
  }
}

/** Everything that can be pressed without the toast can be pressed with it. */
async function expectNothingCovered(page: Page, said: string): Promise<void> {
  await expect(toast(page, said)).toBeVisible()
  const covered = await page.evaluate(() => {
    const pressable = 'a[href], button, input, select, textarea, summary, label'
    const dismiss = [...document.querySelectorAll<HTMLElement>('.toast button')]
    const all = [...document.querySelectorAll(pressable)].filter((each) => !each.closest('#toasts'))
    const pressed = () =>
      all.filter((each) => {
        const { x, y, width, height } = each.getBoundingClientRect()
        const hit = document.elementFromPoint(x + width / 2, y + height / 2)
        return width > 0 && hit !== null && (each.contains(hit) || hit.contains(each))
      })
    const withToast = pressed()
    for (const each of dismiss)
      each.closest<HTMLElement>('.toast')?.style.setProperty('display', 'none')
    const without = pressed()
    for (const each of dismiss) each.closest<HTMLElement>('.toast')?.style.removeProperty('display')
    if (without.length === 0) throw new Error('Nothing can be pressed on this page')
    return without.filter((each) => !withToast.includes(each)).map((each) => each.outerHTML)
  })
  expect(covered).toEqual([])
}

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox()
  if (!box) throw new Error(`${locator} is not shown`)
  return box
}

async function expectInside(locator: Locator, width: number): Promise<void> {
  const box = await boxOf(locator)
  expect(box.x).toBeGreaterThanOrEqual(0)
  expect(box.x + box.width).toBeLessThanOrEqual(width)
}

/** Puts the newest code on its way to somebody. */
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

import { readFile } from 'node:fs/promises'
import type { BrowserContext, Page } from '@playwright/test'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { LONG_NAME, signIn } from '#tests/e2e/support/dashboard.ts'
import { freshEmail } from '#tests/e2e/support/fresh.ts'
import {
  card,
  dialogOf,
  hold,
  made,
  openDashboard,
  openView,
  openWays,
  toast,
  unfold,
} from '#tests/e2e/support/page.ts'
import { openDatabaseOf, type RunningServer } from '#tests/e2e/support/server.ts'
import { expect, expectReadableInDark, expectWellMade, test } from '#tests/e2e/support/test.ts'
import { insertConversation } from '#tests/support/stored-conversations.ts'

const SEARCHES = [
  ...['my-qrs', 'messages', 'documents', 'gallery', 'analytics'].map(
    (tab) => `/dashboard?tab=${tab}`,
  ),
  '/admin-dashboard',
]
const PREMIUM = { subscription_plan: 'premium' } as const
const PLATE = { vehicle_registration: 'MH12QX4827' }

/** Signs in as somebody whose lists all have a search. */
async function signInToSearch(context: BrowserContext, server: RunningServer) {
  const account = { role: 'super_admin', subscription_plan: 'premium' } as const
  await signIn(context, server, account, [{}, {}], async (db, { id, codes: [code] }) => {
    const about = { account_id: id, qr_id: code?.qr_id ?? '' }
    for (let made = 0; made < 6; made++) await insertConversation(db, about)
  })
}

async function choose(page: Page, name: string, action: string) {
  await card(page, name).getByText('More').click()
  await card(page, name).locator('.menu-list').getByText(action, { exact: true }).click()
}

test('a new owner creates a code through its tabs @both', async ({ page, context }) => {
  const email = freshEmail()
  const sent = await context.request.post('/api/auth/send-otp', { data: { email } })
  const { test_otp: otp } = await sent.json()
  const data = { email, name: 'Ramesh', password: 'correct horse', otp }
  expect((await context.request.post('/api/auth/verify-otp', { data })).status()).toBe(201)

  await openDashboard(page)
  await expect(page.getByRole('heading', { name: 'No QR Codes Yet' })).toBeVisible()
  await page.getByRole('link', { name: 'Create QR Code' }).last().click()
  const dialog = dialogOf(page, 'Create QR Code')
  await dialog.getByLabel('Full Name').fill('Ramesh Kulkarni')
  await dialog.getByLabel('Mobile Number').fill('98765 43210')
  await dialog.getByText('Vehicle', { exact: true }).click()
  await dialog.getByLabel('Vehicle Registration').pressSequentially('mh12qx4827')
  const vehicle = dialog.getByRole('region', { name: 'Vehicle' })
  await expect(vehicle.locator('.plate')).toHaveText('MH 12 QX 4827')
  await expect(dialog.getByLabel('Vehicle Registration')).toHaveCSS('text-transform', 'uppercase')
  await dialog.getByText('Emergency', { exact: true }).click()
  await dialog.getByLabel('Blood Group').selectOption('B+')
  await expect(dialog.getByRole('option', { name: 'Not specified' })).toHaveCount(0)
  await dialog.getByText('Misc', { exact: true }).click()
  await expect(dialog.getByText('4-6 digit PIN')).toBeVisible()
  await expect(dialog.getByLabel('Optional PIN')).toHaveAttribute('type', 'password')
  await dialog.getByLabel('Optional PIN').fill('4829')
  await dialog.getByRole('button', { name: 'Create QR Code' }).click()

  await expect(made(page)).toBeVisible()
  await expect(page.getByRole('main').locator('.plate')).toHaveText('MH 12 QX 4827')
  await openDashboard(page)
  await expect(card(page, 'Ramesh Kulkarni').locator('.plate')).toHaveText('MH 12 QX 4827')
  await expect(page.getByLabel('Plan')).toContainText('1 of 1 QR codes')
})

test('the menu of a card in the first row can be seen whole @both', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server, PREMIUM, [{}, {}, {}])
  await openDashboard(page)
  const first = page.getByRole('article').first()
  await first.getByText('More').click()
  const items = first.locator('.menu-list').locator('a, button').filter({ visible: true })
  for (const item of [items.first(), items.last()]) {
    await expect(item).toBeInViewport({ ratio: 1 })
  }
})

test.describe('the create form', () => {
  test('shows an error when its field loses focus, and opens the tab with the first one when it is sent', async ({
    page,
    context,
    server,
  }) => {
    await signIn(context, server)
    await openDashboard(page, '?create=1')
    const dialog = dialogOf(page)
    const phone = page.getByLabel('Mobile Number')
    await dialog.getByLabel('Full Name').fill('')
    await phone.pressSequentially('12')
    await expect(page.getByText('Please enter a valid mobile number')).toHaveCount(0)
    await dialog.getByRole('radio', { name: /^Finders can call me/ }).focus()
    await expect(page.getByText('Please enter a valid mobile number')).toBeVisible()
    await expect(phone).toHaveAttribute('aria-invalid', 'true')
    await dialog.getByText('Misc', { exact: true }).click()
    await dialog.getByLabel('Optional PIN').fill('12')
    await dialog.getByRole('button', { name: 'Create QR Code' }).click()
    await expect(dialog.getByLabel('Full Name')).toBeFocused()
    await expect(dialog.getByText('Please enter the full name')).toBeVisible()

    await dialog.getByLabel('Full Name').fill('Ramesh')
    await expect(dialog.getByText('Please enter the full name')).toHaveCount(0)
    await dialog.getByLabel('Mobile Number').fill('9876543210')
    await dialog.getByLabel('Mobile Number').press('Enter')
    await expect(dialog.getByLabel('Optional PIN')).toBeFocused()
    await expect(dialog.getByText('PIN must be 4 to 6 digits')).toBeVisible()
  })

  test('keeps the input when the answer breaks off or the connection is lost, and says so', async ({
    page,
    context,
    server,
    problems,
  }) => {
    problems.expect(/ERR_INTERNET_DISCONNECTED/)
    await signIn(context, server)
    await openDashboard(page, '?create=1')
    await page.getByLabel('Full Name').fill('Ramesh')
    await page.getByLabel('Mobile Number').fill('9876543210')
    await page.route('**/dashboard/qr', (route) => route.fulfill({ body: '<main>' }))
    await page.evaluate(() => {
      const read = Response.prototype.text
      Response.prototype.text = () => {
        Response.prototype.text = read
        return Promise.reject(new TypeError('network error'))
      }
    })
    const dialog = dialogOf(page)
    await dialog.getByRole('button', { name: 'Create QR Code' }).click()
    const failed = toast(page, 'Failed to create QR code')
    await expect(failed).toBeVisible()
    await expect(dialog.getByText('What you typed is still here')).toBeVisible()
    await expect(page.getByLabel('Full Name')).toHaveValue('Ramesh')
    await page.unroute('**/dashboard/qr')
    await context.setOffline(true)
    await dialog.getByRole('button', { name: 'Create QR Code' }).click()
    await expect(failed).toBeVisible()
    await context.setOffline(false)
    await dialog.getByRole('button', { name: 'Create QR Code' }).click()
    await expect(made(page)).toBeVisible()
    await expect(failed).toHaveCount(0)
  })

  test('asks before it discards input', async ({ page, context, server }) => {
    await signIn(context, server)
    await openDashboard(page)
    const opener = page.getByRole('link', { name: 'Create QR Code' }).first()
    const dialog = dialogOf(page)
    const openForm = async () => {
      await opener.click()
      await expect(dialog).toBeVisible()
    }
    await openForm()
    const [name, title] = [dialog.getByLabel('Full Name'), dialog.getByRole('heading').first()]
    await name.fill('Ramesh')
    const ways = [
      { leave: () => page.keyboard.press('Escape'), back: name },
      { leave: () => dialog.getByRole('button', { name: 'Close' }).click(), back: title },
      { leave: () => dialog.getByRole('button', { name: 'Cancel' }).click(), back: title },
    ]
    for (const { leave, back } of ways) {
      await leave()
      await expect(dialog.getByText('What you typed is not saved.')).toBeVisible()
      await expect(dialog.getByRole('button', { name: 'Keep editing' })).toBeFocused()
      await dialog.getByRole('button', { name: 'Keep editing' }).press('Enter')
      await expect(back).toBeFocused()
    }
    await expect(dialog.getByLabel('Full Name')).toHaveValue('Ramesh')
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Discard' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(opener).toBeFocused()
    await openForm()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  })
})

test('an edit changes only the edited fields @main', async ({ page, context, server }) => {
  const { codes } = await signIn(context, server, {}, [{ ...PLATE, blood_group: 'A+' }])
  const [before] = codes
  await openDashboard(page)
  await card(page, 'Ramesh').getByRole('link', { name: 'Edit' }).first().click()
  const dialog = dialogOf(page, 'Edit QR Code')
  await unfold(dialog)
  await dialog.getByRole('textbox', { name: 'City / Area' }).fill('  Pune ')
  await dialog.getByText('Emergency', { exact: true }).click()
  await dialog.getByLabel('Blood Group').selectOption('Not specified')
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect(toast(page, 'QR code updated successfully!')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'MH 12 QX 4827' })).toBeFocused()
  const { db, close } = await openDatabaseOf(server)
  const [after] = await db
    .selectFrom('qr_codes')
    .selectAll()
    .where('id', '=', before?.id ?? '')
    .execute()
  await close()
  const { updated_at, ...changed } = { ...before, city_area: 'Pune', blood_group: null }
  expect(after).toMatchObject(changed)
  expect(after?.updated_at).not.toBe(updated_at)
})

test('a code is deactivated, activated, and deleted only after a confirmation @main', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server, {}, [PLATE])
  await openDashboard(page)
  await choose(page, 'Ramesh', 'Deactivate')
  await expect(card(page, 'Ramesh').getByText('Inactive')).toBeVisible()
  await expect(toast(page, 'QR code updated successfully!')).toBeVisible()
  await choose(page, 'Ramesh', 'Activate')
  await expect(card(page, 'Ramesh').getByText('Active', { exact: true })).toBeVisible()
  await choose(page, 'Ramesh', 'Delete')
  const dialog = dialogOf(page, 'Delete this QR code?')
  for (const gone of [
    'the QR and its scan page',
    'all documents',
    'scan history and analytics',
    'sharing links',
    'conversations with finders',
  ]) {
    await expect(dialog.getByText(gone)).toBeVisible()
  }
  await dialog.getByRole('button', { name: 'Keep QR Code' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(card(page, 'Ramesh')).toBeVisible()
  await choose(page, 'Ramesh', 'Delete')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(toast(page, 'QR code deleted successfully!')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No QR Codes Yet' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'My QR Codes' })).toBeFocused()
})

test('Bulk Create and Child QRs create the requested number, within their limits', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(/status of 400/)
  await signIn(context, server, PREMIUM)
  const openChildQrs = async () => {
    const link = page.getByRole('link', { name: 'Child QRs' })
    if (!(await link.isVisible())) await openWays(page)
    await link.click()
  }
  await openDashboard(page)
  await openWays(page)
  await page.getByRole('link', { name: 'Bulk Create' }).click()
  const dialog = dialogOf(page)
  await expect(dialog.getByLabel('Quantity')).toHaveValue('10')
  await dialog.getByLabel('Quantity').fill('51')
  await dialog.getByRole('button', { name: 'Create QR codes' }).click()
  await expect(dialog.getByText('Quantity must be between 1 and 50')).toBeVisible()
  await dialog.getByLabel('Quantity').fill('13')
  await dialog.getByRole('button', { name: 'Create QR codes' }).click()
  await expect(dialogOf(page, '13 created')).toBeVisible()
  // The next dialog does not cover it.
  await expect(toast(page, '13 QR codes created successfully!')).toBeVisible()
  await dialogOf(page, '13 created').getByText('Done').click()
  await expect(page.getByRole('article')).toHaveCount(12)
  await expect(page.getByText('Page 1 of 2')).toBeVisible()

  await openChildQrs()
  await dialog.getByLabel('Quantity').fill('2')
  await dialog.getByRole('button', { name: 'Create child QR codes' }).click()
  await expect(toast(page, '2 child QR codes created successfully!')).toBeVisible()
  await dialogOf(page, '2 created').getByText('Done').click()
  await openChildQrs()
  await expect(dialog.getByText('48 child QRs left')).toBeVisible()
})

test('a search by plate works, and Clear Search and going back show the list again', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server, {}, [PLATE, { owner_name: 'Ayesha Siddiqui' }])
  await openDashboard(page)
  await page.getByRole('searchbox').fill('mh 12')
  await page.getByRole('searchbox').press('Enter')
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(card(page, 'Ramesh')).toBeVisible()
  await page.getByRole('searchbox').fill('scooty')
  await page.getByRole('searchbox').press('Enter')
  await expect(page.getByRole('heading', { name: 'No QR codes found' })).toBeVisible()
  await page.getByRole('link', { name: 'Clear Search' }).click()
  await expect(page.getByRole('article')).toHaveCount(2)
  await page.getByRole('searchbox').fill('mh 12')
  await page.getByRole('searchbox').press('Enter')
  await expect(page.getByRole('article')).toHaveCount(1)
  await page.goBack()
  await expect(page.getByRole('article')).toHaveCount(2)
  await expect(page.getByRole('searchbox')).toHaveValue('')
  await page.goForward()
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(page.getByRole('searchbox')).toHaveValue('mh 12')
})

test('the chosen layout is remembered, and a small phone shows two small cards per row', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server, PREMIUM, [PLATE, { owner_name: 'Meera' }])
  await page.setViewportSize({ width: 360, height: 740 })
  await openDashboard(page, '?layout=grid-small')
  const [first, second] = await Promise.all(
    ['Ramesh', 'Meera'].map((name) => card(page, name).boundingBox()),
  )
  expect(first?.y).toBe(second?.y)
  const openList = async () => {
    await openView(page)
    return page.getByRole('link', { name: 'List' })
  }
  await (await openList()).click()
  await page.goto('/dashboard')
  await expect(await openList()).toHaveAttribute('aria-current', 'true')
})

test('images are downloaded with 15 pixels per module from a card, with 25 from the full-size dialog, or an error shows', async ({
  page,
  context,
  server,
  problems,
}) => {
  const { codes } = await signIn(context, server, {}, [{}])
  const id = formatQrId(codes[0]?.qr_id ?? '')
  await openDashboard(page)
  const fromCard = page.waitForEvent('download')
  await card(page, 'Ramesh').getByRole('link', { name: 'SVG' }).click()
  const svg = await fromCard
  expect(svg.suggestedFilename()).toBe(`DriveQR-${id}.svg`)
  const small = widthOf(await readFile(await svg.path(), 'utf8'))
  await page.getByRole('link', { name: `Show QR code ${id} full size` }).click()
  const fromDialog = page.waitForEvent('download')
  await dialogOf(page).getByRole('link', { name: 'SVG' }).click()
  const large = widthOf(await readFile(await (await fromDialog).path(), 'utf8'))
  expect(large / small).toBeCloseTo(25 / 15)
  await openDashboard(page, `?show=${codes[0]?.qr_id}`)
  await page.keyboard.press('Escape')
  await expect(dialogOf(page)).toHaveCount(0)
  expect(new URL(page.url()).search).toBe('')
  problems.expect(/ERR_FAILED/)
  await page.route('**/api/qr/*/download*', (route) => route.abort())
  await card(page, 'Ramesh').getByRole('link', { name: 'PNG' }).click()
  await expect(toast(page, 'Failed to download QR code')).toBeVisible()
})

function widthOf(svg: string): number {
  return Number(/ width="(\d+)"/.exec(svg)?.[1])
}

test('sharing falls back to copying the link of the scan page; WhatsApp gets it after the image', async ({
  page,
  context,
  server,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { codes } = await signIn(context, server, PREMIUM, [{}])
  const link = `${server.url}/scan/${codes[0]?.qr_id}`
  await openDashboard(page)
  await page.evaluate(() => {
    navigator.share = () => Promise.reject(new TypeError('no files'))
  })
  await card(page, 'Ramesh').getByRole('button', { name: 'Share' }).click()
  const copied = 'Unable to share file. Copying link instead. Link copied'
  await expect(toast(page, copied)).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await choose(page, 'Ramesh', 'Copy Link')
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(link)
  await context.route('https://wa.me/**', (route) => route.fulfill({ body: 'WhatsApp' }))
  const download = page.waitForEvent('download')
  const opened = context.waitForEvent('page')
  await choose(page, 'Ramesh', 'WhatsApp')
  expect((await download).suggestedFilename()).toMatch(/\.png$/)
  expect(decodeURIComponent((await opened).url())).toContain(link)
})

test('Preview opens the scan page in a new tab, and counts no scan', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server, {}, [{}])
  await openDashboard(page)
  const opened = context.waitForEvent('page')
  await choose(page, 'Ramesh', 'Preview')
  await expect((await opened).getByText('Ramesh Kulkarni').first()).toBeVisible()
  await page.reload()
  await expect(card(page, 'Ramesh')).toContainText('0 scans')
})

test('a code is created and deleted by keyboard only @main', async ({ page, context, server }) => {
  await signIn(context, server)
  await openDashboard(page)
  await page.getByRole('link', { name: 'Create QR Code' }).first().focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Create QR Code' })).toBeFocused()
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  await press('Tab', 'Tab')
  await expect(page.getByRole('radio', { name: 'Basic Info' })).toBeFocused()
  await press('Tab')
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('Ramesh Kulkarni')
  await press('Tab')
  await page.keyboard.type('9876543210')
  await press('Shift+Tab', 'Shift+Tab', 'ArrowRight')
  await expect(page.getByLabel('Vehicle Registration')).toBeVisible()
  await press('Tab')
  await page.keyboard.type('mh12qx4827')
  await press('Enter')
  await expect(made(page)).toBeVisible()

  await openDashboard(page)
  await card(page, 'Ramesh').locator('summary').focus()
  await press('Enter')
  await card(page, 'Ramesh').getByRole('link', { name: 'Delete' }).focus()
  await press('Enter')
  await expect(page.getByRole('heading', { name: 'Delete this QR code?' })).toBeFocused()
  await press('Escape')
  await expect(dialogOf(page)).toHaveCount(0)
  await expect(card(page, 'Ramesh').locator('summary')).toBeFocused()
  await press('Enter')
  await card(page, 'Ramesh').getByRole('link', { name: 'Delete' }).focus()
  await press('Enter')
  await expect(page.getByRole('heading', { name: 'Delete this QR code?' })).toBeFocused()
  await press('Tab', 'Tab')
  await expect(page.getByRole('button', { name: 'Keep QR Code' })).toBeFocused()
  await press('Tab', 'Enter')
  await expect(page.getByRole('heading', { name: 'No QR Codes Yet' })).toBeVisible()
})

test('a dialog requested twice on a slow connection opens once', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server)
  await openDashboard(page)
  const answers: (() => void)[] = []
  await page.route(/part=dialog/, async (route) => {
    await new Promise<void>((resolve) => answers.push(resolve))
    await route.continue()
  })
  const opener = page.getByRole('link', { name: 'Create QR Code' }).first()
  await opener.click()
  await opener.click()
  await expect.poll(() => answers.length).toBeGreaterThan(0)
  answers[0]?.()
  await expect(dialogOf(page, 'Create QR Code')).toBeVisible()
  expect(answers).toHaveLength(1)
})

test('of two dialogs requested on a slow connection the last one opens, and stays', async ({
  page,
  context,
  server,
}) => {
  const { codes } = await signIn(context, server, PREMIUM, [{}, { owner_name: 'Meera' }])
  await openDashboard(page)
  const slow = `edit=${codes[0]?.qr_id}`
  const answer = await hold(page, `**/dashboard?*${slow}*`)
  await card(page, 'Ramesh').getByRole('link', { name: 'Edit' }).first().click()
  await card(page, 'Meera').getByRole('link', { name: 'Edit' }).first().click()
  const name = dialogOf(page, 'Edit QR Code').getByLabel('Full Name')
  await expect(name).toHaveValue('Meera')
  await name.fill('Meera Joshi')
  const late = page.waitForResponse((response) => response.url().includes(slow))
  answer()
  await (await late).finished()
  await page.evaluate(() => fetch('/healthz').then(({ ok }) => ok))
  await expect(name).toHaveValue('Meera Joshi')
})

const MADE_FOR_EVERYBODY = [
  { ...PLATE, owner_name: LONG_NAME },
  { is_active: 0, owner_name: null, is_claimed: 0 },
] as const

async function expectPagesWellMade(page: Page, queries: string[]) {
  for (const query of queries) {
    await test.step(`?${query}`, async () => {
      await openDashboard(page, `?${query}`)
      await expectWellMade(page)
    })
  }
}

test('the pages are accessible @both @slow', async ({ page, context, server }) => {
  await signIn(context, server, PREMIUM, [...MADE_FOR_EVERYBODY])
  await expectPagesWellMade(page, ['layout=grid-small', 'layout=list', 'q=nothing', ''])
  await expectReadableInDark(page)
  await signIn(context, server)
  await expectPagesWellMade(page, [''])
})

test('the dialogs are accessible @both @slow', async ({ page, context, server }) => {
  const { codes } = await signIn(context, server, PREMIUM, [...MADE_FOR_EVERYBODY])
  const id = codes[1]?.qr_id
  await expectPagesWellMade(page, ['bulk=1', 'child=1', `edit=${id}`, `delete=${id}`])
  await expectPagesWellMade(page, [`made=${id}`, 'labels=1&sheet=l7160&start=5', `show=${id}`])
  await expect(dialogOf(page).getByRole('button', { name: 'Close' })).toBeInViewport({ ratio: 1 })
  await openDashboard(page, '?create=1')
  await page.getByLabel('Full Name').fill('')
  await page.getByLabel('Mobile Number').fill('12')
  await dialogOf(page).getByRole('button', { name: 'Create QR Code' }).click()
  await expect(page.getByText('Please enter the full name')).toBeVisible()
  await expectWellMade(page)
})

test('all scripts of the dashboard are at most 110 KB', async ({ page, context, server }) => {
  const { codes } = await signIn(context, server, PREMIUM, [{}])
  await page.setExtraHTTPHeaders({ 'Accept-Encoding': 'gzip' })
  for (const query of ['create=1', `delete=${codes[0]?.qr_id}`, 'bulk=1']) {
    await openDashboard(page, `?${query}`)
    // A script that is prefetched and imported later has two entries.
    const bytes = await page.evaluate(() => {
      const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
      const scripts = entries.filter(({ name }) => name.endsWith('.js'))
      const sizes = new Map(scripts.map(({ name, encodedBodySize }) => [name, encodedBodySize]))
      return [...sizes.values()].reduce((sum, size) => sum + size, 0)
    })
    expect(bytes).toBeGreaterThan(5_000)
    expect(bytes).toBeLessThanOrEqual(110 * 1024)
  }
})

test('with script no search and no switch has a button', async ({ page, context, server }) => {
  await signInToSearch(context, server)
  for (const path of SEARCHES) {
    await page.goto(path)
    await expect(page.getByRole('searchbox')).toBeVisible()
    await expect(page.locator('.without-script').filter({ visible: true })).toHaveCount(0)
  }
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('a code is created, edited, deactivated and deleted', async ({
    page,
    context,
    server,
    problems,
  }) => {
    problems.expect(/status of 400/)
    await signIn(context, server)
    await page.goto('/dashboard')
    await page.getByRole('link', { name: 'Create QR Code' }).first().click()
    await page.getByLabel('Full Name').fill('Ramesh Kulkarni')
    await page.getByLabel('Mobile Number').fill('12')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Create QR Code' }).click()
    await expect(page.getByText('Please enter a valid mobile number')).toBeVisible()
    await expect(page.getByLabel('Full Name')).toHaveValue('Ramesh Kulkarni')
    await page.getByLabel('Mobile Number').fill('9876543210')
    await dialog.getByRole('button', { name: 'Create QR Code' }).click()
    await expect(made(page)).toBeVisible()
    await page.goto('/dashboard')
    await card(page, 'Ramesh').getByText('More').click()
    await expect(page.getByRole('link', { name: 'Preview' })).toBeVisible()
    for (const name of ['Share', 'Copy Link']) {
      await expect(page.getByRole('button', { name })).toBeHidden()
    }

    await card(page, 'Ramesh').getByRole('link', { name: 'Edit' }).first().click()
    await unfold(dialog)
    await page.getByLabel('Email').fill('ramesh@example.in')
    await dialog.getByRole('button', { name: 'Save Changes' }).click()
    await expect(card(page, 'Ramesh')).toContainText('ramesh@example.in')

    await choose(page, 'Ramesh', 'Deactivate')
    await expect(card(page, 'Ramesh').getByText('Inactive')).toBeVisible()

    await choose(page, 'Ramesh', 'Delete')
    await dialog.getByRole('button', { name: 'Keep QR Code' }).click()
    await expect(dialog).toBeHidden()
    await choose(page, 'Ramesh', 'Delete')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByRole('heading', { name: 'No QR Codes Yet' })).toBeVisible()
  })

  test('a search has room, and its button after it', async ({ page, context, server }) => {
    await signInToSearch(context, server)
    for (const path of SEARCHES) {
      await page.goto(path)
      const field = await page.getByRole('searchbox').boundingBox()
      const button = await page.getByRole('button', { name: 'Show' }).first().boundingBox()
      if (!field || !button) throw new Error(`No search on ${path}`)
      expect([path, field.width > 150]).toEqual([path, true])
      const isAfter = button.x >= field.x + field.width || button.y >= field.y + field.height
      expect([path, isAfter]).toEqual([path, true])
    }
  })
})

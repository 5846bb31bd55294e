import type { Page } from '@playwright/test'
import { addDays } from '#domain/papers/due.ts'
import { signIn } from '#tests/e2e/support/dashboard.ts'
import { imageFile, uploadDocument } from '#tests/e2e/support/documents.ts'
import {
  card,
  openDashboard,
  openReady,
  openView,
  openWays,
  toast,
} from '#tests/e2e/support/page.ts'
import {
  expect,
  expectNoSideways,
  expectReadableInDark,
  expectWellMade,
  test,
} from '#tests/e2e/support/test.ts'

/** Far enough from midnight in every zone that a test takes place in. */
const inDays = (days: number) => addDays(new Date().toISOString().slice(0, 10), days)

const PREMIUM = {
  subscription_plan: 'premium',
  subscription_ends_at: `${inDays(200)}T00:00:00.000Z`,
} as const
const CODES = [
  {
    vehicle_make_model: 'Maruti Suzuki Swift VXi',
    vehicle_registration: 'MH12QX4827',
    contact_mode: 'relay',
    email: 'ramesh.k@example.in',
    emergency_contact_name: 'Sunita Kulkarni',
    next_service_due: inDays(5),
  },
  {
    vehicle_make_model: 'Tata Nexon EV',
    vehicle_registration: 'MH12TN9008',
    insurance_expiry_date: inDays(-3),
    company_fleet_name: 'Kulkarni Traders',
  },
  { vehicle_make_model: 'Hyundai Creta SX', lost_since: new Date().toISOString() },
  { vehicle_registration: 'MH12DE1964', is_active: 0 },
  {},
] as const
const LAYOUTS = ['grid-small', 'grid-medium', 'grid-large', 'list']

test('the first card begins near the top of the screen @both', async ({
  page,
  context,
  server,
  isMobile,
}) => {
  // The only account of a server is offered the administration above its cards.
  await signIn(context, server)
  await signIn(context, server, PREMIUM, [...CODES])
  await openDashboard(page)
  await expect(page.getByRole('link', { name: /^Due soon: Insurance expired/ })).toBeVisible()
  const box = await page.getByRole('article').first().boundingBox()
  expect(box?.y).toBeGreaterThan(200)
  expect(box?.y).toBeLessThanOrEqual(isMobile ? 500 : 420)
})

test('an account without a code sees three steps, a way to claim a tag and its plan @both', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server)
  await openDashboard(page)
  await expect(page.getByRole('heading', { level: 3 })).toHaveText([
    'Make your code',
    'Print it',
    'Try it',
  ])
  await expect(page.getByRole('searchbox')).toHaveCount(0)
  await expect(page.getByLabel('Plan')).toHaveText('Free0 of 1 QR codesUpgrade')
  await openWays(page)
  await expect(page.getByRole('link', { name: 'Bulk Create' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Child QRs' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('link', { name: 'Bulk Create' })).toBeHidden()
  await page.getByText('You already have a tag?').click()
  await expectWellMade(page)
  await expectReadableInDark(page)
})

test('the owner of a printed tag types its code to claim it', async ({ page, context, server }) => {
  const seller = await signIn(context, server, PREMIUM, [
    { is_claimed: 0, owner_name: null, contact_phone: null },
  ])
  await signIn(context, server)
  await openDashboard(page)
  await page.getByText('You already have a tag?').click()
  await page.getByLabel('Code on the tag').fill(seller.codes[0]?.qr_id.toLowerCase() ?? '')
  await page.getByRole('button', { name: 'Claim QR Code' }).click()
  await expect(page.getByRole('heading', { name: 'Claim this QR code' })).toBeVisible()
})

test('the cards fit every screen in each layout, mirrored too @both', async ({
  page,
  context,
  server,
  isMobile,
}) => {
  await signIn(context, server, PREMIUM, [...CODES])
  if (isMobile) await page.setViewportSize({ width: 320, height: 640 })
  for (const layout of LAYOUTS) {
    await test.step(layout, async () => {
      await openDashboard(page, `?layout=${layout}`)
      await expectWellMade(page)
      await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
      await expectNoSideways(page)
      expect(await overlaps(page)).toEqual([])
    })
  }
  await openDashboard(page, '?layout=grid-medium')
  await expectReadableInDark(page)
})

/** The parts of a card that lie over each other. */
function overlaps(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('.code')].flatMap((card) => {
      const parts = [
        ...card.querySelectorAll('.qr-frame, .code-top > *, .code-lines > span, .tool'),
      ]
      const boxes = parts.map((part) => part.getBoundingClientRect())
      return parts.flatMap((part, n) =>
        boxes
          .slice(n + 1)
          .filter((box) => {
            const own = boxes[n] as DOMRect
            const [across, down] = [
              Math.min(own.right, box.right) - Math.max(own.left, box.left),
              Math.min(own.bottom, box.bottom) - Math.max(own.top, box.top),
            ]
            return across > 1 && down > 1
          })
          .map(() => part.outerHTML.slice(0, 80)),
      )
    }),
  )
}

test('the choices of the list are in a menu that stays open, and work without script', async ({
  page,
  context,
  server,
  browser,
}) => {
  await signIn(context, server, PREMIUM, [...CODES])
  await openDashboard(page)
  await openView(page)
  const show = page.getByRole('combobox', { name: 'Show' })
  await show.click()
  await expect(show).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(show).toBeHidden()
  await openView(page)
  await page.getByRole('combobox', { name: 'Sort' }).selectOption('title')
  await expect(page.getByRole('article').first()).toHaveAccessibleName(/^Hyundai Creta SX/)

  const bare = await browser.newContext({
    javaScriptEnabled: false,
    baseURL: server.url,
    viewport: { width: 390, height: 844 },
    storageState: await context.storageState(),
  })
  const still = await bare.newPage()
  await still.goto('/dashboard')
  await still.locator('.finds summary').click()
  await still.getByRole('combobox', { name: 'Show' }).selectOption('lost')
  await still.locator('.menu-list.view').getByRole('button', { name: 'Show' }).click()
  await expect(still.getByRole('article')).toHaveCount(1)
  await bare.close()
})

test('on the free plan Share copies the link, and WhatsApp and Email lead to the plans', async ({
  page,
  context,
  server,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { codes } = await signIn(context, server, {}, [{}])
  await openDashboard(page)
  await card(page, 'Ramesh').getByRole('button', { name: 'Share' }).click()
  await expect(toast(page, 'Link copied')).toBeVisible()
  const link = `${server.url}/scan/${codes[0]?.qr_id}`
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
  await card(page, 'Ramesh').getByText('More').click()
  await page.getByRole('link', { name: 'WhatsApp and Email with Premium' }).click()
  await expect(page.getByRole('dialog', { name: 'Upgrade' })).toBeVisible()
})

test('a menu of a card opens where the screen has room, and the page stays where it is @both', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server, PREMIUM, [...CODES])
  await openDashboard(page)
  for (const [block, isAbove] of [
    ['end', true],
    ['start', false],
    ['center', undefined],
  ] as const) {
    await test.step(`control at the ${block} of the screen`, async () => {
      const control = page.getByRole('article').nth(2).locator('summary')
      await control.evaluate((each, at) => each.scrollIntoView({ block: at }), block)
      const before = await control.boundingBox()
      await control.click()
      const list = page.locator('.menu[open] .menu-list')
      await expect(list).toBeInViewport({ ratio: 1 })
      expect(await control.boundingBox()).toEqual(before)
      const [shown, pressed] = [await list.boundingBox(), before]
      const isOver = (shown?.y ?? 0) < (pressed?.y ?? 0)
      if (isAbove !== undefined) expect(isOver).toBe(isAbove)
      const gap = isOver
        ? (pressed?.y ?? 0) - ((shown?.y ?? 0) + (shown?.height ?? 0))
        : (shown?.y ?? 0) - ((pressed?.y ?? 0) + (pressed?.height ?? 0))
      expect(gap).toBeGreaterThanOrEqual(0)
      const last = list.getByRole('link', { name: 'Delete' })
      await last.scrollIntoViewIfNeeded()
      expect(await control.boundingBox()).toEqual(before)
      await page.keyboard.press('Escape')
      await expect(list).toBeHidden()
    })
  }
})

test('every act on the selected codes is in sight @both', async ({ page, context, server }) => {
  await signIn(context, server, PREMIUM, [...CODES])
  await openDashboard(page, '?select=1')
  const bar = page.getByRole('region', { name: 'Selected codes' })
  for (const name of ['Activate', 'Deactivate', 'Print labels', 'ZIP', 'Set fleet', 'Delete']) {
    await expect(bar.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 })
  }
  await expectWellMade(page)
})

test('on a phone the chosen filter is said where it is changed', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server, PREMIUM, [...CODES])
  await openDashboard(page, '?filter=due')
  await expect(page.locator('.finds summary')).toHaveText('Due soon')
})

test('the Upgrade link of the bar keeps the focus while a result is shown', async ({
  page,
  context,
  server,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(context, server, {}, [{}])
  await openDashboard(page)
  await card(page, 'Ramesh').getByRole('button', { name: 'Share' }).click()
  await expect(toast(page, 'Link copied')).toBeVisible()
  const upgrade = page.locator('.topbar .btn-brand')
  await upgrade.focus()
  await expect(upgrade).toBeFocused()
})

test('a photo of the vehicle stands on its card, and the card is no higher with it @both', async ({
  page,
  context,
  server,
}) => {
  const { codes } = await signIn(context, server, PREMIUM, [...CODES])
  await openDashboard(page)
  const mine = card(page, 'Tata Nexon')
  const height = async () => (await mine.boundingBox())?.height
  const before = await height()
  const photo = await imageFile('car.png')
  await uploadDocument(page, codes[1]?.qr_id ?? '', { document_type: 'vehicle_photo' }, photo)
  await openReady(page, '/dashboard')
  const image = mine.locator('.code-photo')
  await expect(image).toHaveJSProperty('complete', true)
  await expect
    .poll(() => image.evaluate((each: HTMLImageElement) => each.naturalWidth))
    .toBeGreaterThan(0)
  expect(await height()).toBe(before)
  const src = (await image.getAttribute('src')) ?? ''
  await context.clearCookies()
  expect((await page.request.get(src)).status()).toBe(404)
})

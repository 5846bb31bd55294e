import type { Locator, Page } from '@playwright/test'
import { decode } from '#tests/e2e/support/decode.ts'
import { freshEmail } from '#tests/e2e/support/fresh.ts'
import { dialogOf, untilReady } from '#tests/e2e/support/page.ts'
import { expect, expectWellMade, test } from '#tests/e2e/support/test.ts'

const MOST_TAPS = 12
const OWNER = { name: 'Priya Kulkarni', phone: '98765 43211', password: 'correct horse' }

/** Counts the taps of a walk; typing is none. */
function countTaps() {
  let taps = 0
  return {
    tap: async (target: Locator) => {
      taps++
      await target.click()
    },
    count: () => taps,
  }
}

type Tap = ReturnType<typeof countTaps>['tap']

/** Walks from the landing page to an account, whose one-time code is typed or filled in. */
async function register(page: Page, tap: Tap, enterOtp: () => Promise<void>): Promise<void> {
  await page.goto('/')
  await tap(page.getByRole('link', { name: 'Create My QR Code' }))
  await tap(page.getByRole('link', { name: 'Register with Email OTP' }))
  await untilLoaded(page)
  await page.getByLabel('Email').fill(freshEmail())
  await tap(page.getByRole('button', { name: 'Send OTP' }))
  await enterOtp()
  await page.getByLabel('Full Name').fill(OWNER.name)
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password)
  await page.getByLabel('Confirm Password').fill(OWNER.password)
  await tap(page.getByRole('button', { name: 'Verify & Register' }))
  await expect(page).toHaveURL('/dashboard')
}

/** Walks from the empty dashboard to the page of the first code. */
async function create(page: Page, tap: Tap): Promise<void> {
  await untilLoaded(page)
  await tap(page.getByRole('link', { name: 'Create QR Code' }).last())
  const dialog = page.getByRole('dialog', { name: 'Create QR Code' })
  await expect(dialog.getByLabel('Full Name')).toHaveValue(OWNER.name)
  await dialog.getByLabel('Mobile Number').fill(OWNER.phone)
  await tap(dialog.getByRole('button', { name: 'Create QR Code' }))
  await expect(page.getByRole('heading', { name: 'Your code is ready' })).toBeVisible()
}

/** Prints the label sheet, and returns its name. */
async function print(page: Page, tap: Tap): Promise<string> {
  await untilLoaded(page)
  await tap(page.getByRole('link', { name: 'Print label sheet' }))
  const dialog = page.getByRole('dialog', { name: 'Print label' })
  const downloading = page.waitForEvent('download')
  await tap(dialog.getByRole('button', { name: 'Download PDF' }))
  return (await downloading).suggestedFilename()
}

async function untilLoaded(page: Page): Promise<void> {
  if (await page.evaluate(() => matchMedia('(scripting: enabled)').matches)) await untilReady(page)
}

/** The line about the first scan. */
const line = (page: Page) => page.getByRole('status').filter({ hasText: /first scan|It works/ })
const step = (page: Page, name: string) =>
  page.locator('.lane').getByRole('listitem').filter({ hasText: name })

test('an owner has the first code printed and tried within twelve taps @main', async ({
  page,
  browser,
}) => {
  const { tap, count } = countTaps()
  await register(page, tap, () => tap(page.getByRole('button', { name: 'Click to Auto-Fill OTP' })))
  await create(page, tap)
  await expectWellMade(page)
  expect(await print(page, tap)).toBe('DriveQR-labels.pdf')
  expect(count()).toBeLessThanOrEqual(MOST_TAPS)

  await expect(step(page, 'Print it')).toContainText('Done')
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await expect(line(page)).toHaveText('Waiting for the first scan')
  const address = await decode(await page.locator('.qr-frame img').screenshot())
  const stranger = await browser.newContext()
  const found = await stranger.newPage()
  await found.goto(address)
  await stranger.close()
  await expect(line(page)).toHaveText('It works. Scanned just now')
  await expect(step(page, 'Try it')).toContainText('Done')
})

test('an owner who is signed in on the phone sees the line turn, and no scan is counted', async ({
  page,
}) => {
  await register(page, countTaps().tap, () =>
    page.getByRole('button', { name: 'Click to Auto-Fill OTP' }).click(),
  )
  await create(page, countTaps().tap)
  await untilReady(page)
  await expect(line(page)).toHaveText('Waiting for the first scan')
  const [, qrId] = page.url().match(/qr\/(\w+)\/made/) ?? []
  const preview = await page.context().newPage()
  await preview.goto(`/scan/${qrId}?preview=1`)
  await preview.close()
  await page.reload()
  await untilReady(page)
  await expect(line(page)).toHaveText('Waiting for the first scan')
  await page.request.get(`/scan/${qrId}`)
  await expect(line(page)).toHaveText('It works. Scanned just now')
  await page.getByRole('main').getByRole('link', { name: 'My QR Codes' }).click()
  await expect(page.getByText('0 scans')).toBeVisible()
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('an owner has the first code printed within twelve taps', async ({ page }) => {
    const { tap, count } = countTaps()
    await register(page, tap, async () => {
      const shown = await page.getByRole('region', { name: 'Test mode' }).textContent()
      const [, ...halves] = shown?.match(/(\d{3}) (\d{3})/) ?? []
      await page.getByLabel('6-digit OTP').fill(halves.join(''))
    })
    await create(page, tap)
    await expect(line(page)).toHaveText('Waiting for the first scan')
    const made = page.url()
    expect(await print(page, tap)).toBe('DriveQR-labels.pdf')
    expect(count()).toBeLessThanOrEqual(MOST_TAPS)
    await page.goto(made)
    await expect(step(page, 'Print it')).toContainText('Done')
  })
})

test('the way to the owner is one choice in two places, and the preview follows it @both', async ({
  page,
}) => {
  await register(page, countTaps().tap, () =>
    page.getByRole('button', { name: 'Click to Auto-Fill OTP' }).click(),
  )
  await untilReady(page)
  await page.getByRole('link', { name: 'Create QR Code' }).last().click()
  const dialog = dialogOf(page, 'Create QR Code')
  await expect(dialog.getByText('More (vehicle, emergency, private notes)')).toBeVisible()
  await dialog.getByLabel('Mobile Number').fill(OWNER.phone)
  await dialog.getByText('Finder', { exact: true }).click()
  const finder = dialog.getByRole('region', { name: 'Finder' })
  await expect(finder.getByText('Call owner')).toBeVisible()
  await finder.getByText('Finders write to me first.').click()
  await expect(finder.getByText('Call owner')).toBeHidden()
  await dialog.getByText('Basic Info', { exact: true }).click()
  await expect(dialog.getByRole('radio', { name: /^Finders write to me first/ })).toBeChecked()
})

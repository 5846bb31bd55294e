import { mkdtempSync, readdirSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decode } from '#tests/e2e/support/decode.ts'
import { freshEmail } from '#tests/e2e/support/fresh.ts'
import { dialogOf, untilReady } from '#tests/e2e/support/page.ts'
import { startServer } from '#tests/e2e/support/server.ts'
import { expect, test } from '#tests/e2e/support/test.ts'
import { isOnPostgres } from '#tests/support/postgres.ts'

const OWNER = { name: 'Ramesh Kulkarni', phone: '98765 43210' }
const FINDER = { javaScriptEnabled: false, viewport: { width: 390, height: 844 }, isMobile: true }

test('an owner registers and creates a code; a stranger scans it and reaches the owner @both', async ({
  page,
  browser,
  server,
}) => {
  await page.goto('/')
  await page.getByRole('link', { name: 'Create My QR Code' }).click()
  await page.getByRole('link', { name: 'Register with Email OTP' }).click()
  await untilReady(page)
  await page.getByLabel('Email').fill(freshEmail())
  await page.getByRole('button', { name: 'Send OTP' }).click()
  await page.getByRole('button', { name: 'Click to Auto-Fill OTP' }).click()
  await page.getByLabel('Full Name').fill(OWNER.name)
  await page.getByLabel('Password', { exact: true }).fill('correct horse')
  await page.getByLabel('Confirm Password').fill('correct horse')
  await page.getByRole('button', { name: 'Verify & Register' }).click()
  await expect(page).toHaveURL('/dashboard')

  await page.getByRole('link', { name: 'Create QR Code' }).last().click()
  const dialog = dialogOf(page, 'Create QR Code')
  await dialog.getByLabel('Mobile Number').fill(OWNER.phone)
  await dialog.getByRole('button', { name: 'Create QR Code' }).click()
  await page.getByRole('main').getByRole('link', { name: 'My QR Codes' }).click()
  const card = page.getByRole('article', { name: OWNER.name })
  await expect(card.getByText('0 scans')).toBeVisible()

  const downloading = page.waitForEvent('download')
  await card.getByRole('link', { name: 'PNG' }).click()
  const picture = await readFile(await (await downloading).path())
  const address = await decode(picture)
  expect(address).toMatch(new RegExp(`^${server.url}/scan/[0-9A-HJKMNP-TV-Z]{12}$`))

  const stranger = await browser.newContext(FINDER)
  const found = await stranger.newPage()
  await found.goto(address)
  await expect(found.getByText(OWNER.name)).toBeVisible()
  await expect(found.getByText('This key belongs to a wonderful human being.')).toBeVisible()
  const call = found.getByRole('link', { name: /Call owner/ })
  await expect(call).toHaveAttribute('href', 'tel:+919876543210')
  await stranger.close()

  await page.reload()
  await expect(page.getByRole('article', { name: OWNER.name }).getByText('1 scan')).toBeVisible()
})

test('only its own user can read what the server writes', async () => {
  const server = await startServer({}, mkdtempSync(join(tmpdir(), 'driveqr-e2e-')))
  expect((await fetch(`${server.url}/login`)).status).toBe(200)
  const names = readdirSync(server.dataDir, { recursive: true, encoding: 'utf8' })
  const database = isOnPostgres() ? [] : ['driveqr.db', 'driveqr.db-wal']
  expect(names).toEqual(expect.arrayContaining([...database, 'install-id', 'lock']))
  const isOpen = (name: string) => (statSync(join(server.dataDir, name)).mode & 0o077) !== 0
  expect(names.filter(isOpen)).toEqual([])
  await server.stop()
})

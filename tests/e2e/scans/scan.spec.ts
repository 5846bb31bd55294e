import { insertAccount } from '#db/accounts/accounts.ts'
import { createSessions } from '#db/accounts/sessions.ts'
import type { Db } from '#db/client.ts'
import { hashPin } from '#db/codes/pins.ts'
import type { QrCode } from '#db/schema.ts'
import { loadSecretKey } from '#db/secrets.ts'
import { LONG_NAME } from '#tests/e2e/support/dashboard.ts'
import { freshEmail } from '#tests/e2e/support/fresh.ts'
import { openDatabaseOf, type RunningServer } from '#tests/e2e/support/server.ts'
import { expect, expectNoSideways, expectWellMade, test } from '#tests/e2e/support/test.ts'
import { insertCode } from '#tests/support/codes.ts'

const FULL: Partial<QrCode> = {
  email: 'ramesh@example.in',
  city_area: 'Kothrud, Pune',
  vehicle_registration: 'MH12QX4827',
  vehicle_make_model: 'Maruti Suzuki Swift VXi',
  emergency_contact_name: 'Sunita Kulkarni',
  emergency_contact_phone: '+919000012345',
  blood_group: 'O+',
  public_message: 'This key belongs to a wonderful human being. Thank you for scanning!',
  driving_license_number: 'MH1220110012345',
}
const PIN = '482913'

/** Inserts a code, and the rows of `more`, into the database of the running server. */
async function addCode(
  server: RunningServer,
  fields: Partial<QrCode> = FULL,
  more: (db: Db, code: QrCode) => Promise<unknown> = async () => {},
) {
  const { db, close } = await openDatabaseOf(server)
  const account = { name: 'Ramesh Kulkarni', email: freshEmail(), password_hash: null }
  const owner = await insertAccount(db, account, new Date())
  const code = await insertCode(db, owner.id, fields)
  await more(db, code)
  const { cookieToken } = await createSessions(db, () => new Date()).start(owner)
  await close()
  return { path: `/scan/${code.qr_id}`, cookieToken }
}

function addPin({ dataDir }: RunningServer) {
  return (db: Db, { id, qr_id }: QrCode) =>
    db
      .updateTable('qr_codes')
      .set({ pin_hash: hashPin(loadSecretKey(dataDir), qr_id, PIN) })
      .where('id', '=', id)
      .execute()
}

function addMessage(db: Db) {
  const message = { id: 'm', title: 'Thank you for helping', content: 'Be safe on the road' }
  const row = { ...message, is_active: 1, created_at: new Date().toISOString() } as const
  return db.insertInto('admin_messages').values(row).execute()
}

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('one request loads everything that is needed to reach the owner', async ({
    page,
    server,
  }) => {
    const { path } = await addCode(server)
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await page.goto(path, { waitUntil: 'networkidle' })
    await expect(page.getByRole('heading', { name: 'Found these keys?' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Ramesh Kulkarni' })).toBeVisible()
    await expect(page.getByText('MH 12 QX 4827')).toBeVisible()
    const hrefOf = (name: RegExp) => page.getByRole('link', { name }).getAttribute('href')
    expect(await hrefOf(/Call owner/)).toBe('tel:+919876543210')
    expect(await hrefOf(/WhatsApp/)).toMatch(
      /^https:\/\/wa\.me\/919876543210\?text=Hello!%20I%20found/,
    )
    expect(await hrefOf(/SMS/)).toBe('sms:+919876543210')
    expect(await hrefOf(/Email/)).toMatch(/^mailto:ramesh@example\.in/)
    expect(await hrefOf(/Sunita Kulkarni/)).toBe('tel:+919000012345')
    expect(requests).toEqual([server.url + path])
  })

  test('the call button is in reach of the thumb as soon as the page is shown @both', async ({
    page,
    server,
  }) => {
    const { path } = await addCode(server)
    await page.goto(path)
    await expect(page.getByRole('link', { name: /Call owner/ })).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('link', { name: /WhatsApp/ })).toBeInViewport({ ratio: 1 })
  })

  test('the page is in Hindi if it is requested', async ({ page, server }) => {
    const { path } = await addCode(server)
    await page.goto(path)
    await page.getByRole('link', { name: 'English' }).click()
    await page.getByRole('link', { name: 'हिन्दी' }).click()
    const found = page.getByRole('heading', { name: 'क्या आपको ये चाबियाँ मिली हैं?' })
    await expect(found).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'hi')
    await page.goto(path)
    await expect(found).toBeVisible()
    await page.getByRole('link', { name: 'हिन्दी' }).click()
    await page.getByRole('link', { name: 'English' }).click()
    await expect(page.getByRole('heading', { name: 'Found these keys?' })).toBeVisible()
  })

  test('the PIN shows the private details', async ({ page, server, problems }) => {
    problems.expect(/status of 403/)
    const { path } = await addCode(server, FULL, addPin(server))
    await page.goto(path)
    await expect(page.getByText('MH1220110012345')).toBeHidden()
    await page.getByText('Private details').click()
    await page.getByLabel('PIN').fill('0000')
    await page.getByRole('button', { name: 'Show details' }).click()
    await expect(page.getByRole('alert')).toHaveText('Incorrect PIN')
    await expect(page.getByRole('alert')).toBeInViewport({ ratio: 1 })
    await expect(page.getByLabel('PIN')).toBeFocused()
    await page.getByLabel('PIN').fill(PIN)
    await page.getByRole('button', { name: 'Show details' }).click()
    await expect(page.getByText('MH1220110012345')).toBeInViewport({ ratio: 1 })
    await expect(page.locator('dl')).toBeFocused()
    await expect(page.getByRole('link', { name: /Call owner/ })).toBeVisible()
  })

  test('the owner is redirected to the dashboard', async ({ page, server, context }) => {
    const { path, cookieToken } = await addCode(server)
    await context.addCookies([{ name: 'driveqr', value: cookieToken, url: server.url }])
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Go to Dashboard Now' })).toBeVisible()
    await page.waitForURL('**/dashboard')
  })

  test('the owner sees in the preview what a finder sees', async ({ page, server, context }) => {
    const { path, cookieToken } = await addCode(server)
    await context.addCookies([{ name: 'driveqr', value: cookieToken, url: server.url }])
    await page.goto(`${path}?preview=1`)
    await expect(page.getByText('This is what a finder sees. No scan is counted.')).toBeVisible()
    await expect(page.getByRole('link', { name: /Call owner/ })).toBeVisible()
  })
})

test('text of an owner is never executed', async ({ page, server }) => {
  const payload = '"><img src=x onerror=alert(1)></style><script>alert(1)</script>'
  const { path } = await addCode(server, { owner_name: payload, public_message: payload })
  let dialogs = 0
  page.on('dialog', (dialog) => {
    dialogs++
    return dialog.dismiss()
  })
  await page.goto(path, { waitUntil: 'networkidle' })
  await expect(page.getByRole('heading', { name: payload })).toBeVisible()
  expect(dialogs).toBe(0)
})

test('the states of the scan page are accessible @both', async ({ page, server, problems }) => {
  problems.expect(/status of 404/)
  const { path } = await addCode(server, FULL, addPin(server))
  await page.goto(path)
  await page.getByText('Private details').click()
  await expectWellMade(page)
  await page.goto(`${path}?lang=hi`)
  await expectWellMade(page)
  await page.goto(`${path}?lang=`)
  await expectWellMade(page)
  const long = {
    ...FULL,
    owner_name: LONG_NAME,
    vehicle_registration: LONG_NAME,
    emergency_contact_name: LONG_NAME,
  }
  await page.goto(`${(await addCode(server, long)).path}?lang=en`)
  await expectNoSideways(page)
  await page.goto('/scan/unknown')
  await expect(page.getByRole('heading', { name: 'QR Code Not Found' })).toBeVisible()
  await expectWellMade(page)
  const unregistered = await addCode(server, { qr_type: 'child', is_claimed: 0 })
  await page.goto(unregistered.path)
  await expect(page.getByRole('link', { name: 'QR Register' })).toBeVisible()
  await expectWellMade(page)
  await page.goto('/scan/DEMO')
  await expectWellMade(page)
  await page.getByRole('link', { name: /Call owner/ }).click()
  await expect(page.getByText('This is a sample page.')).toBeInViewport()
})

test('at night WhatsApp stays green, and the other ways to write turn to cream', async ({
  page,
  server,
}) => {
  const { path } = await addCode(server, { ...FULL, contact_mode: 'public' })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(path)
  for (const [name, color] of [
    ['WhatsApp', 'rgb(37, 211, 102)'],
    ['Message owner', 'rgb(255, 248, 232)'],
    ['SMS', 'rgb(255, 248, 232)'],
    ['Email', 'rgb(255, 248, 232)'],
  ] as const)
    await expect(page.getByRole('link', { name })).toHaveCSS('background-color', color)
})

test.describe('with a message from the service', () => {
  // On a server of its own, because every scan page shows the message.
  test.use({ serverEnv: {} })

  test('the popup is accessible @both', async ({ page, server }) => {
    const { path } = await addCode(server, FULL, addMessage)
    await page.goto(path)
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectWellMade(page)
  })

  test.describe('and without script', () => {
    test.use({ javaScriptEnabled: false })

    test('the note leaves the ways to help in reach, and all of them work by keyboard', async ({
      page,
      server,
    }) => {
      const { path } = await addCode(server, FULL, addMessage)
      const requests: string[] = []
      page.on('request', (request) => requests.push(request.url()))
      await page.goto(path)
      await expect(page.getByRole('heading', { name: 'Thank you for helping' })).toBeVisible()
      const help = [/Call owner/, /Message owner/, /^Call 112$/]
      for (const name of help) await expect(page.getByRole('link', { name })).toBeInViewport()
      const top = async (name: RegExp) => (await page.getByRole('link', { name }).boundingBox())?.y
      const note = await page.getByRole('dialog').boundingBox()
      expect(await top(/^Call 112$/)).toBeLessThan((note?.y ?? 0) - 44)
      await page.keyboard.press('Tab')
      await expect(page.getByRole('button', { name: 'Continue to Contact Info' })).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('dialog')).toBeHidden()
      expect(requests).toHaveLength(1)
      for (const name of [
        /English/,
        /Call owner/,
        /Message owner/,
        /WhatsApp/,
        /SMS/,
        /Email/,
        /Call 112/,
        /Sunita/,
      ]) {
        await page.keyboard.press('Tab')
        await expect(page.getByRole('link', { name })).toBeFocused()
      }
    })
  })
})

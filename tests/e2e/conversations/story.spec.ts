import { randomBytes } from 'node:crypto'
import type { Browser, Page } from '@playwright/test'
import sharp from 'sharp'
import { signIn } from '#tests/e2e/support/dashboard.ts'
import { ageForm } from '#tests/e2e/support/finder.ts'
import { card, dialogOf, openDashboard, openReady, toast } from '#tests/e2e/support/page.ts'
import { watchForProblems } from '#tests/e2e/support/problems.ts'
import type { RunningServer } from '#tests/e2e/support/server.ts'
import { expect, expectWellMade, test } from '#tests/e2e/support/test.ts'

const NUMBER = '+919876543210'
const CODE = {
  owner_name: 'Ramesh Kulkarni',
  contact_phone: NUMBER,
  vehicle_registration: 'MH12QX4827',
  contact_mode: 'relay',
} as const

/** Another person's phone, without a session. */
async function openPhone(browser: Browser, options: { javaScriptEnabled?: boolean } = {}) {
  const context = await browser.newContext(options)
  const problems = await watchForProblems(context)
  const leave = async () => {
    expect(problems.report(), 'problems on the phone of a finder').toEqual([])
    await context.close()
  }
  return { page: await context.newPage(), leave }
}

/** A picture of a camera that was held upright: stored lying, turned by its EXIF data. */
function photo(): Promise<Buffer> {
  const [width, height] = [1200, 900]
  return sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .withExif({ IFD3: { GPSLatitude: '18/1 30/1 26/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 85 })
    .toBuffer()
}

async function writeToOwner(
  { page, server }: { page: Page; server: RunningServer },
  path: string,
  text: string,
  more = async () => {},
) {
  await page.goto(path)
  expect((await page.content()).replaceAll(/\D/g, '')).not.toContain(NUMBER.slice(3))
  await page.getByRole('link', { name: /Message owner/ }).click()
  await page.getByText('I found these keys').click()
  await page.getByLabel('Your message').fill(text)
  await more()
  await ageForm(page, server)
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByRole('heading', { name: 'Sent' })).toBeVisible()
}

const widthAndHeight = (img: SVGElement | HTMLElement) => {
  const { naturalWidth, naturalHeight } = img as HTMLImageElement
  return [naturalWidth, naturalHeight]
}

test('lost keys come back: the finder and the owner write to each other until then @both', async ({
  page,
  context,
  browser,
  server,
}) => {
  const premium = { name: 'Ramesh Kulkarni', subscription_plan: 'premium' } as const
  const { codes } = await signIn(context, server, premium, [CODE])
  const path = `/scan/${codes[0]?.qr_id}`
  await openDashboard(page)
  await card(page, CODE.owner_name).getByText('More').click()
  await card(page, CODE.owner_name).getByRole('link', { name: 'Mark as lost' }).click()
  const lostDialog = dialogOf(page, 'Mark as lost')
  await lostDialog.getByLabel('What should a finder know?').fill('Lost near Deccan')
  await lostDialog.getByRole('button', { name: 'Mark as lost' }).click()
  await expect(toast(page, 'QR code marked as lost')).toBeVisible()
  await openReady(page, '/dashboard?tab=documents')
  const messages = page
    .getByRole('navigation', { name: 'Dashboard' })
    .getByRole('link', { name: /^Messages/ })
  await expect(messages).toHaveAccessibleName('Messages')

  // The finder has no script.
  const finder = await openPhone(browser, { javaScriptEnabled: false })
  await writeToOwner({ page: finder.page, server }, path, 'They were on the counter.', async () => {
    await finder.page.getByLabel('Where is it?').fill('Tea stall opposite the depot')
    const buffer = await photo()
    await finder.page
      .getByLabel('Photo')
      .setInputFiles({ name: 'IMG_2041.jpg', mimeType: 'image/jpeg', buffer })
  })
  const talk = finder.page.getByRole('log', { name: 'Conversation' })
  await expect(talk).toContainText('Tea stall opposite the depot')
  const sent = talk.getByRole('img', { name: 'The photo that you sent' })
  await expect.poll(() => sent.evaluate(widthAndHeight)).toEqual([900, 1200])

  // It reaches the owner, who is looking at something else.
  await expect(messages).toHaveAccessibleName('Messages 1 unread')
  await expect(page.locator('.topbar .said')).toContainText('New message. 1 unread.')
  await messages.click()
  await page.getByRole('link', { name: /Unread: I found these keys/ }).click()
  const chat = page.getByRole('log', { name: 'What was written' })
  await expect(chat).toContainText('They were on the counter.')
  await expect(chat).toContainText('Tea stall opposite the depot')
  const thumbnail = chat.getByRole('img', { name: 'What the finder sent' })
  await expect.poll(async () => (await thumbnail.evaluate(widthAndHeight))[0]).toBeGreaterThan(0)
  const full = await page.request.get(
    (await chat.getByRole('link', { name: /Open the photo/ }).getAttribute('href')) ?? '',
  )
  const { width, height, exif } = await sharp(await full.body()).metadata()
  expect([width, height, exif]).toEqual([900, 1200, undefined])
  await expect(messages).toHaveAccessibleName('Messages')
  await expectWellMade(page)

  await page.getByRole('button', { name: 'I am coming now' }).click()
  await page.getByRole('button', { name: 'Answer', exact: true }).click()
  await expect(chat).toContainText('I am coming now')
  await page.getByRole('link', { name: 'Share my number' }).click()
  const share = dialogOf(page, 'Share your number?')
  await share.getByRole('button', { name: 'Share my number' }).click()
  await expect(chat).toContainText('You shared your number')

  await expect(talk.getByText('I am coming now')).toHaveCount(0)
  await finder.page.getByRole('link', { name: 'Look for an answer' }).click()
  await expect(talk.getByText('I am coming now')).toBeVisible()
  const number = talk.getByRole('link', { name: '+91 98765 43210' })
  await expect(number).toHaveAttribute('href', `tel:${NUMBER}`)

  // Somebody else scans the code too, with script: answers appear by themselves.
  const other = await openPhone(browser)
  await writeToOwner({ page: other.page, server }, path, 'I see keys at the depot.')
  await expect(other.page.getByRole('link', { name: 'Look for an answer' })).toBeHidden()
  await expect(messages).toHaveAccessibleName('Messages 1 unread')
  await messages.click()
  await page.getByRole('link', { name: /Unread: I found these keys/ }).click()
  await expect(chat).toContainText('I see keys at the depot.')
  await page.getByLabel('Your answer').fill('Somebody has them already. Thank you!')
  await page.getByRole('button', { name: 'Answer', exact: true }).click()
  const otherTalk = other.page.getByRole('log', { name: 'Conversation' })
  await expect(otherTalk.getByText('Somebody has them already.')).toBeVisible()
  await expect(otherTalk).not.toContainText('I am coming now')
  expect((await other.page.content()).replaceAll(/\D/g, '')).not.toContain(NUMBER.slice(3))

  // The keys are back.
  await messages.click()
  await page.getByRole('link', { name: /They were on the counter/ }).click()
  await expect(chat).toContainText('Tea stall opposite the depot')
  await page.getByRole('button', { name: 'Got it back' }).click()
  await expect(page.getByText('You have it back', { exact: true })).toBeVisible()
  await expect(chat).toContainText('Thank you, I have them back')
  await finder.page.getByRole('link', { name: 'Look for an answer' }).click()
  await expect(finder.page.getByText('The owner has the keys back. Thank you.')).toBeVisible()
  await expect(talk).toContainText('Thank you, I have them back')
  await expect(finder.page.getByRole('button', { name: 'Answer' })).toHaveCount(0)
  await openDashboard(page)
  await expect(card(page, CODE.owner_name)).toBeVisible()
  await expect(page.getByText(/^Lost since/)).toHaveCount(0)
  await finder.page.goto(path)
  await expect(finder.page.getByRole('link', { name: /Message owner/ })).toBeVisible()
  await expect(finder.page.getByRole('region', { name: 'Reported lost' })).toHaveCount(0)
  await finder.leave()
  await other.leave()
})

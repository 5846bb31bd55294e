import { randomBytes } from 'node:crypto'
import type { Page, Route } from '@playwright/test'
import sharp from 'sharp'
import { insertAccount } from '#db/accounts/accounts.ts'
import { createSessions } from '#db/accounts/sessions.ts'
import type { QrCode } from '#db/schema.ts'
import { ageForm } from '#tests/e2e/support/finder.ts'
import { freshEmail } from '#tests/e2e/support/fresh.ts'
import { hold, LOST, loseNextAnswer } from '#tests/e2e/support/page.ts'
import { openDatabaseOf, type RunningServer } from '#tests/e2e/support/server.ts'
import { expect, expectNoSideways, expectWellMade, test } from '#tests/e2e/support/test.ts'
import { insertCode } from '#tests/support/codes.ts'
import { CODE } from '#tests/support/finder.ts'
import { picture } from '#tests/support/uploads.ts'

const PLACE = { latitude: 18.5074, longitude: 73.8077, accuracy: 12 }

/** Adds a code of a new owner, with the owner's calls. */
async function addOwner(server: RunningServer, fields: Partial<QrCode> = {}) {
  const { db, close } = await openDatabaseOf(server)
  const account = { name: 'Ramesh Kulkarni', email: freshEmail(), password_hash: null }
  const owner = await insertAccount(db, account, new Date())
  const { qr_id } = await insertCode(db, owner.id, { ...CODE, ...fields })
  const { bearerToken } = await createSessions(db, () => new Date()).start(owner)
  await close()
  async function call(method: string, path: string, body?: object) {
    const answer = await fetch(`${server.url}/api/conversations${path}`, {
      method,
      headers: { Authorization: `Bearer ${bearerToken}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    expect([path, answer.ok]).toEqual([path, true])
    return answer.json()
  }
  const newest = async () => (await call('GET', '')).conversations[0].id
  return {
    path: `/scan/${qr_id}/message`,
    answer: async (text: string) => call('POST', `/${await newest()}/messages`, { text }),
    shareNumber: async () => call('POST', `/${await newest()}/messages`, { share_number: true }),
    become: async (status: string) => call('PUT', `/${await newest()}/status`, { status }),
    read: async () => call('POST', `/${await newest()}/read`),
    block: async () => call('POST', `/${await newest()}/block`),
    blockAccount: async () => {
      const { db, close } = await openDatabaseOf(server)
      const blocked = db.updateTable('accounts').set({ is_active: 0 })
      await blocked.where('id', '=', owner.id).execute()
      await close()
    },
  }
}

async function fillIn(page: Page, text = 'They were on the counter.'): Promise<void> {
  await page.getByText('I found these keys').click()
  await page.getByLabel('Your message').fill(text)
}

async function send(page: Page, server: RunningServer): Promise<void> {
  await ageForm(page, server)
  await page.getByRole('button', { name: 'Send message' }).click()
}

async function begin(page: Page, server: RunningServer, path: string): Promise<string> {
  await page.goto(path)
  await fillIn(page)
  await send(page, server)
  await expect(page.getByRole('heading', { name: 'Sent' })).toBeVisible()
  // Its script has run.
  await page.waitForLoadState()
  return new URL(page.url()).pathname
}

test('a number is shown to the owner unless the finder says otherwise, an e-mail only if they say so', async ({
  page,
  server,
}) => {
  const owner = await addOwner(server)
  await page.goto(owner.path)
  const contact = page.getByLabel('Tell me when the owner answers')
  const tick = page.getByRole('checkbox', { name: 'Show it to the owner' })
  await expect(page.getByText('a number is not used at all')).toBeVisible()
  await expect(tick).not.toBeChecked()
  await contact.fill('+91 98765 43210')
  await expect(tick).toBeChecked()
  await contact.fill('98765@example.in')
  await expect(tick).not.toBeChecked()
  await contact.fill('98765 43210')
  await expect(tick).toBeChecked()
  await tick.uncheck()
  await contact.fill('98765 43211')
  await expect(tick).not.toBeChecked()
})

test('the page says when the owner has opened the message', async ({ page, server }) => {
  const owner = await addOwner(server)
  await begin(page, server, owner.path)
  await expect(page.getByRole('link', { name: 'Look for an answer' })).toBeHidden()
  await expect(page.getByText('Read', { exact: true })).toHaveCount(0)
  await owner.read()
  await expect(page.getByText('Read', { exact: true })).toBeVisible()
  await expectWellMade(page)
  await owner.answer('I am coming now')
  await expect(page.getByRole('heading', { name: 'Your message' })).toBeVisible()
  await expect(page.getByText('Read', { exact: true })).toHaveCount(0)
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('a finder writes, reads the answer, answers and stops', async ({
    page,
    server,
    problems,
  }) => {
    problems.expect(/status of (400|404)/)
    const owner = await addOwner(server, { contact_mode: 'relay' })
    await page.goto(owner.path.replace('/message', ''))
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await page.getByRole('link', { name: /Message owner/ }).click()
    await expect(page.getByRole('heading', { name: 'Message owner' })).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect(requests).toEqual([`${server.url}${owner.path}`])

    const call112 = page.getByRole('link', { name: /Call 112/ })
    await expect(call112).toBeHidden()
    await page.getByText('Accident. Someone is hurt').click()
    await expect(call112).toHaveAttribute('href', 'tel:112')
    await expect(page.getByRole('link', { name: /Sunita/ })).toHaveAttribute(
      'href',
      'tel:+919000012345',
    )
    await expect(page.getByRole('button', { name: 'Share my location' })).toBeHidden()

    await page.getByText('Something else').click()
    await expect(call112).toBeHidden()
    await page.getByLabel('Where is it?').fill('Gate 2')
    await page.getByLabel('Your name').fill('Farhan')
    await page.getByLabel('Tell me when the owner answers').fill('farhan.q@example.in')
    const photo = { name: 'keys.png', mimeType: 'image/png', buffer: await picture() }
    await page.getByLabel('Photo').setInputFiles(photo)
    // Enter sends; it does not change the language.
    await page.getByLabel('Where is it?').press('Enter')
    await expect(page.getByText('Please write a message')).toBeVisible()
    await expect(page.getByLabel('Your message')).toBeFocused()
    await expect(page.getByLabel('Where is it?')).toHaveValue('Gate 2')
    await expect(page.getByText('The photo was not kept. Choose it again.')).toBeVisible()

    await page.getByLabel('Language: English').click()
    await page.getByRole('button', { name: 'हिन्दी' }).click()
    await expect(page.getByRole('heading', { name: 'मालिक को संदेश' })).toBeVisible()
    await page.getByLabel('भाषा: हिन्दी').click()
    await page.getByRole('button', { name: 'English' }).click()
    await expect(page.getByLabel('Your name')).toHaveValue('Farhan')
    await expect(page.getByRole('radio', { name: 'Something else' })).toBeChecked()

    await page.getByLabel('Your message').fill('Your dog is on the road.')
    await page.getByLabel('Photo').setInputFiles(photo)
    await send(page, server)
    await expect(page.getByRole('heading', { name: 'Sent' })).toBeVisible()
    await expect(page.getByText('Keep this page.')).toBeVisible()
    await expect(page.getByText('Your dog is on the road.')).toBeVisible()
    const shown = page.getByRole('img', { name: 'The photo that you sent' })
    await expect.poll(() => shown.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(40)
    await expect(page.getByRole('button', { name: 'Copy' })).toBeHidden()

    await owner.answer('I am coming now')
    await owner.shareNumber()
    await page.getByRole('link', { name: 'Look for an answer' }).click()
    await expect(page.getByText('I am coming now')).toBeVisible()
    await expect(page.getByRole('link', { name: '+91 98765 43210' })).toHaveAttribute(
      'href',
      'tel:+919876543210',
    )
    await page.getByLabel('Answer').fill('Good. I wait.')
    await page.getByRole('button', { name: 'Answer' }).click()
    await expect(page.getByText('Good. I wait.')).toBeVisible()
    await expect(page.getByLabel('Answer')).toHaveValue('')

    await page.getByRole('link', { name: 'Stop' }).click()
    await page.getByRole('link', { name: 'Keep the conversation' }).click()
    await expect(page.getByText('Good. I wait.')).toBeVisible()
    await page.getByRole('link', { name: 'Stop' }).click()
    await page.getByRole('button', { name: 'Stop' }).click()
    await expect(page.getByRole('heading', { name: 'This conversation has ended' })).toBeVisible()
  })

  test('a page is reported', async ({ page, server }) => {
    const { path } = await addOwner(server)
    await page.goto(path.replace('message', 'report'))
    await page.getByText('It tries to cheat people').click()
    await page.getByLabel('What happened?').fill('It asks to pay first.')
    await page.getByRole('button', { name: 'Send report' }).click()
    await expect(page.getByText('A moderator will look at the page.')).toBeVisible()
    await page.getByRole('link', { name: 'To the page of the code' }).click()
    await expect(page).toHaveURL(/\/scan\/\w+\?seen=1$/)
  })
})

test('the owner’s answer appears by itself, a half-typed message stays, and the address can be copied', async ({
  page,
  context,
  server,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const owner = await addOwner(server)
  const address = await begin(page, server, owner.path)
  await page.getByRole('button', { name: 'Copy' }).click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(server.url + address)
  const log = page.getByRole('log', { name: 'Conversation' })
  await expect(page.getByRole('link', { name: 'Look for an answer' })).toBeHidden()

  await page.getByLabel('Answer').pressSequentially('Good. Ask for')
  await owner.answer('I am coming now')
  await expect(log.getByText('I am coming now')).toBeVisible()
  await expect(page.getByLabel('Answer')).toBeFocused()
  await page.getByLabel('Answer').pressSequentially(' Imran.')
  await expect(page.getByLabel('Answer')).toHaveValue('Good. Ask for Imran.')
  await page.getByRole('button', { name: 'Answer' }).click()
  await expect(log.getByText('Good. Ask for Imran.')).toBeVisible()
  await expect(page.getByLabel('Answer')).toHaveValue('')
  await expect(log.getByRole('listitem')).toHaveCount(3)

  await owner.shareNumber()
  await expect(log.getByRole('link', { name: '+91 98765 43210' })).toBeVisible()
  await page.getByLabel('Answer').fill('Half a sent')
  await owner.become('closed')
  await expect(page.getByText('This conversation is closed.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Answer' })).toBeHidden()
  await expect(page.getByLabel('Answer')).toHaveValue('Half a sent')
  await expect(page.getByLabel('Answer')).not.toBeEditable()
  await owner.become('open')
  await expect(page.getByRole('button', { name: 'Answer' })).toBeVisible()
  await expect(page.getByLabel('Answer')).toBeEditable()
  await expect(page.getByLabel('Answer')).toHaveValue('Half a sent')
  await owner.become('returned')
  await expect(page.getByText('The owner has the keys back. Thank you.')).toBeVisible()
  await expect(log.getByText('Thank you, I have them back')).toBeVisible()
  expect(new URL(page.url()).pathname).toBe(address)
})

test('a text that is typed while an answer is sent stays for the next one, and a second page shows both', async ({
  page,
  context,
  server,
}) => {
  const owner = await addOwner(server)
  const address = await begin(page, server, owner.path)
  const other = await context.newPage()
  await other.goto(address)
  await expect(other.getByRole('link', { name: 'Look for an answer' })).toBeHidden()
  const release = await hold(page, `**${address}`)
  await page.getByLabel('Answer').fill('I wait')
  await page.getByRole('button', { name: 'Answer' }).click()
  await page.getByLabel('Answer').fill('I wait until six')
  release()
  await expect(page.getByRole('log').getByText('I wait', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Answer')).toHaveValue(' until six')
  await page.getByRole('button', { name: 'Answer' }).click()
  for (const each of [page, other]) {
    await expect(each.getByRole('log').getByText('until six')).toBeVisible()
    await expect(each.getByRole('listitem')).toHaveCount(3)
  }
})

test('a page that arrives after a newer one is not shown', async ({ page, server }) => {
  const owner = await addOwner(server)
  const address = await begin(page, server, owner.path)
  await expect(page.getByRole('link', { name: 'Look for an answer' })).toBeHidden()
  const closed = page.getByText('This conversation is closed.')
  const late = async (route: Route) => {
    const response = await route.fetch()
    await owner.become('closed')
    await expect(closed).toBeVisible()
    await route.fulfill({ response })
  }
  await page.route(`**${address}`, late, { times: 1 })
  const asked = page.waitForRequest(`**${address}`)
  await owner.answer('I am coming now')
  await (await (await asked).response())?.finished()
  // By then the page has read it too.
  await page.evaluate(async () => (await fetch(location.href)).text())
  await expect(closed).toBeVisible()
  await expect(page.getByLabel('Answer')).toBeHidden()
})

test('an answer that is refused, fails or finds no network stays with the reason, and is sent later', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(/status of 400/)
  problems.expect(/status of 50[23]/)
  problems.expect(/ERR_INTERNET_DISCONNECTED/)
  const owner = await addOwner(server)
  const address = await begin(page, server, owner.path)
  await page.getByLabel('Answer').fill('   ')
  await page.getByRole('button', { name: 'Answer' }).click()
  await expect(page.getByRole('status').getByText('Please write a message')).toBeVisible()
  await expect(page.getByRole('listitem')).toHaveCount(1)
  await page.getByLabel('Answer').fill('I wait at the gate')
  const pages = [
    { status: 503, body: '<main><h1>This did not work</h1></main>', said: 'This did not work' },
    {
      status: 502,
      body: '<h1>502 Bad Gateway</h1>',
      said: /^There is no network here, or the site does not answer/,
    },
  ]
  for (const { status, body, said } of pages) {
    await page.route(`**${address}`, (route) => route.fulfill({ status, body }), { times: 1 })
    await page.getByRole('button', { name: 'Answer' }).click()
    await expect(page.getByRole('status').getByText(said)).toBeVisible()
    await expect(page.getByLabel('Answer')).toHaveValue('I wait at the gate')
  }
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Answer' }).click()
  await expect(page.getByText('There is no network here')).toBeVisible()
  await expect(page.getByLabel('Answer')).toHaveValue('I wait at the gate')
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Answer' }).click()
  await expect(page.getByRole('log').getByText('I wait at the gate')).toBeVisible()
  await expect(page.getByText('There is no network here')).toBeHidden()
  await owner.answer('I see you')
  await expect(page.getByRole('log').getByText('I see you')).toBeVisible()
})

test('an answer of which the page was not told is not written twice', async ({
  page,
  server,
  problems,
}) => {
  problems.expect(LOST)
  const owner = await addOwner(server)
  await begin(page, server, owner.path)
  await page.getByLabel('Answer').fill('I wait at the gate')
  await loseNextAnswer(page)
  const send = page.getByRole('button', { name: 'Answer' })
  await send.click()
  await expect(page.getByText('There is no network here')).toBeVisible()
  await expect(page.getByRole('log').getByText('I wait at the gate')).toBeVisible()
  await send.click()
  await expect(page.getByLabel('Answer')).toHaveValue('')
  await expect(page.getByRole('listitem')).toHaveCount(2)
})

test('an answer that cannot be fetched can be looked for, and comes later; an end by the owner shows at once', async ({
  page,
  server,
  problems,
}) => {
  problems.expect(/status of 429/)
  problems.expect(/status of 404/)
  const owner = await addOwner(server)
  const address = await begin(page, server, owner.path)
  const look = page.getByRole('link', { name: 'Look for an answer' })
  await expect(look).toBeHidden()
  await page.route(`**${address}`, (route) => route.fulfill({ status: 429 }), { times: 1 })
  await owner.answer('I am coming now')
  await expect(look).toBeVisible()
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect(page.getByRole('log').getByText('I am coming now')).toBeVisible()
  await expect(look).toBeHidden()
  await owner.block()
  await expect(page.getByRole('heading', { name: 'This conversation has ended' })).toBeVisible()
})

test('while the owner’s account is blocked every page says that nobody answers', async ({
  page,
  server,
  problems,
}) => {
  problems.expect(/status of (404|409)/)
  const owner = await addOwner(server, { contact_mode: 'relay' })
  const path = await begin(page, server, owner.path)
  await owner.answer('I am coming now')
  await expect(page.getByText('I am coming now')).toBeVisible()
  await owner.blockAccount()
  await page.getByLabel('Answer').fill('Where are you?')
  await page.getByRole('button', { name: 'Answer', exact: true }).click()
  const said = 'Messages to the owner are not possible now'
  await expect(page.getByText(said, { exact: true })).toBeVisible()
  await expect(page.getByLabel('Answer')).toHaveValue('Where are you?')
  await page.goto(path)
  await expect(page.getByText(said)).toBeVisible()
  await expect(page.getByText('I am coming now')).toBeVisible()
  await expectWellMade(page)
  await page.goto(owner.path.replace('/message', ''))
  await expect(page.getByText(said)).toBeVisible()
  await expect(page.getByRole('link', { name: /Message owner|Call owner/ })).toBeHidden()
  await expectWellMade(page)
  await page.goto(owner.path.replace('scan', 'police').replace('/message', ''))
  await expect(page.getByText('not possible now')).toBeVisible()
  await expectWellMade(page)
})

test.describe('the location', () => {
  test.use({ geolocation: PLACE, permissions: ['geolocation'] })

  test('is sent by a press alone, can be taken out again, and stays through a refusal', async ({
    page,
    server,
    problems,
  }) => {
    problems.expect(/status of 400/)
    const { path } = await addOwner(server)
    await page.goto(path)
    await fillIn(page)
    await expect(page.getByText('This will be sent')).toBeHidden()
    await page.getByRole('button', { name: 'Share my location' }).click()
    await expect(page.getByText('18.50740, 73.80770')).toBeVisible()
    await expect(page.getByText('within 12 metres')).toBeVisible()
    await page.getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByText('This will be sent')).toBeHidden()
    await expect(page.getByRole('button', { name: 'Share my location' })).toBeFocused()
    await expect(page.locator('[name=latitude]')).toHaveValue('')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Remove' })).toBeFocused()
    await page.getByLabel('Tell me when the owner answers').fill('nowhere')
    await send(page, server)
    await expect(page.getByText('Please enter an e-mail address or a mobile number')).toBeVisible()
    await expect(page.getByText('18.50740, 73.80770')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Share my location' })).toBeHidden()
    await page.getByLabel('Tell me when the owner answers').fill('')
    await send(page, server)
    await expect(page.getByRole('listitem')).toContainText('18.50740, 73.80770, within 12 metres')
  })
})

test('a location that comes late leaves the focus where somebody types', async ({
  page,
  server,
}) => {
  await page.addInitScript(() => {
    navigator.geolocation.getCurrentPosition = (found) =>
      addEventListener('found', () =>
        found({ coords: { latitude: 18.5, longitude: 73.8 } } as never),
      )
  })
  const { path } = await addOwner(server)
  await page.goto(path)
  await page.getByRole('button', { name: 'Share my location' }).click()
  await page.getByLabel('Your message').fill('They are at the')
  await page.evaluate(() => dispatchEvent(new Event('found')))
  await expect(page.getByText('18.50000, 73.80000')).toBeVisible()
  await expect(page.getByLabel('Your message')).toBeFocused()
})

test('a location that the phone does not tell is asked for in words', async ({ page, server }) => {
  // Delays the answer to a question.
  await page.addInitScript(() => {
    navigator.geolocation.getCurrentPosition = (_, refuse) =>
      setTimeout(() => refuse?.({} as never), 300)
  })
  const { path } = await addOwner(server)
  await page.goto(path)
  await page.getByRole('button', { name: 'Share my location' }).click()
  await expect(page.getByText('Your location could not be found. Write where it is.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Share my location' })).toBeFocused()
})

test('a photo of a phone is made small before it is sent, and is turned as it was', async ({
  page,
  server,
}) => {
  const { path } = await addOwner(server)
  const [width, height] = [2400, 1800]
  const noise = sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
  const buffer = await noise.withMetadata({ orientation: 6 }).jpeg({ quality: 90 }).toBuffer()
  expect(buffer.length).toBeGreaterThan(3_000_000)
  await page.goto(path)
  await fillIn(page)
  await page
    .getByLabel('Photo')
    .setInputFiles({ name: 'IMG_1.jpg', mimeType: 'image/jpeg', buffer })
  const sizeOf = (input: HTMLInputElement) => input.files?.[0]?.size ?? 0
  const photo = page.locator('#photo')
  await expect.poll(() => photo.evaluate(sizeOf as never)).toBeLessThan(buffer.length * 0.8)
  await send(page, server)
  const shown = page.getByRole('img', { name: 'The photo that you sent' })
  await expect
    .poll(() => shown.evaluate((img: HTMLImageElement) => [img.naturalWidth, img.naturalHeight]))
    .toEqual([1200, 1600])
})

test('a message stays with its photo when a proxy answers, says why, and is sent once afterwards', async ({
  page,
  server,
  problems,
}) => {
  problems.expect(/status of (400|413|50[24])/)
  const { path } = await addOwner(server)
  await page.goto(path)
  await fillIn(page)
  const photo = { name: 'keys.png', mimeType: 'image/png', buffer: await picture() }
  await page.getByLabel('Photo').setInputFiles(photo)
  const sendButton = page.getByRole('button', { name: 'Send message' })
  const pages = [
    { status: 413, said: /^This photo is too large/ },
    { status: 502, said: /^There is no network here, or the site does not answer/ },
    { status: 504, said: /^There is no network here, or the site does not answer/ },
  ]
  for (const { status, said } of pages) {
    const body = `<html><h1>${status} from nginx</h1></html>`
    const fulfill = (route: Route) => route.fulfill({ status, body, contentType: 'text/html' })
    await page.route(`**${path}`, fulfill, { times: 1 })
    await sendButton.click()
    await expect(page.getByRole('status').getByText(said)).toBeVisible()
    await expect(page.getByLabel('Your message')).toHaveValue('They were on the counter.')
  }
  await page.getByLabel('Tell me when the owner answers').fill('nowhere')
  await send(page, server)
  await expect(page.getByText('Please enter an e-mail address or a mobile number')).toBeVisible()
  await expect(page.getByLabel('Tell me when the owner answers')).toBeFocused()
  await expect(page.getByText('The photo was not kept. Choose it again.')).toBeVisible()
  await page.getByLabel('Photo').setInputFiles(photo)
  await page.getByLabel('Tell me when the owner answers').fill('')
  await send(page, server)
  await expect(page.getByText('They were on the counter.')).toHaveCount(1)
  const shown = page.getByRole('img', { name: 'The photo that you sent' })
  await expect.poll(() => shown.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(40)
})

test('a file beyond the limit is refused before it is sent', async ({ page, server }) => {
  const { path } = await addOwner(server)
  await page.goto(path)
  await fillIn(page)
  const large = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.alloc(16 * 1024 * 1024) }
  await page.getByLabel('Photo').setInputFiles(large)
  await page.route(`**${path}`, (route) => route.abort())
  await page.getByRole('button', { name: 'Send message' }).click()
  const problem = (input: HTMLInputElement) => input.validationMessage
  const photo = page.locator('#photo')
  await expect.poll(() => photo.evaluate(problem as never)).toMatch(/^This photo is too large/)
  await expect(page.getByLabel('Your message')).toHaveValue('They were on the counter.')
})

test('a message that finds no network stays, and is sent once, however often the button is pressed', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(/ERR_INTERNET_DISCONNECTED/)
  const { path } = await addOwner(server)
  await page.goto(path)
  await fillIn(page)
  await context.setOffline(true)
  await send(page, server)
  await expect(page.getByText('There is no network here')).toBeVisible()
  await context.setOffline(false)
  let posts = 0
  await page.route(`**${path}`, async (route) => {
    if (route.request().method() === 'POST') posts++
    await new Promise((resolve) => setTimeout(resolve, 500))
    await route.continue()
  })
  await ageForm(page, server)
  await page.getByRole('button', { name: 'Send message' }).dblclick({ noWaitAfter: true })
  await expect(page.getByRole('heading', { name: 'Sent' })).toBeVisible()
  expect(posts).toBe(1)
})

test('chosen reasons, refusals and messages fit and are accessible @both @slow', async ({
  page,
  server,
  problems,
}) => {
  problems.expect(/status of 400/)
  const owner = await addOwner(server)
  const isPhone = (page.viewportSize()?.width ?? 0) < 500
  const check = async () => {
    await expectWellMade(page)
    if (!isPhone) return
    await page.setViewportSize({ width: 320, height: 640 })
    await expectNoSideways(page)
    await page.setViewportSize({ width: 390, height: 844 })
  }
  const [button, text] = [page.locator('.last .call'), page.locator('#text')]
  await page.goto(owner.path)
  await page.locator('label[for=accident]').click()
  await check()
  await page.locator('label[for=other]').click()
  await button.click()
  await expect(page.locator('.err')).toBeVisible()
  await check()
  await text.fill('Your dog is on the road. '.repeat(8) + 'x'.repeat(80))
  await ageForm(page, server)
  await button.click()
  await expect(page).toHaveURL(/\/c\//)
  await owner.answer('I am coming now')
  await owner.shareNumber()
  await expect(page.getByRole('listitem')).toHaveCount(3)
  await check()
})

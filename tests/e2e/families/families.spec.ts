import type { Browser, BrowserContext, Page } from '@playwright/test'
import { signIn } from '#tests/e2e/support/dashboard.ts'
import { PDF_FILE } from '#tests/e2e/support/documents.ts'
import { freshEmail, freshMobile } from '#tests/e2e/support/fresh.ts'
import { dialogOf, hold, holdReact, openReady, toast, untilReady } from '#tests/e2e/support/page.ts'
import { watchForProblems } from '#tests/e2e/support/problems.ts'
import { expect, expectWellMade, test } from '#tests/e2e/support/test.ts'
import { CHILD, UNCLAIMED } from '#tests/support/families.ts'

const PREMIUM = { subscription_plan: 'premium' } as const
const SAME_ORIGIN = { 'Sec-Fetch-Site': 'same-origin' }

/** Another person with their own browser, in which problems fail the test too. */
async function somebodyElse(browser: Browser) {
  const context = await browser.newContext()
  const problems = await watchForProblems(context)
  const leave = async () => {
    expect(problems.report(), 'problems in the other browser').toEqual([])
    await context.close()
  }
  return { page: await context.newPage(), problems, leave }
}

/** Registers a child's code and requests a new password, by calls. */
async function askForReset(context: BrowserContext, qr_id: string | undefined) {
  const headers = SAME_ORIGIN
  const data = { qr_id, name: 'Gurleen', contact: freshMobile(), password: 'first horse' }
  for (const call of ['child-register', 'forgot-password']) {
    const answer = await context.request.post(`/api/qr/${call}`, { headers, data })
    expect(answer.ok(), call).toBe(true)
  }
}

test('a stranger claims a code of a batch, registers, and takes it in the new dashboard', async ({
  page,
  context,
  server,
  browser,
}) => {
  await signIn(context, server, PREMIUM)
  await openReady(page, '/dashboard?bulk=1')
  await page.getByLabel('Quantity').fill('1')
  await page.getByRole('button', { name: 'Create QR codes' }).click()
  const card = page.getByRole('article')
  await dialogOf(page).getByText('Done').click()
  await card.getByText('More').click()
  const preview = card.getByRole('link', { name: 'Preview' })
  const id = /scan\/(\w+)/.exec((await preview.getAttribute('href')) ?? '')?.[1]

  const email = freshEmail('ayesha')
  const { page: stranger, leave } = await somebodyElse(browser)
  await stranger.goto(`${server.url}/scan/${id}`)
  await expect(stranger).toHaveURL(`${server.url}/claim?qr=${id}`)
  await untilReady(stranger)
  const submit = stranger.getByRole('button', { name: 'Claim QR Code' })
  await expect(submit).toBeDisabled()
  await stranger.getByLabel('Full Name').fill('Ayesha Siddiqui')
  await expect(submit).toBeDisabled()
  await stranger.getByLabel('Mobile Number').fill('12')
  await submit.click()
  await expect(toast(stranger, 'Please enter a valid mobile number')).toBeVisible()
  await expect(stranger.getByLabel('Mobile Number')).toBeFocused()
  await stranger.getByLabel('Mobile Number').fill('98450 12345')
  await stranger.getByLabel('Email').fill(email.toUpperCase())
  await stranger.getByText('Emergency contact (optional)').click()
  await stranger.getByLabel('Emergency Contact Name').fill('Imran')
  await submit.click()
  await expect(toast(stranger, 'QR Code claimed successfully!')).toBeVisible()
  await expect(stranger.getByRole('button', { name: 'Claiming...' })).toBeDisabled()
  await expect(stranger).toHaveURL(`${server.url}/scan/${id}`)
  await expect(stranger.getByText('Ayesha Siddiqui')).toBeVisible()

  await openReady(page, '/dashboard')
  await expect(card).toContainText('Ayesha Siddiqui')
  await expect(card.getByRole('link', { name: 'Edit' })).toHaveCount(0)

  await openReady(stranger, `${server.url}/login?mode=register`)
  await stranger.getByLabel('Email').fill(email)
  await stranger.getByRole('button', { name: 'Send OTP' }).click()
  await stranger.getByRole('button', { name: 'Click to Auto-Fill OTP' }).click()
  await stranger.getByLabel('Full Name').fill('Ayesha Siddiqui')
  await stranger.getByLabel('Password', { exact: true }).fill('correct horse')
  await stranger.getByLabel('Confirm Password').fill('correct horse')
  await stranger.getByRole('button', { name: 'Verify & Register' }).click()
  const offer = stranger.getByRole('region', { name: 'Claims with your address' })
  await expect(offer.getByRole('checkbox', { name: 'Ayesha Siddiqui' })).toBeChecked()
  await expectWellMade(stranger)
  await offer.getByRole('button', { name: 'Take' }).click()
  await expect(stranger.getByText('The QR code is in your account now.')).toBeVisible()
  await expect(stranger.getByRole('article', { name: 'Ayesha Siddiqui' })).toBeVisible()
  await leave()
  await page.reload()
  await expect(card).toHaveCount(0)
})

test('a claimer without an e-mail takes the code by its link; another claim is undone', async ({
  page,
  context,
  server,
  browser,
}) => {
  const { codes } = await signIn(context, server, PREMIUM, [UNCLAIMED, UNCLAIMED])
  const [kept, undone] = codes.map(({ qr_id }) => qr_id)
  const { page: stranger, leave } = await somebodyElse(browser)
  for (const id of [undone, kept]) {
    await openReady(stranger, `${server.url}/claim?qr=${id}`)
    await stranger.getByLabel('Full Name').fill('Ayesha Siddiqui')
    await stranger.getByLabel('Mobile Number').fill('98450 12345')
    await stranger.getByRole('button', { name: 'Claim QR Code' }).click()
    await expect(stranger).toHaveURL(`${server.url}/scan/${id}`)
  }
  const link = stranger.getByRole('link', { name: 'Keep this code: create an account' })
  const { height } = (await link.boundingBox()) ?? { height: 0 }
  expect(height).toBeGreaterThanOrEqual(44)
  await expectWellMade(stranger)
  await link.click()
  await expect(stranger.getByRole('heading', { name: 'Keep this QR code' })).toBeVisible()
  await expectWellMade(stranger)
  await stranger.getByRole('link', { name: 'Create Account' }).click()
  await untilReady(stranger)
  await stranger.getByLabel('Email').fill(freshEmail('ayesha'))
  await stranger.getByRole('button', { name: 'Send OTP' }).click()
  await stranger.getByRole('button', { name: 'Click to Auto-Fill OTP' }).click()
  await stranger.getByLabel('Full Name').fill('Ayesha Siddiqui')
  await stranger.getByLabel('Password', { exact: true }).fill('correct horse')
  await stranger.getByLabel('Confirm Password').fill('correct horse')
  await stranger.getByRole('button', { name: 'Verify & Register' }).click()
  const registered = toast(stranger, 'Registration completed successfully!')
  await expect(registered).toBeVisible()
  await stranger.getByRole('button', { name: 'Add to My Account' }).click()
  await expect(stranger.getByText('The QR code is in your account now.')).toBeVisible()
  await untilReady(stranger)
  await expect(registered).toHaveCount(0)
  await expect(stranger.getByRole('article', { name: 'Ayesha Siddiqui' })).toBeVisible()
  await leave()

  await openReady(page, '/dashboard')
  const card = page.getByRole('article')
  await expect(card).toHaveCount(1)
  await expectWellMade(page)
  await card.getByRole('link', { name: 'Undo claim' }).click()
  const dialog = dialogOf(page, 'Undo this claim?')
  await expectWellMade(page)
  await dialog.getByRole('button', { name: 'Undo claim' }).click()
  await expect(toast(page, 'Claim undone. The QR code is unclaimed again.')).toBeVisible()
  await expect(card.getByText('Unclaimed')).toBeVisible()
  await expect(card).not.toContainText('Ayesha')
})

test('a person who is too late to claim or to register a code is told so', async ({
  context,
  server,
  browser,
  request,
}) => {
  const { codes } = await signIn(context, server, PREMIUM, [UNCLAIMED, CHILD])
  const [unclaimed = '', child = ''] = codes.map(({ qr_id }) => qr_id)
  const { page: stranger, problems, leave } = await somebodyElse(browser)
  problems.expect(/status of 409/)
  const call = async (path: string, data: object) => {
    const answer = await request.post(`/api/qr/${path}`, { data })
    expect(answer.ok(), path).toBe(true)
  }
  /** Presses the button, and waits until the page has looked how the code is now. */
  const send = async (name: string, path: string) => {
    const looked = stranger.waitForResponse(
      (answer) => answer.request().method() === 'GET' && answer.url().endsWith(path),
    )
    await stranger.getByRole('button', { name }).click()
    await looked
    await stranger.evaluate(() => fetch('/healthz').then(({ ok }) => ok))
  }
  await openReady(stranger, `${server.url}/claim?qr=${unclaimed}`)
  await call('claim', { qr_id: unclaimed, owner_name: 'Imran', contact_phone: '9845012345' })
  await stranger.getByLabel('Full Name').fill('Ayesha Siddiqui')
  await stranger.getByLabel('Mobile Number').fill('98450 12346')
  await send('Claim QR Code', `/claim?qr=${unclaimed}`)
  await expect(stranger.locator('.said')).toHaveText(/This QR code has already been claimed/)

  await openReady(stranger, `${server.url}/child-register?qr=${child}`)
  const data = { qr_id: child, name: 'Gurleen', contact: freshMobile(), password: 'first horse' }
  await call('child-register', data)
  await stranger.getByLabel('Full Name').fill('Gurleen Kaur')
  await stranger.getByLabel('Mobile Number', { exact: true }).fill(freshMobile())
  await stranger.getByLabel('Password', { exact: true }).fill('first horse')
  await stranger.getByLabel('Confirm Password').fill('first horse')
  await stranger.getByRole('radio', { name: 'I am 18 or older' }).check()
  await send('Register QR Code', `/child-register?qr=${child}`)
  const said = stranger.getByRole('heading', { name: 'This QR code has already been registered' })
  await expect(said).toBeFocused()
  await expect(stranger.getByRole('link', { name: 'Login' })).toBeVisible()
  await expect(stranger.getByLabel('Full Name')).toHaveCount(0)
  await leave()
})

test('a child registers, forgets the password, and gets a new one with the owner’s approval', async ({
  page,
  context,
  server,
  browser,
}) => {
  const { codes } = await signIn(context, server, PREMIUM, [CHILD])
  const id = codes[0]?.qr_id
  const mobile = freshMobile()
  const { page: child, problems, leave } = await somebodyElse(browser)
  await child.goto(`${server.url}/scan/${id}`)
  await child.getByRole('link', { name: 'QR Register' }).click()
  await untilReady(child)
  const register = child.getByRole('button', { name: 'Register QR Code' })
  await register.click()
  await expect(toast(child, 'Please enter your name')).toBeVisible()
  await expect(child.getByLabel('Full Name')).toBeFocused()
  await child.getByLabel('Full Name').fill('Gurleen Kaur')
  await child.getByLabel('Contact type').selectOption('Email')
  await child.getByLabel('Email', { exact: true }).fill('gurleen')
  await register.click()
  await expect(toast(child, 'Please enter a valid email address')).toBeVisible()
  await child.getByLabel('Contact type').selectOption('Mobile Number')
  const number = child.getByLabel('Mobile Number', { exact: true })
  await expect(number).not.toHaveAccessibleDescription(/valid email/)
  await expect(number).not.toHaveAttribute('aria-invalid')
  await number.fill(mobile)
  await child.getByLabel('Password', { exact: true }).fill('first horse')
  await child.getByLabel('Confirm Password').fill('other horse')
  await register.click()
  await expect(toast(child, 'Passwords do not match')).toBeVisible()
  await child.getByLabel('Confirm Password').fill('first horse')
  await child.getByRole('radio', { name: 'I am 18 or older' }).check()
  await register.click()
  await expect(
    toast(child, 'QR Code registered successfully! You can now login with your credentials.'),
  ).toBeVisible()
  await expect(child).toHaveURL(`${server.url}/login?registered=true`)
  await expect(child.getByLabel('Email or Mobile Number')).toHaveValue(mobile)
  await expect(child.getByLabel('Password')).toBeVisible()

  await child.goto(`${server.url}/scan/${id}`)
  await child.getByRole('link', { name: 'Forgot Password' }).click()
  await untilReady(child)
  const opener = child.getByRole('link', { name: 'Forgot Password' })
  await opener.click()
  const forgot = dialogOf(child, 'Forgot Password')
  problems.expect(/status of 400/)
  await forgot.getByRole('button', { name: 'Send request' }).click()
  const contact = forgot.getByLabel('Email or Mobile Number')
  await expect(contact).toHaveAccessibleDescription('Please enter your email or mobile number')
  await contact.fill(`+91 ${mobile.slice(0, 5)}-${mobile.slice(5)}`)
  await forgot.getByRole('button', { name: 'Send request' }).click()
  await expect(toast(child, 'Password reset request submitted successfully!')).toBeVisible()
  await expect(
    toast(
      child,
      /submitted successfully! The QR owner will review your request and contact you\.$/,
    ),
  ).toBeVisible()
  await expect(forgot).toHaveCount(0)
  await expect(opener).toBeFocused()

  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openReady(page, '/dashboard')
  await page.getByRole('link', { name: 'Reset Requests 1 pending' }).click()
  await untilReady(page)
  await page.getByRole('button', { name: 'Approve' }).click()
  const dialog = dialogOf(page, 'Link for Gurleen Kaur')
  await expect(dialog).toBeVisible()
  await expect(toast(page, 'Password reset request approved')).toBeVisible()
  await expectWellMade(page)
  await dialog.getByRole('button', { name: 'Copy' }).click()
  await expect(dialog.getByRole('button', { name: 'Copied' })).toBeVisible()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toBe(await dialog.getByLabel('Link').inputValue())
  await expect(dialog.getByRole('link', { name: 'WhatsApp' })).toHaveAttribute(
    'href',
    new RegExp(`^https://wa\\.me/91${mobile}\\?text=.*reset-password`),
  )
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('article', { name: 'Gurleen Kaur, approved' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Approve' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Reset Requests', exact: true })).toBeVisible()

  await openReady(child, link)
  await child.getByLabel('New Password').fill('second horse')
  await child.getByLabel('Confirm Password').fill('second horse')
  await child.getByRole('button', { name: 'Set Password' }).click()
  await expect(child.getByText('Your password is changed.')).toBeVisible()
  await untilReady(child)
  await child.getByLabel('Email or Mobile Number').fill(mobile)
  await child.getByLabel('Password').fill('second horse')
  await child.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(child.getByRole('article', { name: 'Gurleen Kaur' })).toBeVisible()
  for (const name of ['Bulk Create', 'Child QRs', 'Delete']) {
    await expect(child.getByText(name)).toHaveCount(0)
  }
  problems.expect(/status of 400/)
  await child.goto(link)
  await expect(child.getByRole('heading', { name: 'This link is no longer valid' })).toBeVisible()
  await leave()
})

test('a child confirms a reset on its own device, and its documents are unlocked', async ({
  page,
  context,
  server,
  browser,
}) => {
  const { codes } = await signIn(context, server, PREMIUM, [CHILD])
  const qr_id = codes[0]?.qr_id
  const contact = freshMobile()
  const { page: child, leave } = await somebodyElse(browser)
  const { page: other, leave: leaveOther } = await somebodyElse(browser)
  const call = async (by: Page, path: string, data: object) => {
    const options = { headers: SAME_ORIGIN, data }
    const answer = await by.request.post(`${server.url}/api/${path}`, options)
    expect(answer.ok(), path).toBe(true)
    return answer.json()
  }
  await call(child, 'qr/child-register', {
    qr_id,
    name: 'Gurleen',
    contact,
    password: 'first horse',
  })
  await call(child, 'auth/login', { contact, password: 'first horse' })
  const file = { ...PDF_FILE, name: 'puc.pdf' }
  const upload = { multipart: { document_type: 'puc', file }, headers: SAME_ORIGIN }
  const uploaded = `${server.url}/api/documents/upload/${qr_id}`
  expect((await child.request.post(uploaded, upload)).status()).toBe(201)
  await call(child, 'qr/forgot-password', { qr_id, contact })
  await openReady(page, '/dashboard?tab=password-requests')
  await page.getByRole('button', { name: 'Approve' }).click()
  const link = await dialogOf(page, 'Link for Gurleen').getByLabel('Link').inputValue()
  const token = new URL(link).searchParams.get('token')
  await call(child, 'auth/reset-password', { token, password: 'second horse' })

  await call(other, 'auth/login', { contact, password: 'second horse' })
  await openReady(other, `${server.url}/dashboard?tab=documents`)
  const question = /^Your password was reset by Asha Patil on .+\. Was this you\? /
  await expect(other.getByText(question)).toBeVisible()
  await expect(other.getByRole('button', { name: 'Yes' })).toHaveCount(0)
  await expect(other.getByText('Locked')).toBeVisible()
  await expectWellMade(other)
  await leaveOther()

  await call(child, 'auth/login', { contact, password: 'second horse' })
  await openReady(child, `${server.url}/dashboard`)
  await expect(child.getByText(question)).toBeVisible()
  await expectWellMade(child)
  await child.getByRole('button', { name: 'Yes' }).click()
  await expect(child.getByText('Your private documents and messages are open again.')).toBeVisible()
  await expect(child.getByText(question)).toHaveCount(0)
  await openReady(child, `${server.url}/dashboard?tab=documents`)
  await expect(child.getByRole('link', { name: /^View / })).toBeVisible()
  await expect(child.getByText('Locked')).toHaveCount(0)
  await leave()

  await openReady(page, '/dashboard?tab=password-requests')
  await expect(page.getByText('Confirmed that it was them')).toBeVisible()
})

test('the requests for a reset are accessible @both @slow', async ({ page, context, server }) => {
  const { codes } = await signIn(context, server, PREMIUM, [CHILD])
  const requests = '/dashboard?tab=password-requests'
  await openReady(page, requests)
  await expectWellMade(page)
  await askForReset(context, codes[0]?.qr_id)
  await openReady(page, requests)
  await expectWellMade(page)
})

test('a kind of contact that is chosen before the script loads has the right label', async ({
  page,
  context,
  server,
}) => {
  const { codes } = await signIn(context, server, PREMIUM, [CHILD])
  await context.clearCookies()
  const load = await holdReact(page)
  await page.goto(`/child-register?qr=${codes[0]?.qr_id}`, { waitUntil: 'commit' })
  await page.getByLabel('Contact type').selectOption('Email')
  await page.getByLabel('Mobile Number or Email').fill('gurleen@example.in')
  load()
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue('gurleen@example.in')
})

test('after a decision that could not be sent the row can be decided again', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(/ERR_FAILED/)
  const { codes } = await signIn(context, server, PREMIUM, [CHILD])
  await askForReset(context, codes[0]?.qr_id)
  await openReady(page, '/dashboard?tab=password-requests')
  const call = '**/dashboard/password-requests/*'
  const fail = await hold(page, call, 'abort')
  const approve = page.getByRole('button', { name: 'Approve' })
  const reject = page.getByRole('button', { name: 'Reject' })
  await approve.click()
  await expect(approve).toBeDisabled()
  await expect(reject).toBeDisabled()
  fail()
  await expect(toast(page, 'Failed to process request')).toBeVisible()
  await page.unroute(call)
  await reject.click()
  await expect(toast(page, 'Password reset request rejected')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Gurleen' })).toBeFocused()
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('a stranger claims a code, and a child registers one', async ({
    page,
    context,
    server,
    problems,
  }) => {
    problems.expect(/status of 400/)
    const { codes } = await signIn(context, server, PREMIUM, [UNCLAIMED, CHILD])
    await context.clearCookies()
    const [unclaimed, child] = codes.map(({ qr_id }) => qr_id)
    await page.goto(`/scan/${unclaimed}`)
    await page.getByLabel('Full Name').fill('Ayesha Siddiqui')
    await page.getByLabel('Mobile Number').fill('12')
    await page.getByRole('button', { name: 'Claim QR Code' }).click()
    await expect(page.getByLabel('Mobile Number')).toHaveAccessibleDescription(
      /Please enter a valid mobile number/,
    )
    await page.getByLabel('Mobile Number').fill('98450 12345')
    await page.getByRole('button', { name: 'Claim QR Code' }).click()
    await expect(page).toHaveURL(`/scan/${unclaimed}`)
    await expect(page.getByText('Ayesha Siddiqui')).toBeVisible()

    const email = freshEmail('gurleen')
    await page.goto(`/scan/${child}`)
    await page.getByRole('link', { name: 'QR Register' }).click()
    await page.getByLabel('Full Name').fill('Gurleen Kaur')
    await page.getByLabel('Contact type').selectOption('Email')
    await page.getByLabel('Mobile Number or Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill('first horse')
    await page.getByLabel('Confirm Password').fill('first horse')
    await page.getByRole('radio', { name: 'I am 18 or older' }).check()
    await page.getByRole('button', { name: 'Register QR Code' }).click()
    await expect(page).toHaveURL('/login?registered=true')
    await expect(page.getByLabel('Email or Mobile Number')).toHaveValue(email)

    await page.goto(`/child-register?qr=${child}`)
    await page.getByRole('link', { name: 'Forgot Password' }).click()
    const dialog = page.getByRole('dialog', { name: 'Forgot Password' })
    await dialog.getByLabel('Email or Mobile Number').fill(email)
    await dialog.getByRole('button', { name: 'Send request' }).click()
    await expect(page.getByText('Password reset request submitted successfully!')).toBeVisible()
  })
})

import type { APIRequestContext, Page } from '@playwright/test'
import { freshEmail } from '#tests/e2e/support/fresh.ts'
import { hold, openReady, toast, untilReady } from '#tests/e2e/support/page.ts'
import { expect, expectWellMade, test } from '#tests/e2e/support/test.ts'

const PASSWORD = 'correct horse'

let email = ''
test.beforeEach(() => {
  email = freshEmail()
})

const tokenIn = (page: Page) => page.evaluate(() => localStorage.getItem('driveqr_session'))

/** Creates an account by calls, as test mode allows. The context of the request is signed in. */
async function makeAccount(request: APIRequestContext) {
  const sent = await request.post('/api/auth/send-otp', { data: { email } })
  const { test_otp: otp } = await sent.json()
  const data = { email, name: 'Asha Patil', password: PASSWORD, otp }
  const made = await request.post('/api/auth/verify-otp', { data })
  expect(made.status()).toBe(201)
}

async function register(page: Page) {
  await openReady(page, '/login')
  await page.getByRole('link', { name: 'Register with Email OTP' }).click()
  await untilReady(page)
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send OTP' }).click()
  await page.getByRole('button', { name: 'Click to Auto-Fill OTP' }).click()
  await page.getByLabel('Full Name').fill('Asha Patil')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Verify & Register' }).click()
  await expect(page).toHaveURL('/dashboard')
}

/** Logs out, by the button in the bar or in the phone's menu. */
async function logout(page: Page) {
  await pressLogout(page)
  await expect(page).toHaveURL('/login')
}

async function pressLogout(page: Page) {
  // Before the style sheet is loaded, the contents of the phone's menu are visible.
  await page.waitForLoadState()
  const button = page.getByRole('button', { name: 'Logout' })
  if (!(await button.first().isVisible())) await page.locator('header summary').click()
  await button.filter({ visible: true }).first().click()
}

async function login(page: Page, password = PASSWORD) {
  await openReady(page, '/login?mode=password')
  await page.getByLabel('Email or Mobile Number').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}

test('a user registers with the OTP that test mode shows, and logs out', async ({ page }) => {
  await register(page)
  await expect(toast(page, 'Registration completed successfully!')).toBeVisible()
  expect(await tokenIn(page)).toMatch(/^[\w-]{43}$/)
  await page.goto('/login')
  await expect(page).toHaveURL('/dashboard')
  await logout(page)
  await expect(toast(page, 'Logged out successfully')).toBeVisible()
  expect(await tokenIn(page)).toBeNull()
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/login$/)
})

test('both steps of a registration show beside the field what is missing', async ({ page }) => {
  await openReady(page, '/login?mode=register')
  const send = page.getByRole('button', { name: 'Send OTP' })
  await send.click()
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription(
    /Please enter your email address/,
  )
  await expect(page.getByLabel('Email')).toBeFocused()
  await page.getByLabel('Email').fill('asha@example')
  await send.click()
  await expect(toast(page, 'Please enter a valid email address')).toBeVisible()
  await page.getByLabel('Email').fill(email)
  await send.click()
  await expect(toast(page, /^OTP Generated: \d{6} \(Test Mode - No email sent\)$/)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Verify Email' })).toBeFocused()
  await expect(page).toHaveTitle('Verify Email · DriveQR')
  await expect(page.getByText(email)).toBeVisible()
  await expect(page.getByText('the email service is not configured')).toBeVisible()

  const verify = page.getByRole('button', { name: 'Verify & Register' })
  const fields = {
    name: page.getByLabel('Full Name'),
    password: page.getByLabel('Password', { exact: true }),
    confirmation: page.getByLabel('Confirm Password'),
    otp: page.getByLabel('6-digit OTP'),
  }
  const steps = [
    [fields.name, '', 'Please enter your name'],
    [fields.password, '', 'Please enter a password'],
    [fields.password, '12345', 'Password must be at least 6 characters long'],
    [fields.confirmation, '', 'Passwords do not match'],
    [fields.otp, '', 'Please enter the 6-digit OTP'],
  ] as const
  for (const [field, typed, words] of steps) {
    await field.fill(typed)
    await verify.click()
    await expect(field).toHaveAccessibleDescription(new RegExp(words))
    await expect(field).toBeFocused()
    await expect(toast(page, words)).toBeVisible()
    await field.fill(field === fields.name ? 'Asha Patil' : PASSWORD)
  }
  await fields.otp.fill('')
  await fields.otp.pressSequentially('12 3a4-5678')
  await expect(fields.otp).toHaveValue('123456')
  await expect(fields.name).toHaveValue('Asha Patil')
})

test('the validity of the OTP counts down, and afterwards a new one can be sent', async ({
  page,
}) => {
  await page.clock.install()
  await openReady(page, '/login?mode=register')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send OTP' }).click()
  const resend = page.getByRole('button', { name: 'Resend OTP' })
  await expect(page.getByText('10:00')).toBeVisible()
  await expect(resend).toBeDisabled()
  await page.clock.runFor(18_000)
  await expect(page.getByText('9:42')).toBeVisible()
  await page.clock.runFor(581_000)
  await expect(resend).toBeDisabled()
  await page.clock.runFor(1_000)
  await expect(page.getByText('0:00')).toBeVisible()
  await expect(resend).toBeEnabled()
})

test('an OTP requested again too early leads to its form with the remaining time', async ({
  page,
  problems,
}) => {
  problems.expect(/status of 429/)
  await openReady(page, '/login?mode=register')
  for (let time = 0; time < 2; time++) {
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Send OTP' }).click()
    await expect(page.getByRole('heading', { name: 'Verify Email' })).toBeVisible()
    if (time === 0) {
      await page.reload()
      await untilReady(page)
    }
  }
  await expect(toast(page, /^Please wait (10:00|9:5\d) before requesting new OTP\.$/)).toBeVisible()
  await expect(page.locator('time')).toHaveText(/^(10:00|9:[45]\d)$/)
})

test('a user logs in with a password, after a wrong one', async ({ page, request, problems }) => {
  problems.expect(/status of 401/)
  await makeAccount(request)
  await openReady(page, '/login')
  await page.getByRole('link', { name: 'Login with a password' }).click()
  await expect(page).toHaveURL('/login?mode=password')
  const typed = page.getByLabel('Password')
  await page.getByRole('button', { name: 'Show' }).click()
  await expect(typed).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Hide' }).click()
  await expect(typed).toHaveAttribute('type', 'password')
  await login(page, 'wrong horse')
  await expect(toast(page, 'Invalid email or password')).toBeVisible()
  await expect(page.getByLabel('Email or Mobile Number')).toHaveValue(email)
  await login(page)
  await expect(page).toHaveURL('/dashboard')
  await expect(toast(page, 'Login successful!')).toBeVisible()
})

test('during a request the button shows it and is disabled', async ({ page, problems }) => {
  problems.expect(/ERR_FAILED/)
  const answer = await hold(page, '**/api/auth/**', 'abort')
  await openReady(page, '/login?mode=password')
  await page.getByLabel('Email or Mobile Number').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Logging in...' })).toBeDisabled()
  answer()
  await expect(toast(page, 'Invalid email or password')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeEnabled()
})

test('a user logs in with a one-time code', async ({ page, request }) => {
  await makeAccount(request)
  await openReady(page, '/login?mode=password')
  await page.getByRole('link', { name: 'Email me a one-time code instead' }).click()
  await untilReady(page)
  await page.getByLabel('Email or Mobile Number').fill(email)
  await page.getByRole('button', { name: 'Send OTP' }).click()
  await page.getByRole('button', { name: 'Click to Auto-Fill OTP' }).click()
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page).toHaveURL('/dashboard')
  await expect(toast(page, 'Login successful!')).toBeVisible()
})

test('a user who forgot the password sets a new one', async ({ page, request }) => {
  await makeAccount(request)
  await openReady(page, '/login?mode=password')
  await page.getByRole('link', { name: 'Forgot Password?' }).click()
  await untilReady(page)
  await page.getByLabel('Email or Mobile Number').fill(email)
  await page.getByRole('button', { name: 'Send OTP' }).click()
  await page.getByRole('button', { name: 'Click to Auto-Fill OTP' }).click()
  await page.getByLabel('New Password').fill('brand new')
  await page.getByLabel('Confirm Password').fill('brand new')
  await page.getByRole('button', { name: 'Set Password' }).click()
  await expect(page.getByText('Your password is changed.')).toBeVisible()
  await login(page, 'brand new')
  await expect(page).toHaveURL('/dashboard')
})

test('the typed contact is kept for another way to sign in, and in no URL', async ({ page }) => {
  for (const way of ['Forgot Password?', 'Email me a one-time code instead']) {
    await openReady(page, '/login?mode=password')
    await page.getByLabel('Email or Mobile Number').fill(email)
    await page.getByRole('link', { name: way }).click()
    await page.waitForURL(/mode=(forgot|code)$/)
    await untilReady(page)
    await expect(page.getByLabel('Email or Mobile Number')).toHaveValue(email)
  }
  await openReady(page, '/login?mode=forgot')
  await expect(page.getByLabel('Email or Mobile Number')).toHaveValue('')
})

test('every mode is accessible @both @slow', async ({ page }) => {
  const queries = ['?registered=true', '?mode=password&expired=1', '?mode=code', '?mode=forgot']
  for (const query of [...queries, '?mode=register']) {
    await openReady(page, `/login${query}`)
    await expectWellMade(page)
  }
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send OTP' }).click()
  await page.getByRole('button', { name: 'Verify & Register' }).click()
  await expect(page.locator('.said .note-stop')).toHaveText(/Please enter your name/)
  await expectWellMade(page)
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('a user registers, logs out and logs in again', async ({ page, problems }) => {
    problems.expect(/status of 400/)
    await page.goto('/login')
    await page.getByRole('link', { name: 'Register with Email OTP' }).click()
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Send OTP' }).click()
    const otp = page.getByRole('region', { name: 'Test mode' }).locator('b')
    const shown = ((await otp.textContent()) ?? '').replace(' ', '')
    await page.getByLabel('Full Name').fill('Asha Patil')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Confirm Password').fill('something else')
    await page.getByLabel('6-digit OTP').fill(shown)
    await page.getByRole('button', { name: 'Verify & Register' }).click()
    await expect(page.getByLabel('Confirm Password')).toHaveAccessibleDescription(
      'Passwords do not match',
    )
    await expect(page.getByLabel('Full Name')).toHaveValue('Asha Patil')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Confirm Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Verify & Register' }).click()
    await expect(page).toHaveURL('/dashboard')

    await pressLogout(page)
    // Playwright does not find text in a noscript element by default.
    await expect(page.locator('noscript .note')).toHaveText('Logged out successfully')

    await page.goto('/login?mode=password')
    await page.getByLabel('Email or Mobile Number').fill(email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await expect(page).toHaveURL('/dashboard')
  })
})

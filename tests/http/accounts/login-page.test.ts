import { describe, expect, test } from 'vitest'
import { showOtp } from '#domain/accounts/registration.ts'
import { cookieOf, EMAIL, mailedOtp, WITH_MAIL, wrongOtp } from '#tests/support/accounts.ts'
import { openTestApp, PASSWORD, type TestApp } from '#tests/support/app.ts'

const FROM_PAGE = { 'Sec-Fetch-Site': 'same-origin' }

async function open(app: TestApp, query = '', headers: Record<string, string> = {}) {
  const response = await app.ask('GET', `/login${query}`, { headers })
  return { status: response.status, headers: response.headers, html: await response.text() }
}

/** Posts a form of the page as a browser without script does. */
async function submit(app: TestApp, mode: string, fields: Record<string, string>, headers = {}) {
  const body = new URLSearchParams(fields)
  const all = { ...FROM_PAGE, ...headers }
  const response = await app.ask('POST', `/login?mode=${mode}`, { body, headers: all })
  return { status: response.status, headers: response.headers, html: await response.text() }
}

/** The messages beside the fields, by field name. */
function errorAt(html: string, name: string): string | undefined {
  const control = controlOf(html, name)
  const describedBy = control?.match(/aria-describedby="([^"]*)"/)?.[1]
  const id = describedBy?.split(' ').find((each) => each.endsWith('-error'))
  if (!id || !control?.includes('aria-invalid="true"')) return undefined
  const error = html.match(new RegExp(`<p class="error" id="${id}">(.*?)</p>`))?.[1]
  return error?.replace(/<svg.*?<\/svg>/, '')
}

/** The attributes of the first control with this name. */
const controlOf = (html: string, name: string) =>
  html.match(new RegExp(`<(?:input|button)[^>]* name="${name}"[^>]*>`))?.[0]

const valueIn = (html: string, name: string) =>
  controlOf(html, name)?.match(/ value="([^"]*)"/)?.[1]

describe('the login page', () => {
  test('leads who is signed in to the dashboard', async () => {
    const app = await openTestApp()
    const { cookie } = await app.signUp()
    for (const query of ['', '?mode=register', '?expired=1']) {
      const { status, headers } = await open(app, query, { Cookie: cookie })
      expect([status, headers.get('Location')]).toEqual([303, '/dashboard'])
    }
  })

  test('offers each way by its name, the password first, and no way that cannot work', async () => {
    const { html } = await open(await openTestApp())
    expect(html).toContain('<h1>Welcome Back</h1>')
    const ways = [...html.matchAll(/<(?:a|button) class="[^"]*door[^>]*>.*?<span>([^<]*)/g)]
    expect(ways.map(([, label]) => label)).toEqual([
      'Login with a password',
      'Login with a passkey',
      'Login with Email OTP',
      'Register with Email OTP',
    ])
    expect(html).toMatch(/<a [^>]*href="\/login\?mode=password"><svg.*?Login with a password/)
    expect(html).toMatch(/<a [^>]*href="\/login\?mode=password"><svg.*?Login with Email OTP/)
    expect(html).toMatch(/<a [^>]*href="\/login\?mode=register"><svg.*?Register with Email OTP/)
    expect(html).not.toContain('Google')
    expect(html).toContain('<a href="/terms">terms</a>')
    expect(html).toContain('<a href="/privacy">privacy policy</a>')
  })

  test('offers no one-time code where none would arrive, and names the operator', async () => {
    const remote = await openTestApp({ env: { PUBLIC_URL: 'http://keys.example.in' } })
    const { html } = await open(remote, '', { Host: 'keys.example.in' })
    expect(html).not.toContain('Email OTP')
    expect(html).toContain('This server sends no mail. Its operator makes your account.')
    const mailing = await openTestApp(WITH_MAIL)
    const { html: offered } = await open(mailing)
    expect(offered).toContain('Register with Email OTP')
    expect(offered).not.toContain('This server sends no mail')
  })

  test.each([
    ['?mode=register', 'Create Account', ['Send OTP', 'Back to Login Options']],
    [
      '?mode=password',
      'Login',
      ['Email me a one-time code instead', 'Forgot Password?', 'Back to Login Options'],
    ],
    [
      '?mode=code',
      'Login with Email OTP',
      ['Send OTP', 'No email in your account?', 'Back to Login Options'],
    ],
    [
      '?mode=forgot',
      'Forgot Password',
      ['Send OTP', 'No email in your account?', 'Back to Login Options'],
    ],
    ['?mode=nonsense', 'Welcome Back', []],
  ])('has an address for each mode: %s', async (query, title, labels) => {
    const { status, html } = await open(await openTestApp(), query)
    expect(status).toBe(200)
    expect(html).toContain(`<h1>${title}</h1>`)
    for (const label of labels) expect(html).toContain(label)
  })

  test.each([
    ['?registered=true', 'Your QR code is registered.'],
    ['?expired=1', 'Your session has ended. Please log in again.'],
    ['?mode=password&reset=true', 'Your password is changed.'],
    ['?logged_out=true', '<noscript><div class="note note-go">'],
  ])('says why the login is shown: %s', async (query, notice) => {
    const app = await openTestApp()
    expect((await open(app, query)).html).toContain(notice)
    expect((await open(app)).html).not.toContain(notice)
  })

  test('has the one-time code right under the contact', async () => {
    const { html } = await open(await openTestApp(), '?mode=password')
    const places = ['name="contact"', 'Email me a one-time code instead', 'name="password"']
    expect(places.map((text) => html.indexOf(text)).toSorted((a, b) => a - b)).toEqual(
      places.map((text) => html.indexOf(text)),
    )
  })

  test('is not cached and not framed', async () => {
    const { headers } = await open(await openTestApp())
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'")
  })

  test('shows nothing of its address as markup', async () => {
    const app = await openTestApp()
    const planted = '"><script>alert(1)</script>'
    const { html } = await open(app, `?mode=${encodeURIComponent(planted)}&expired=${planted}`)
    expect(html).not.toContain('<script>alert')
    const { html: back } = await submit(app, 'password', { contact: planted, password: '' })
    expect(back).not.toContain('<script>alert')
    expect(valueIn(back, 'contact')).toBe('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;')
  })
})

describe('without script', () => {
  test('registers', async () => {
    const app = await openTestApp(WITH_MAIL)
    const sent = await submit(app, 'register', { email: ` ${EMAIL} ` })
    expect(sent.status).toBe(200)
    expect(sent.html).toContain('Verify Email</h1>')
    expect(sent.html).toContain('<title>Verify Email · DriveQR</title>')
    expect(sent.html).toMatch(/OTP expires in<\/span><time>10:00<\/time>/)
    const done = await submit(app, 'register', {
      email: valueIn(sent.html, 'email') ?? '',
      expires_at: valueIn(sent.html, 'expires_at') ?? '',
      name: 'Asha Patil',
      password: PASSWORD,
      confirm_password: PASSWORD,
      otp: mailedOtp(app),
    })
    expect([done.status, done.headers.get('Location')]).toEqual([303, '/dashboard'])
    const headers = { Cookie: cookieOf(done) }
    expect((await app.ask('GET', '/api/auth/me', { headers })).status).toBe(200)
  })

  test('a registration comes back with the words beside the field, and never the password', async () => {
    const app = await openTestApp()
    const first = await submit(app, 'register', { email: EMAIL })
    const otp =
      first.html
        .match(/<b translate="no">(\d{3}) (\d{3})<\/b>/)
        ?.slice(1)
        .join('') ?? ''
    const form = {
      email: EMAIL,
      expires_at: valueIn(first.html, 'expires_at') ?? '',
      test_otp: valueIn(first.html, 'test_otp') ?? '',
      name: 'Asha Patil',
      password: 'canary-1',
      confirm_password: 'canary-1',
      otp,
    }
    app.advance(18)
    const steps: [object, string, string][] = [
      [{ name: ' ' }, 'name', 'Please enter your name'],
      [{ password: '12345' }, 'password', 'Password must be at least 6 characters long'],
      [{ confirm_password: 'canary-2' }, 'confirm_password', 'Passwords do not match'],
      [{ otp: '12' }, 'otp', 'Please enter the 6-digit OTP'],
      [{ otp: wrongOtp(otp) }, 'otp', 'Invalid or expired OTP'],
    ]
    for (const [broken, field, words] of steps) {
      const { status, html } = await submit(app, 'register', { ...form, ...broken })
      expect(status).toBe(400)
      expect(errorAt(html, field)).toBe(words)
      expect(valueIn(html, 'email')).toBe(EMAIL)
      if (field !== 'name') expect(valueIn(html, 'name')).toBe('Asha Patil')
      expect(html).not.toContain('canary')
      expect(html).toContain('<time>9:42</time>')
      expect(html).toContain(`<b translate="no">${showOtp(otp)}</b>`)
    }
    expect((await submit(app, 'register', form)).status).toBe(303)
  })

  test('a second request within 600 s goes on to the OTP with that countdown', async () => {
    const app = await openTestApp()
    await submit(app, 'register', { email: EMAIL })
    app.advance(18)
    const { status, html } = await submit(app, 'register', { email: EMAIL })
    expect(status).toBe(429)
    expect(html).toContain('Verify Email</h1>')
    expect(html).toContain('<time>9:42</time>')
    expect(errorAt(html, 'otp')).toBe('Please wait 9:42 before requesting new OTP.')
  })

  test.each(['register', 'code', 'forgot'])(
    'an OTP of mode %s is sent again at its end, not before',
    async (mode) => {
      const app = await openTestApp(WITH_MAIL)
      if (mode !== 'register') await app.signUp({ email: EMAIL })
      const contact = { [mode === 'register' ? 'email' : 'contact']: EMAIL }
      const { html } = await submit(app, mode, contact)
      expect(controlOf(html, 'resend')).not.toContain('disabled')
      const form = {
        ...contact,
        otp: '',
        expires_at: valueIn(html, 'expires_at') ?? '',
        resend: '1',
      }
      app.advance(18)
      const early = await submit(app, mode, form)
      expect([early.status, early.headers.get('Retry-After')]).toEqual([429, '582'])
      expect(errorAt(early.html, 'otp')).toBe('Please wait 9:42 before requesting new OTP.')
      expect(early.html).toContain('<time>9:42</time>')
      expect(app.mails).toHaveLength(1)
      app.advance(700)
      const again = await submit(app, mode, form)
      expect(again.html).toContain('<time>10:00</time>')
      expect(app.mails).toHaveLength(2)
    },
  )

  test('an expired OTP is shown as expired', async () => {
    const app = await openTestApp(WITH_MAIL)
    const { html } = await submit(app, 'register', { email: EMAIL })
    app.advance(600)
    const form = { email: EMAIL, otp: '', expires_at: valueIn(html, 'expires_at') ?? '' }
    const late = await submit(app, 'register', { ...form, name: 'Asha' })
    expect(late.html).toContain('<time>0:00</time>')
  })

  test('a forged end of an OTP is limited to 600 s', async () => {
    const app = await openTestApp()
    for (const expires_at of ['9999-01-01T00:00:00.000Z', 'never']) {
      const { status, html } = await submit(app, 'register', { email: EMAIL, otp: '1', expires_at })
      expect(status).toBe(400)
      expect(html).toMatch(/<time>(10:00|0:00)<\/time>/)
    }
  })

  test('an error about sending stands at the top of the form', async () => {
    const app = await openTestApp({ env: { NODE_ENV: 'production' } })
    const { status, html } = await submit(app, 'register', { email: EMAIL })
    expect(status).toBe(503)
    expect(html).toMatch(/<div class="note note-stop"[^>]*>.*Email is not configured/)
    expect(valueIn(html, 'email')).toBe(EMAIL)
  })

  test('logs in with a password and ends the earlier session', async () => {
    const app = await openTestApp()
    const { cookie } = await app.signUp({ email: EMAIL })
    const form = { contact: EMAIL, password: PASSWORD }
    const { status, headers } = await submit(app, 'password', form, { Cookie: cookie })
    expect([status, headers.get('Location')]).toEqual([303, '/dashboard'])
    const me = (Cookie: string) => app.ask('GET', '/api/auth/me', { headers: { Cookie } })
    expect((await me(cookieOf({ headers }))).status).toBe(200)
    expect((await me(cookie)).status).toBe(401)
  })

  test('a wrong password comes back beside its field, with the contact and without the password', async () => {
    const app = await openTestApp()
    await app.signUp({ email: EMAIL })
    const form = { contact: EMAIL, password: 'canary-1' }
    const { status, html } = await submit(app, 'password', form)
    expect(status).toBe(401)
    expect(errorAt(html, 'password')).toBe('Invalid email or password')
    expect(valueIn(html, 'contact')).toBe(EMAIL)
    expect(html).not.toContain('canary')
  })

  test('logs in with an OTP', async () => {
    const app = await openTestApp(WITH_MAIL)
    await app.signUp({ email: EMAIL })
    const sent = await submit(app, 'code', { contact: EMAIL })
    const contact = valueIn(sent.html, 'contact') ?? ''
    const wrong = await submit(app, 'code', { contact, otp: wrongOtp(mailedOtp(app)) })
    expect(errorAt(wrong.html, 'otp')).toBe('Invalid or expired OTP')
    const done = await submit(app, 'code', { contact, otp: mailedOtp(app) })
    expect([done.status, done.headers.get('Location')]).toEqual([303, '/dashboard'])
  })

  test('the step with the OTP looks the same for a contact without account', async () => {
    const app = await openTestApp(WITH_MAIL)
    await app.signUp({ email: EMAIL })
    for (const mode of ['code', 'forgot']) {
      const known = await submit(app, mode, { contact: EMAIL })
      const unknown = await submit(app, mode, { contact: 'ravi@example.in' })
      const bare = (html: string) => html.replaceAll(/asha|ravi/g, '').replaceAll(/form-\d+-/g, '')
      expect(bare(unknown.html)).toBe(bare(known.html))
    }
  })

  test('sets a new password and logs in with it', async () => {
    const app = await openTestApp(WITH_MAIL)
    await app.signUp({ email: EMAIL })
    await submit(app, 'forgot', { contact: EMAIL })
    const form = { contact: EMAIL, otp: mailedOtp(app), password: 'brand new' }
    const unlike = await submit(app, 'forgot', { ...form, confirm_password: 'brand old' })
    expect(errorAt(unlike.html, 'confirm_password')).toBe('Passwords do not match')
    const done = await submit(app, 'forgot', { ...form, confirm_password: 'brand new' })
    expect([done.status, done.headers.get('Location')]).toEqual([
      303,
      '/login?mode=password&reset=true',
    ])
    const login = await submit(app, 'password', { contact: EMAIL, password: 'brand new' })
    expect(login.status).toBe(303)
  })

  test('a form that no browser sends is refused in words and never a fault', async () => {
    const app = await openTestApp()
    const upload = new FormData()
    upload.set('contact', new File(['x'], 'x.txt'))
    for (const mode of ['register', 'password', 'code', 'forgot', 'choice']) {
      for (const body of [new URLSearchParams(), upload, new URLSearchParams('otp=1&otp=2')]) {
        const path = `/login?mode=${mode}`
        const { status } = await app.ask('POST', path, { body, headers: FROM_PAGE })
        expect([303, 400]).toContain(status)
      }
    }
    const body = new URLSearchParams({ contact: 'x'.repeat(1_000_000) })
    const path = '/login?mode=password'
    expect((await app.ask('POST', path, { body, headers: FROM_PAGE })).status).toBe(413)
  })
})

test('a page that needs a session redirects to the login, which reports an expired one', async () => {
  const app = await openTestApp()
  const { cookie } = await app.signUp()
  const dashboard = async (headers: Record<string, string>) => {
    const { status, headers: answered } = await app.ask('GET', '/dashboard', { headers })
    return [status, answered.get('Location')]
  }
  expect(await dashboard({})).toEqual([303, '/login'])
  app.advance(31 * 86_400)
  expect(await dashboard({ Cookie: cookie })).toEqual([303, '/login?expired=1'])
})

describe('the logout form', () => {
  test('ends the session and redirects to the login page, which confirms it', async () => {
    const app = await openTestApp()
    const { cookie, bearerToken } = await app.signUp()
    const headers = { ...FROM_PAGE, Cookie: cookie }
    const answer = await app.ask('POST', '/logout', { headers })
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/login?logged_out=true'])
    expect(answer.headers.get('Set-Cookie')).toMatch(/^driveqr=; Max-Age=0; Path=\//)
    const asCookie = await app.ask('GET', '/api/auth/me', { headers: { Cookie: cookie } })
    const asBearer = await app.ask('GET', '/api/auth/me', { as: { bearerToken } })
    expect([asCookie.status, asBearer.status]).toEqual([401, 401])
  })

  test('does nothing as a link', async () => {
    const app = await openTestApp()
    const { cookie } = await app.signUp()
    expect((await app.ask('GET', '/logout', { headers: { Cookie: cookie } })).status).toBe(405)
    expect((await app.ask('GET', '/api/auth/me', { headers: { Cookie: cookie } })).status).toBe(200)
  })
})

describe('a page that is asked for without a session', () => {
  /** Requests a page as a signed-out browser, and then the dashboard after the sign-in. */
  async function askThenSignIn(page: string, method = 'GET') {
    const app = await openTestApp()
    const refused = await app.ask(method, page, { headers: FROM_PAGE })
    const [cookie = ''] = (refused.headers.get('Set-Cookie') ?? '').split(';')
    const { cookie: session } = await app.signUp({ name: 'Asha' })
    const headers = { cookie: `${session}; ${cookie}` }
    const next = await app.ask('GET', '/dashboard', { headers })
    return {
      refused,
      cookie,
      next,
      later: await app.ask('GET', '/dashboard?tab=gallery', { headers }),
    }
  }

  test.each([
    '/settings/security',
    '/dashboard?tab=my-qrs&filter=due&sort=due',
    '/settings',
    '/admin-dashboard?tab=support&ticket=LfRR3ibtIBBEyP',
  ])('is where the login leads: %s', async (page) => {
    const { refused, next, later } = await askThenSignIn(page)
    expect([refused.status, refused.headers.get('Location')]).toEqual([303, '/login'])
    expect(refused.headers.get('Set-Cookie')).toMatch(
      /; Max-Age=3600; Path=\/dashboard; HttpOnly; SameSite=Lax$/,
    )
    expect([next.status, next.headers.get('Location')]).toEqual([303, page])
    expect(next.headers.get('Set-Cookie')).toContain('driveqr_page=; Max-Age=0; Path=/dashboard')
    expect(later.status).toBe(200)
  })

  test.each([
    ['/dashboard', 'GET'],
    ['/admin', 'GET'],
    ['/dashboard?tab=my-qrs&part=dialog', 'GET'],
    ['/settings/calendar', 'POST'],
  ])('and is no other than a page of settings or of the dashboard: %s %s', async (page, method) => {
    const { cookie, next } = await askThenSignIn(page, method)
    expect([cookie, next.status]).toEqual(['', 200])
  })

  test.each(['https://evil.example/settings', '//evil.example/settings', '/logout', '/settings\n'])(
    'leads nowhere if the cookie is planted: %s',
    async (page) => {
      const { ask, signUp } = await openTestApp()
      const { cookie } = await signUp({ name: 'Asha' })
      const headers = { cookie: `${cookie}; driveqr_page=${encodeURIComponent(page)}` }
      expect((await ask('GET', '/dashboard', { headers })).status).toBe(200)
    },
  )
})

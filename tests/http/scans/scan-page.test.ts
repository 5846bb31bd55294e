import { expect, test } from 'vitest'
import { DEFAULT_CLAIM_MESSAGE, DEFAULT_PUBLIC_MESSAGE } from '#domain/codes/qr.ts'
import { makeQrId } from '#domain/codes/qr-id.ts'
import { openTestApp, type TestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { testOnSqlite } from '#tests/support/database.ts'
import { setCode } from '#tests/support/rows.ts'

const NOT_FOUND = 'QR Code Not Found'
const FOUND = 'Found these keys?'

async function openScanned(
  fields: Parameters<typeof insertCode>[2] = {},
  settings: Parameters<typeof openTestApp>[0] = {},
) {
  const app = await openTestApp(settings)
  const owner = await app.signUp({ subscription_plan: 'premium' })
  const code = await insertCode(app.db, owner.id, fields)
  const path = `/scan/${code.qr_id}`
  const look = async (headers: Record<string, string> = {}, query = '', method = 'GET') => {
    const response = await app.ask(method, path + query, { headers })
    return { response, html: await response.text() }
  }
  return { ...app, owner, code, path, look, countScans: () => countScans(app) }
}

async function countScans({ db }: Pick<TestApp, 'db'>) {
  return (await db.selectFrom('scans').select('n').execute()).length
}

test('a finder gets the contact page, complete and with no word about anything private', async () => {
  const { look, code, owner } = await openScanned({
    email: 'ramesh@example.in',
    vehicle_registration: 'MH12QX4827',
    emergency_contact_name: 'Sunita',
    emergency_contact_phone: '+919000012345',
    blood_group: 'O+',
    driving_license_number: 'SECRET-LICENCE',
    insurance_policy_number: 'SECRET-POLICY',
    insurance_expiry_date: '2031-07-09',
    next_service_due: '2032-08-08',
    notes_instructions: 'SECRET-NOTES',
    claim_email: 'secret-claim@example.in',
  })
  const { response, html } = await look()
  expect(response.status).toBe(200)
  for (const shown of [FOUND, 'Ramesh Kulkarni', 'MH 12 QX 4827', 'Sunita', 'O+']) {
    expect(html).toContain(shown)
  }
  expect(html).toContain('href="tel:+919876543210"')
  expect(html).toContain('href="sms:+919876543210"')
  expect(html).toContain('href="mailto:ramesh@example.in?subject=I%20found%20your%20keys"')
  expect(html).toContain('href="tel:+919000012345"')
  expect(html).toContain(`href="/police/${code.qr_id}"`)
  expect(html).toContain('The owner can see this scan.')
  expect(html).not.toMatch(/SECRET|secret|2031|2032/)
  expect(html).not.toContain(owner.id)
  expect(html).not.toContain(code.id)
  expect(html).not.toMatch(/<script|javascript:|\son\w+=/i)
})

test('the WhatsApp message says in the finder’s language that the keys are found', async () => {
  const { look, code } = await openScanned()
  const id = code.qr_id.replace(/(.{4})(?=.)/g, '$1-')
  const messageOf = (html: string) =>
    decodeURIComponent(/wa\.me\/919876543210\?text=([^"]*)"/.exec(html)?.[1] ?? '')
  expect(messageOf((await look()).html)).toBe(
    `Hello! I found your keys. I scanned the DriveQR code on them (${id}). How can I return them to you?`,
  )
  expect(messageOf((await look({}, '?lang=hi')).html)).toBe(
    `नमस्ते! मुझे आपकी चाबियाँ मिली हैं। मैंने उन पर लगा DriveQR कोड (${id}) स्कैन किया है। इन्हें आप तक कैसे पहुँचाऊँ?`,
  )
})

test('nothing typed becomes a link that is not a way of calling or writing', async () => {
  const { look } = await openScanned({
    contact_phone: 'javascript:alert(1)',
    email: 'javascript:alert(1)//@x.in?bcc=all@example.in',
    emergency_contact_phone: 'tel:1;postd=9',
  })
  const { html } = await look()
  const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)
  expect(links.filter((href) => !/^(\/|\?lang=|data:,$)/.test(href ?? ''))).toEqual([])
})

test('an empty field leaves no gap', async () => {
  const { look } = await openScanned({ contact_phone: null, email: 'ramesh@example.in' })
  const { html } = await look()
  expect(html).not.toMatch(/tel:|sms:|wa\.me|class="plate"|class="sheet sos"|<blockquote/)
  expect(html).not.toMatch(/null|undefined|N\/A/)
  expect(html).toContain('class="b" href="mailto:ramesh@example.in')
})

const XSS = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'><svg/onload=alert(1)>",
  '</style><script>alert(1)</script>',
  '</title></head><body onload=alert(1)>',
  'javascript:alert(1)',
  '{{constructor.constructor("alert(1)")()}}',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '<!--',
  '\u202Eevil',
]
const OWNER_TEXTS = [
  'owner_name',
  'city_area',
  'vehicle_make_model',
  'company_fleet_name',
  'vehicle_registration',
  'public_message',
  'emergency_contact_name',
  'blood_group',
  'contact_phone',
  'email',
] as const

test.each(XSS)('text like %j is shown as text wherever an owner can write it', async (payload) => {
  const { look, db, code } = await openScanned({ emergency_contact_phone: '+919000012345' })
  const skeletonOf = (html: string) => [...html.matchAll(/<\/?([a-z]+)/gi)].map(([, tag]) => tag)
  for (const field of OWNER_TEXTS) {
    const write = (text: string) => setCode(db, { id: code.id }, { [field]: text })
    await write('harmless')
    const harmless = skeletonOf((await look()).html)
    await write(payload)
    const { html } = await look()
    expect(skeletonOf(html), field).toEqual(harmless)
    expect(html.includes(payload) && /[<>"]/.test(payload), field).toBe(false)
    await write('harmless')
  }
})

test('an admin message stays text too', async () => {
  const { look, db } = await openScanned()
  const message = { id: 'm', is_active: 1, created_at: '2026-01-01T00:00:00.000Z' } as const
  const [title, content] = ['<b onclick=x>', '"><script>alert(1)</script>']
  await db
    .insertInto('admin_messages')
    .values({ ...message, title, content })
    .execute()
  expect((await look()).html).not.toMatch(/<b onclick|<script/)
})

test('the answer allows its own style and nothing else, and stays out of caches and indexes', async () => {
  const { look, deps, path, ask } = await openScanned()
  const policy = `default-src 'none'; style-src ${deps.assets.scanCssHashes}; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`
  const answers = [(await look()).response, await ask('GET', '/scan/nothing')]
  answers.push(await ask('POST', path, { body: new URLSearchParams({ pin: 'x' }) }))
  for (const { headers } of answers) {
    expect(headers.get('content-security-policy')).toBe(policy)
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-robots-tag')).toBe('noindex, noarchive')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  }
})

test('an unknown code and an inactive one are the same to a finder', async () => {
  const { look, ask, countScans } = await openScanned({ is_active: 0 })
  const inactive = await look()
  expect(inactive.response.status).toBe(404)
  expect(inactive.html).toContain(NOT_FOUND)
  expect(inactive.html).toContain(
    'This QR code is invalid or no longer active. Please check the code and try again.',
  )
  const unknown = await ask('GET', `/scan/${makeQrId(() => new Uint8Array(11))}`)
  expect(unknown.status).toBe(404)
  expect(await unknown.text()).toBe(inactive.html)
  expect(await countScans()).toBe(0)
})

test.each([
  ['too short', 'x'],
  ['a slash', '%2F'],
  ['a path', '%2e%2e%2f%2e%2e%2fetc%2fpasswd'],
  ['a zero byte', '%00'],
  ['broken encoding', '%E0%A4%A'],
  ['an emoji', '%F0%9F%94%91'],
  ['emojis without encoding', '🔑'.repeat(4)],
  ['10 kB', 'A'.repeat(10_000)],
  ['SQL', '%27%20or%201%3D1--'],
  ['a name that objects have', '__proto__'],
])('an id that is %s is not found, and the database is not asked', async (_, id) => {
  const { ask, deps } = await openTestApp()
  deps.scanPath.find = () => {
    throw new Error('the database was asked')
  }
  for (const path of [`/scan/${id}`, `/api/scan/${id}`, `/api/scan/${id}/popup`]) {
    const response = await ask('GET', path)
    expect(response.status, path).toBe(404)
  }
})

test('an id with a wrong check character is not found, and the database is not asked', async () => {
  const { ask, deps, code } = await openScanned()
  deps.scanPath.find = () => {
    throw new Error('the database was asked')
  }
  const last = code.qr_id.endsWith('0') ? '1' : '0'
  expect((await ask('GET', `/scan/${code.qr_id.slice(0, -1)}${last}`)).status).toBe(404)
})

test('an id that was typed by hand works', async () => {
  const { ask, code } = await openScanned()
  const typed = code.qr_id
    .toLowerCase()
    .replace(/(.{4})(?=.)/g, '$1-')
    .replaceAll('0', 'o')
    .replaceAll('1', 'l')
  const response = await ask('GET', `/scan/${typed}%20`)
  expect(await response.text()).toContain(FOUND)
})

test('the owner and the child user are welcomed back and sent to their dashboard', async () => {
  const { look, signUp, owner, db, code, countScans } = await openScanned()
  const child = await signUp({ parent_id: owner.id })
  await setCode(db, { id: code.id }, { child_account_id: child.id })
  for (const { cookie } of [owner, child]) {
    const { html } = await look({ cookie })
    expect(html).toContain('Welcome Back')
    expect(html).toContain('<meta http-equiv="refresh" content="2; url=/dashboard"/>')
    expect(html).toMatch(/href="\/dashboard"[^>]*>Go to Dashboard Now/)
    expect(html).not.toContain(FOUND)
  }
  expect(await countScans()).toBe(0)
})

test('the owner’s own code that is switched off is not found either', async () => {
  const { look, owner } = await openScanned({ is_active: 0 })
  expect((await look({ cookie: owner.cookie })).response.status).toBe(404)
})

test('a preview shows the owner the finder’s page; to others it is a scan', async () => {
  const { look, owner, signUp, countScans } = await openScanned()
  const own = await look({ cookie: owner.cookie }, '?preview=1')
  expect(own.html).toContain(FOUND)
  expect(own.html).toContain('This is what a finder sees. No scan is counted.')
  expect(await countScans()).toBe(0)
  const stranger = await signUp()
  for (const cookie of ['', stranger.cookie]) {
    const { html } = await look({ cookie }, '?preview=1')
    expect(html).toContain(FOUND)
    expect(html).not.toContain('This is what a finder sees')
  }
  expect(await countScans()).toBe(2)
})

test('an unregistered child code asks to be registered', async () => {
  const { look, code, countScans } = await openScanned({
    qr_type: 'child',
    is_claimed: 0,
    owner_name: null,
  })
  const { response, html } = await look()
  expect(response.status).toBe(200)
  expect(html).toContain('Unregistered QR')
  expect(html).toMatch(new RegExp(`href="/child-register\\?qr=${code.qr_id}"[^>]*>QR Register`))
  expect(await countScans()).toBe(0)
})

test('an unclaimed code redirects to the claim page', async () => {
  const { look, code, countScans } = await openScanned({ is_claimed: 0, owner_name: null })
  const { response } = await look()
  expect(response.status).toBe(302)
  expect(response.headers.get('location')).toBe(`/claim?qr=${code.qr_id}`)
  expect(await countScans()).toBe(0)
})

test.each(['/scan/DEMO', '/scan/demo'])('%s shows a sample without real numbers', async (path) => {
  const app = await openTestApp()
  const response = await app.ask('GET', path)
  const html = await response.text()
  expect(response.status).toBe(200)
  expect(html).toContain(FOUND)
  expect(html).toContain('This is a sample page. Its owner does not exist.')
  expect([...html.matchAll(/href="(tel|sms|mailto|https?):[^"]*"/g)].map(([link]) => link)).toEqual(
    ['href="tel:112"'],
  )
  expect(html).toContain('id="sample"')
  expect(html).toContain('href="#sample"')
  expect((await app.ask('POST', path)).status).toBe(200)
  expect(await countScans(app)).toBe(0)
})

test('active images of the owner and active messages stand before the contact page', async () => {
  const { look, db, owner, signUp } = await openScanned()
  const stranger = await signUp()
  expect((await look()).html).not.toContain('<dialog')
  const image = {
    file_name: 'a.png',
    file_size: 1,
    width: 400,
    height: 300,
    uploaded_at: '2026-01-01T00:00:00.000Z',
  }
  await db
    .insertInto('popup_images')
    .values([
      { ...image, id: 'a', account_id: owner.id, stored_name: 'shown.webp', is_active: 1 },
      { ...image, id: 'b', account_id: owner.id, stored_name: 'switched-off.webp', is_active: 0 },
      { ...image, id: 'c', account_id: stranger.id, stored_name: 'strangers.webp', is_active: 1 },
    ])
    .execute()
  const { html } = await look()
  expect(html).toMatch(/<body>(<link[^>]*>)?<dialog open/)
  expect(html).toContain('Continue to Contact Info')
  expect(html).toContain('<img src="/api/files/shown.webp" alt="" width="400" height="300"')
  expect(html).not.toMatch(/switched-off|strangers/)
  expect(html).toContain(FOUND)
  expect((await look({}, '?seen=1')).html).not.toContain('<dialog')
})

test('the message of the program is in the language of the page, that of an owner as it was written', async () => {
  const { look, db } = await openScanned({ public_message: DEFAULT_PUBLIC_MESSAGE })
  const quote = async (lang: string) =>
    /<blockquote.*?<\/blockquote>/.exec((await look({}, `?lang=${lang}`)).html)?.[0]
  expect(await quote('en')).toBe(`<blockquote>${DEFAULT_PUBLIC_MESSAGE}</blockquote>`)
  expect(await quote('hi')).toContain('कृपया मुझे फ़ोन करें')
  await db.updateTable('qr_codes').set({ public_message: DEFAULT_CLAIM_MESSAGE }).execute()
  expect(await quote('ur')).toBe(
    '<blockquote>یہ چابیاں ایک بہت اچھے انسان کی ہیں۔ اسکین کرنے کا شکریہ!</blockquote>',
  )
  await db.updateTable('qr_codes').set({ public_message: 'Ring twice' }).execute()
  expect(await quote('ur')).toBe('<blockquote lang="" dir="auto">Ring twice</blockquote>')
})

test('nothing stands before the contact of a lost code: the note is a line that opens', async () => {
  const { look, db } = await openScanned({ lost_since: '2026-11-18T08:00:00.000Z' })
  const message = { id: 'm', title: 'Thank you', content: 'Be safe', is_active: 1 } as const
  await db
    .insertInto('admin_messages')
    .values([{ ...message, created_at: '2026-01-01T00:00:00.000Z' }])
    .execute()
  const { html } = await look()
  expect(html).not.toContain('<dialog')
  expect(html).toMatch(
    /Call owner.*<details class="line"><summary id="m">A message from DriveQR<\/summary>.*Be safe/s,
  )
})

test('a message of the service is shown before every contact page', async () => {
  const { look, db } = await openScanned()
  const message = { id: 'm', title: 'Thank you', content: 'Be safe', is_active: 1 } as const
  await db
    .insertInto('admin_messages')
    .values([
      { ...message, created_at: '2026-01-01T00:00:00.000Z' },
      {
        ...message,
        id: 'n',
        title: 'Old news',
        is_active: 0,
        created_at: '2026-01-01T00:00:00.000Z',
      },
    ])
    .execute()
  const { html } = await look()
  expect(html).toContain('<h3>Thank you</h3><p>Be safe</p>')
  expect(html).not.toContain('Old news')
})

test('HEAD is answered like GET, without a body', async () => {
  const { look } = await openScanned()
  const { response, html } = await look({}, '', 'HEAD')
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(html).toBe('')
})

test('a page view is counted before it is answered, with its kind and nothing of the person', async () => {
  const { look, db, code } = await openScanned()
  await look({
    'user-agent': 'Mozilla/5.0 (Linux; Android 14; Pixel 8) Mobile Safari/537.36',
    referer: 'https://www.google.com/',
    'x-forwarded-for': '203.0.113.9',
  })
  expect(await db.selectFrom('scans').selectAll().execute()).toEqual([
    {
      qr_id: code.qr_id,
      scanned_at: '2026-11-20T10:00:00.000Z',
      n: expect.any(Number),
      device: 'phone',
      referrer: 'search',
      replaced_id: null,
    },
  ])
})

test('a finder who comes back from the papers is counted once, a copied address is a scan', async () => {
  const { ask, path, countScans } = await openScanned()
  const back = (site: string) =>
    ask('GET', `${path}?seen=1`, { headers: { 'Sec-Fetch-Site': site } })
  expect(await (await back('same-origin')).text()).toContain('Found these keys?')
  expect(await countScans()).toBe(0)
  for (const site of ['none', 'cross-site', 'same-site']) await back(site)
  await ask('GET', `${path}?seen=1`)
  await ask('GET', path, { headers: { 'Sec-Fetch-Site': 'same-origin' } })
  expect(await countScans()).toBe(5)
})

test('prefetches, HEAD and robots that read links are not counted; a nameless client is', async () => {
  const { look, countScans } = await openScanned()
  await look({ 'sec-purpose': 'prefetch;prerender' })
  await look({ purpose: 'prefetch' })
  await look({ 'user-agent': 'WhatsApp/2.23.20.0' })
  await look({ 'user-agent': 'facebookexternalhit/1.1' })
  await look({ 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' })
  await look({}, '', 'HEAD')
  expect(await countScans()).toBe(0)
  await look()
  expect(await countScans()).toBe(1)
})

test('parallel finders are all counted', async () => {
  const { look, countScans } = await openScanned({}, { env: { RATE_LIMITS: 'off' } })
  const pages = await Promise.all(Array.from({ length: 100 }, () => look()))
  expect(pages.every(({ html }) => html.includes(FOUND))).toBe(true)
  expect(await countScans()).toBe(100)
})

testOnSqlite('a finder sees the page when the count fails, and the log names it', async () => {
  const { look, connection, countScans, logged } = await openScanned()
  connection.exec(`create trigger full before insert on scans
    begin select raise(abort, 'database or disk is full'); end`)
  const { response, html } = await look()
  expect(response.status).toBe(200)
  expect(html).toContain(FOUND)
  const line = logged.map((text) => JSON.parse(text)).find(({ msg }) => msg === 'scan not counted')
  expect(line.requestId).toBe(response.headers.get('x-request-id'))
  expect(line.err.message).toBe('database or disk is full')
  connection.exec('drop trigger full')
  await look()
  expect(await countScans()).toBe(1)
})

test('without a cookie no session is looked up, and the code is read once', async () => {
  const { look, deps } = await openScanned()
  deps.sessions.findByCookie = () => {
    throw new Error('a session was looked up')
  }
  let asked = 0
  const { find } = deps.scanPath
  deps.scanPath.find = (qrId) => {
    asked++
    return find(qrId)
  }
  expect((await look()).html).toContain(FOUND)
  expect(asked).toBe(1)
})

test('a blocked owner’s code still reaches the owner', async () => {
  const { look, db, owner } = await openScanned()
  await db.updateTable('accounts').set({ is_active: 0 }).where('id', '=', owner.id).execute()
  expect((await look()).html).toContain(FOUND)
})

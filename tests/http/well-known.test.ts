import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '#config.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { CHILD, UNCLAIMED } from '#tests/support/families.ts'

const PUBLIC_URL = 'https://keys.example.in'

test.each([
  ['/favicon.ico', /^image\/(x-icon|vnd\.microsoft\.icon)/, '00000100'],
  ['/apple-touch-icon.png', /^image\/png/, '89504e47'],
])('%s is the icon itself, kept for a day', async (path, type, magic) => {
  const { ask } = await openTestApp()
  const answer = await ask('GET', path)
  expect([answer.status, answer.headers.get('Cache-Control')]).toEqual([
    200,
    'public, max-age=86400',
  ])
  expect(answer.headers.get('Content-Type')).toMatch(type)
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(bytes.subarray(0, 4).toString('hex')).toBe(magic)
})

test.each(['/assets/nope.js', '/assets/', '/.well-known/nope', '/internal/nope'])(
  '%s is for programs, which would take the home page for an answer: 404',
  async (path) => {
    const { ask } = await openTestApp()
    const answer = await ask('GET', path)
    expect([answer.status, await answer.text()]).toEqual([404, 'Not found'])
    expect(answer.headers.get('Location')).toBeNull()
  },
)

test.each(['/api/auth/me', '/api/qr/my-qrs', '/api/admin/users'])(
  'a 401 says by which scheme %s is opened',
  async (path) => {
    const { ask } = await openTestApp()
    for (const Authorization of ['', 'Bearer dqk_wrong']) {
      const answer = await ask('GET', path, { headers: { Authorization } })
      expect([answer.status, answer.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer'])
    }
  },
)

test('a wrong password is a 401 with the scheme too', async () => {
  const { ask } = await openTestApp()
  const json = { contact: 'nobody@example.in', password: 'wrong-password' }
  const answer = await ask('POST', '/api/auth/login', { json })
  expect([answer.status, answer.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer'])
})

test('the service worker is asked for each time, and may only call the API', async () => {
  const { ask, deps } = await openTestApp()
  const answer = await ask('GET', '/sw.js')
  expect([answer.status, await answer.text()]).toEqual([200, deps.assets.serviceWorker])
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': expect.stringMatching(/^text\/javascript/),
    'cache-control': 'no-cache',
    'content-security-policy': "default-src 'none'; connect-src 'self'; img-src 'self'",
    'x-content-type-options': 'nosniff',
  })
})

test('the manifest installs the dashboard under icons that there are', async () => {
  const { ask } = await openTestApp()
  const answer = await ask('GET', '/manifest.webmanifest')
  expect(answer.headers.get('Content-Type')).toMatch(/^application\/manifest\+json/)
  const { icons, ...manifest } = await answer.json()
  expect(manifest).toMatchObject({
    name: 'DriveQR',
    start_url: '/dashboard',
    display: 'standalone',
    theme_color: '#1a1710',
  })
  for (const { src, sizes, type } of icons) {
    const bytes = readFileSync(join('components/icons', basename(src)))
    const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
    expect([src, `${width}x${height}`]).toEqual([`/assets/${basename(src)}`, sizes])
    expect([type, bytes.subarray(1, 4).toString()]).toEqual(['image/png', 'PNG'])
  }
  expect(
    icons.map(({ sizes, purpose = 'any' }: Record<string, string>) => `${sizes} ${purpose}`),
  ).toEqual(['192x192 any', '512x512 any', '512x512 maskable'])
})

test('signed-in pages name the manifest, and public ones do not', async () => {
  const { ask, db, signUp } = await openTestApp()
  const { id, cookie } = await signUp()
  const { qr_id } = await insertCode(db, id)
  const names = async (path: string, headers = {}) =>
    (await (await ask('GET', path, { headers })).text()).includes('manifest')
  expect(await names('/dashboard', { cookie })).toBe(true)
  for (const path of ['/', '/login', '/terms', `/scan/${qr_id}`, `/scan/${qr_id}/message`]) {
    expect([path, await names(path)]).toEqual([path, false])
  }
})

test('robots.txt excludes every page but those that search engines may list, and names the map', async () => {
  const { ask, app } = await openTestApp({ env: { PUBLIC_URL } })
  const answer = await ask('GET', '/robots.txt')
  expect(answer.headers.get('Content-Type')).toContain('text/plain')
  const text = await answer.text()
  const rules = [...text.matchAll(/^(Allow|Disallow): (.*)$/gm)]
  /** The longest rule counts, as RFC 9309 says. */
  const isOpen = (path: string) =>
    rules
      .filter(([, , start = '']) => path.startsWith(start))
      .sort(([, , a = ''], [, , b = '']) => b.length - a.length)[0]?.[1] !== 'Disallow'
  const pages = app.routes.filter(({ method, path }) => method === 'GET' && !path.endsWith('*'))
  const open = new Set(pages.map(({ path }) => path).filter(isOpen))
  const ofFinders = [...open].filter((path) => /^\/(?:scan|c)\//.test(path))
  expect(ofFinders).toEqual(expect.arrayContaining(['/scan/:qr_id', '/c/:token']))
  expect([...open].filter((path) => !ofFinders.includes(path)).sort()).toEqual([
    '/',
    '/.well-known/change-password',
    '/.well-known/driveqr-domain',
    '/.well-known/security.txt',
    '/api/docs',
    '/apple-touch-icon.png',
    '/favicon.ico',
    '/login',
    '/manifest.webmanifest',
    '/privacy',
    '/robots.txt',
    '/sitemap.xml',
    '/sw.js',
    '/terms',
  ])
  expect(isOpen('/transfer/a-token')).toBe(false)
  expect(text).toContain(`Sitemap: ${PUBLIC_URL}/sitemap.xml\n`)
})

test('the map has pages that search engines may open and list, under PUBLIC_URL', async () => {
  const { ask } = await openTestApp({ env: { PUBLIC_URL } })
  const answer = await ask('GET', '/sitemap.xml')
  expect(answer.headers.get('Content-Type')).toContain('xml')
  const urls = [...(await answer.text()).matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url)
  expect(urls).toContain(`${PUBLIC_URL}/`)
  const robots = await (await ask('GET', '/robots.txt')).text()
  const closed = [...robots.matchAll(/^Disallow: (.*)$/gm)].map(([, path = '']) => path)
  for (const url of urls) {
    expect(url?.startsWith(`${PUBLIC_URL}/`)).toBe(true)
    const path = url?.slice(PUBLIC_URL.length) ?? ''
    const isAllowed = robots.includes(`Allow: ${path}\n`)
    expect(isAllowed || !closed.some((each) => path.startsWith(each))).toBe(true)
    const page = await ask('GET', path)
    expect([path, page.status]).toEqual([path, 200])
    expect(await page.text()).not.toContain('noindex')
  }
})

test('every public page says in a sentence what it is', async () => {
  const { ask, db, signUp } = await openTestApp()
  const { id } = await signUp()
  const codes = {
    own: (await insertCode(db, id)).qr_id,
    unclaimed: (await insertCode(db, id, UNCLAIMED)).qr_id,
    child: (await insertCode(db, id, CHILD)).qr_id,
  }
  const paths = [
    '/',
    '/login',
    '/login?mode=register',
    '/terms',
    '/privacy',
    '/api/docs',
    '/scan/DEMO',
    `/scan/${codes.own}`,
    `/scan/${codes.child}`,
    '/scan/none',
    `/police/${codes.own}`,
    '/police/none',
    `/claim?qr=${codes.unclaimed}`,
    `/claim?qr=${codes.own}`,
    `/child-register?qr=${codes.child}`,
    '/reset-password?token=none',
    '/take/none',
    '/invite/none',
  ]
  for (const path of paths) {
    const html = await (await ask('GET', path)).text()
    const [, description] = html.match(/<meta name="description" content="([^"]+)"/) ?? []
    expect([path, description]).toEqual([path, expect.stringMatching(/^.{10,160}$/)])
  }
})

test('a password manager is led to where the password is changed', async () => {
  const { ask } = await openTestApp()
  const answer = await ask('GET', '/.well-known/change-password')
  expect([answer.status, answer.headers.get('Location')]).toEqual([302, '/settings/security'])
})

test('it believes that, because what is not well known is not found', async () => {
  const { ask } = await openTestApp()
  const probe = '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200'
  for (const path of [probe, `${probe}/`]) expect((await ask('GET', path)).status).toBe(404)
})

test.each([
  ['security@example.in', 'mailto:security@example.in'],
  ['mailto:security@example.in', 'mailto:security@example.in'],
  ['https://example.in/security', 'https://example.in/security'],
])('a person who finds a fault is led to %s', async (SECURITY_CONTACT, contact) => {
  const { ask } = await openTestApp({ env: { PUBLIC_URL, SECURITY_CONTACT } })
  const answer = await ask('GET', '/.well-known/security.txt')
  expect(answer.headers.get('Content-Type')).toMatch(/^text\/plain/)
  expect(await answer.text()).toBe(
    [
      `Contact: ${contact}`,
      'Expires: 2027-05-19T10:00:00.000Z',
      'Preferred-Languages: en, hi',
      `Canonical: ${PUBLIC_URL}/.well-known/security.txt`,
      '',
    ].join('\n'),
  )
})

test('without a contact there is no file that names one, and a wrong one stops the start', async () => {
  const { ask } = await openTestApp()
  expect((await ask('GET', '/.well-known/security.txt')).status).toBe(404)
  for (const SECURITY_CONTACT of ['nobody', 'http://example.in', 'mailto:a', 'xmpp:a@example.in']) {
    expect(() => readConfig({ SECURITY_CONTACT })).toThrow(
      'SECURITY_CONTACT must be an email or an https address',
    )
  }
})

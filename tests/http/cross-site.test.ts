import { expect, test } from 'vitest'
import { openTestApp } from '#tests/support/app.ts'
import { openUncounted, readSections } from '#tests/support/authorisation.ts'
import { openFound } from '#tests/support/finder.ts'
import { answerTo, type identify } from '#tests/support/principals.ts'

const calls = readSections().flatMap(({ rows }) => rows.map(({ call }) => call))
const writing = calls.filter((call) => !call.startsWith('GET '))

test.each(['cross-site', 'same-site'])(
  'every form and call from a page of another site (%s) is refused, even to a super admin',
  async (site) => {
    expect(writing.length).toBeGreaterThan(100)
    const app = await openUncounted()
    const byCookie: typeof identify = async ({ deps }, _who, account) => {
      const { cookieToken } = await deps.sessions.start(account)
      return { Cookie: `driveqr=${cookieToken}`, 'Sec-Fetch-Site': site }
    }
    for (const call of writing) {
      expect([call, await answerTo(app, 'super_admin', call, byCookie)]).toEqual([call, '403'])
    }
  },
)

test.each<Record<string, string>>([
  { Origin: 'null' },
  { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' },
  { 'Sec-Fetch-Site': 'none' },
  {},
])('a finder’s browser may send forms with the headers %j', async (headers) => {
  const { send, fillIn, code, ask, post } = await openFinder()
  const { response } = await send(await fillIn(), { headers })
  const page = response.headers.get('Location') ?? ''
  expect(response.status).toBe(303)
  expect((await post(page, { text: 'I wait' }, headers)).status).toBe(303)
  expect((await post(`${page}/stop`, {}, headers)).status).toBe(303)
  expect((await post(`/scan/${code.qr_id}/report`, { reason: 'spam' }, headers)).status).toBe(303)
  expect((await ask('GET', page)).status).toBe(404)
})

async function openFinder() {
  const app = await openFound()
  const post = (path: string, fields: Record<string, string>, headers: Record<string, string>) =>
    app.ask('POST', path, { body: new URLSearchParams(fields), headers })
  return { ...app, post }
}

test.each([
  ['https://keys.local', 'http://pi.lan:5300'],
  ['https://keys.local', 'https://keys.local:5311'],
  ['http://localhost:5300', 'http://pi.lan:5300'],
])(
  'a form of the site %s that was opened at %s is refused with both addresses and a link, and logged',
  async (PUBLIC_URL, opened) => {
    const app = await openTestApp({ env: { PUBLIC_URL } })
    const { cookie } = await app.signUp()
    const headers = { Origin: opened, Host: new URL(opened).host, Cookie: cookie }
    const sent = { body: new URLSearchParams({ theme: 'dark' }), headers }
    const page = await app.ask('POST', '/appearance', sent)
    const detail = `This site is at ${PUBLIC_URL}; you opened ${opened}`
    const html = await page.text()
    expect([
      page.status,
      html.includes(detail),
      html.includes(`href="${PUBLIC_URL}/appearance"`),
    ]).toEqual([403, true, true])
    const call = await app.ask('POST', '/api/auth/logout', { headers })
    expect([call.status, await call.json()]).toEqual([403, { detail }])
    expect(app.logged.join()).toContain(`"opened":"${opened}"`)
    const strange = await app.ask('POST', '/api/auth/logout', {
      headers: { ...headers, Origin: 'https://evil.example' },
    })
    expect(await strange.json()).toEqual({ detail: 'This request came from another site' })
  },
)

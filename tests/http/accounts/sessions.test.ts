import { describe, expect, test } from 'vitest'
import { EMAIL, post, WITH_MAIL } from '#tests/support/accounts.ts'
import { openTestApp, PASSWORD } from '#tests/support/app.ts'
import { browserOf } from '#tests/support/browser.ts'

const PHONE =
  'Mozilla/5.0 (Linux; Android 14; Redmi) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36'
const LAPTOP = 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0'

async function openInstallation() {
  const app = await openTestApp(WITH_MAIL)
  const owner = await app.signUp({ email: EMAIL })
  const signIn = async (userAgent: string) => {
    const json = { contact: EMAIL, password: PASSWORD }
    const { body } = await post(app, 'login', json, { 'User-Agent': userAgent })
    return { bearerToken: body.session_token as string }
  }
  const list = async (as: { bearerToken: string }) =>
    (await app.ask('GET', '/api/account/sessions', { as })).json()
  const isSignedIn = async (as: { bearerToken: string }) =>
    (await app.ask('GET', '/api/auth/me', { as })).status === 200
  return { ...app, owner, signIn, list, isSignedIn }
}

describe('the list of sessions', () => {
  test('says device, browser, first and last use, and which one asks, and no address', async () => {
    const { advance, signIn, list } = await openInstallation()
    advance(86_400)
    await signIn(LAPTOP)
    advance(7200)
    const phone = await signIn(PHONE)
    const sessions = await list(phone)
    expect(sessions.map(({ id: _, ...session }: { id: string }) => session)).toEqual([
      {
        device: 'phone',
        browser: 'Chrome on Android',
        created_at: '2026-11-21T12:00:00.000Z',
        last_used_at: '2026-11-21T12:00:00.000Z',
        current: true,
      },
      {
        device: 'desktop',
        browser: 'Firefox on Windows',
        created_at: '2026-11-21T10:00:00.000Z',
        last_used_at: '2026-11-21T10:00:00.000Z',
        current: false,
      },
      {
        device: 'other',
        browser: null,
        created_at: '2026-11-20T10:00:00.000Z',
        last_used_at: '2026-11-20T10:00:00.000Z',
        current: false,
      },
    ])
  })

  test('leaves out those that have ended by themselves', async () => {
    const { advance, signIn, list } = await openInstallation()
    advance(31 * 86_400)
    expect(await list(await signIn(PHONE))).toHaveLength(1)
  })

  test('ends one of them by its id, and that is signed out at once', async () => {
    const { ask, signIn, list, isSignedIn } = await openInstallation()
    const [laptop, phone] = [await signIn(LAPTOP), await signIn(PHONE)]
    const { id } = (await list(phone)).find(
      ({ device }: { device: string }) => device === 'desktop',
    )
    const ended = await ask('DELETE', `/api/account/sessions/${id}`, { as: phone })
    expect([ended.status, await ended.json()]).toEqual([200, { message: 'Signed out there' }])
    expect([await isSignedIn(laptop), await isSignedIn(phone)]).toEqual([false, true])
    expect((await ask('DELETE', `/api/account/sessions/${id}`, { as: phone })).status).toBe(404)
  })

  test('ends every other one, and never those of another account', async () => {
    const { ask, signUp, owner, signIn, isSignedIn, list } = await openInstallation()
    const stranger = await signUp()
    const [laptop, phone] = [await signIn(LAPTOP), await signIn(PHONE)]
    const [theirs] = await list(stranger)
    expect((await ask('DELETE', `/api/account/sessions/${theirs.id}`, { as: phone })).status).toBe(
      404,
    )
    const ended = await ask('DELETE', '/api/account/sessions', { as: phone })
    expect(await ended.json()).toEqual({ message: 'Signed out everywhere else', ended: 2 })
    const all = [owner, laptop, phone, stranger].map(isSignedIn)
    expect(await Promise.all(all)).toEqual([false, false, true, true])
  })

  test('has ids that sign nobody in', async () => {
    const { ask, signIn, list } = await openInstallation()
    const [{ id }] = await list(await signIn(PHONE))
    expect((await ask('GET', '/api/auth/me', { as: { bearerToken: id } })).status).toBe(401)
    const headers = { Cookie: `driveqr=${id}` }
    expect((await ask('GET', '/dashboard', { headers })).headers.get('Location')).toBe('/login')
  })
})

test('the page of security lists them, and its forms end them', async () => {
  const { owner, signIn, isSignedIn, ...app } = await openInstallation()
  const { read, submit } = browserOf(app, owner)
  const [laptop, phone] = [await signIn(LAPTOP), await signIn(PHONE)]
  const html = await read('/settings/security')
  expect(html).toContain('This device')
  expect(html).toContain('Firefox on Windows')
  expect(html).toContain('First used 20 Nov 2026, last used today')
  const [action = ''] = /\/settings\/security\/sessions\/\w{64}\/end/.exec(html) ?? []
  expect((await submit(action)).to).toBe('/settings/security?done=signed-out')
  expect([await isSignedIn(laptop), await isSignedIn(phone)].sort()).toEqual([false, true])
  const others = await submit('/settings/security/sessions/end')
  expect(others.to).toBe('/settings/security?done=others-signed-out')
  expect([await isSignedIn(laptop), await isSignedIn(phone)]).toEqual([false, false])
  expect(await read('/settings/security')).not.toContain('Sign out everywhere else')
})

test('a sign-in on a new device mails what, when, the kind of device and the way to the sessions', async () => {
  const { mails, signIn, advance } = await openInstallation()
  advance(2 * 86_400)
  await signIn(PHONE)
  const mail = mails.at(-1)
  expect(mail?.subject).toBe('New sign-in to your DriveQR account')
  const text = mail?.text.replaceAll(/\s+/g, ' ')
  expect(text).toContain('On 22 Nov 2026, 3:30 pm (Asia/Kolkata)')
  expect(text).toContain('on a phone (Chrome on Android)')
  expect(text).toContain('http://localhost:3000/settings/security')
})

import { Hono } from 'hono'
import { expect, test } from 'vitest'
import type { Account } from '#db/schema.ts'
import { hashPassword } from '#db/secrets.ts'
import {
  currentDevice,
  isKnownDeviceFrom,
  knownDevice,
  readDevices,
} from '#routes/_http/accounts/device.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { type Answered, post } from '#tests/support/accounts.ts'
import { NOW, openTestApp, PASSWORD, type TestApp } from '#tests/support/app.ts'

const DAY = 86_400

/** Signs in with a browser that has this cookie; answers the cookie that it has afterwards. */
async function signIn(app: TestApp, contact: string, cookie = ''): Promise<string> {
  const headers = { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' }
  const answer = await post(app, 'login', { contact, password: PASSWORD }, headers)
  expect(answer.status).toBe(200)
  return deviceLine(answer).split(';')[0] ?? ''
}

function deviceLine({ headers }: Answered): string {
  return headers.getSetCookie().find((each) => each.startsWith('driveqr-device=')) ?? ''
}

async function ask<T>({ deps }: TestApp, cookie: string, read: (c: AppContext) => T): Promise<T> {
  let answer: { value: T } | undefined
  const app = new Hono<AppEnv>()
  app.get('/', (c) => {
    c.set('deps', deps)
    answer = { value: read(c) }
    return c.text('')
  })
  await app.request('/', { headers: { Cookie: cookie } })
  if (!answer) throw new Error('The request failed')
  return answer.value
}

test('a sign-in makes the browser a device that the account knows for 400 days', async () => {
  const app = await openTestApp()
  const { id } = await app.signUp({ email: 'asha@example.in' })
  const answer = await post(app, 'login', { contact: 'asha@example.in', password: PASSWORD })
  expect(deviceLine(answer)).toMatch(
    /^driveqr-device=[^;]+; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/,
  )
  const cookie = deviceLine(answer).split(';')[0] ?? ''
  expect(cookie).not.toContain(id)
  expect(await ask(app, cookie, (c) => knownDevice(c, id))).toMatchObject({ since: NOW })
  app.advance(400 * DAY)
  expect(await ask(app, cookie, (c) => knownDevice(c, id))).toBeUndefined()
})

test('the device cookie of an https service goes to that host alone', async () => {
  const app = await openTestApp({ env: { PUBLIC_URL: 'https://qr.example.in' } })
  await app.signUp({ email: 'asha@example.in' })
  const { headers } = await post(app, 'login', { contact: 'asha@example.in', password: PASSWORD })
  expect(headers.getSetCookie().join('\n')).toMatch(/__Host-driveqr-device=[^\n]+; Secure/)
})

test('a later sign-in keeps the device and its first day', async () => {
  const app = await openTestApp()
  const { id } = await app.signUp({ email: 'asha@example.in' })
  const first = await signIn(app, 'asha@example.in')
  const before = await ask(app, first, (c) => knownDevice(c, id))
  app.advance(DAY)
  const second = await signIn(app, 'asha@example.in', first)
  expect(await ask(app, second, (c) => knownDevice(c, id))).toEqual(before)
})

test('two people who share a browser each have a known device of their own', async () => {
  const app = await openTestApp()
  const asha = await app.signUp({ email: 'asha@example.in' })
  const ravi = await app.signUp({ email: 'ravi@example.in' })
  const cookie = await signIn(app, 'ravi@example.in', await signIn(app, 'asha@example.in'))
  const [hers, his] = await ask(app, cookie, (c) => [
    knownDevice(c, asha.id)?.id,
    knownDevice(c, ravi.id)?.id,
  ])
  expect(hers).toMatch(/^[\w-]{16}$/)
  expect(his).toMatch(/^[\w-]{16}$/)
  expect(hers).not.toBe(his)
})

test('a browser keeps the five accounts that signed in last', async () => {
  const app = await openTestApp()
  const accounts: Account[] = []
  let cookie = ''
  for (const n of [1, 2, 3, 4, 5, 6]) {
    accounts.push(await app.signUp({ email: `member${n}@example.in` }))
    cookie = await signIn(app, `member${n}@example.in`, cookie)
  }
  const known = await ask(app, cookie, (c) => accounts.map(({ id }) => !!knownDevice(c, id)))
  expect(known).toEqual([false, true, true, true, true, true])
  expect(await ask(app, cookie, (c) => readDevices(c).length)).toBe(5)
})

test('a device is known from before a time only if it signed in before it', async () => {
  const app = await openTestApp()
  const { id } = await app.signUp({ email: 'asha@example.in' })
  const cookie = await signIn(app, 'asha@example.in')
  const later = '2026-11-20T10:00:00.001Z'
  expect(await ask(app, cookie, (c) => isKnownDeviceFrom(c, id, later))).toBe(true)
  expect(await ask(app, cookie, (c) => isKnownDeviceFrom(c, id, NOW))).toBe(false)
})

test('a device is current only once the account signed in there with its new password', async () => {
  const app = await openTestApp()
  const contact = 'asha@example.in'
  const before = await app.signUp({ email: contact })
  const cookie = await signIn(app, contact)
  expect(await ask(app, cookie, (c) => currentDevice(c, before)?.since)).toBe(NOW)
  const password_hash = await hashPassword(PASSWORD)
  await app.db.updateTable('accounts').set({ password_hash }).execute()
  const after = { ...before, password_hash }
  expect(await ask(app, cookie, (c) => currentDevice(c, after))).toBeUndefined()
  expect(await ask(app, cookie, (c) => knownDevice(c, after.id)?.since)).toBe(NOW)
  app.advance(DAY)
  const again = await signIn(app, contact, cookie)
  expect(await ask(app, again, (c) => currentDevice(c, after)?.since)).toBe(NOW)
})

test('a device whose day was changed, or which is another account’s, is not known', async () => {
  const app = await openTestApp()
  const asha = await app.signUp({ email: 'asha@example.in' })
  const ravi = await app.signUp({ email: 'ravi@example.in' })
  const cookie = await signIn(app, 'asha@example.in')
  const older = cookie.replace(/\.(\d+)\./, (_, at) => `.${Number(at) - 1}.`)
  expect(older).not.toBe(cookie)
  expect(await ask(app, cookie, (c) => knownDevice(c, ravi.id))).toBeUndefined()
  expect(await ask(app, older, (c) => knownDevice(c, asha.id))).toBeUndefined()
})

import { expect, test } from 'vitest'
import { aboutPassword } from '#actions/accounts/security-alerts.ts'
import { giveNewPassword } from '#db/accounts/account-changes.ts'
import { createApiKey } from '#db/accounts/api-keys.ts'
import { addChannel } from '#db/alerts/channels.ts'
import { hashPassword } from '#db/secrets.ts'
import { post, WITH_MAIL } from '#tests/support/accounts.ts'
import { openTestApp, PASSWORD } from '#tests/support/app.ts'
import { browserOf } from '#tests/support/browser.ts'
import { newCaller } from '#tests/support/callers.ts'
import { thingsOf } from '#tests/support/things.ts'

const BY_MOBILE = { email: null, mobile: '+919876543210' }
const NOTICE_FORM = 'action="/dashboard/ended-access"'

type Account = Parameters<Awaited<ReturnType<typeof openTestApp>>['signUp']>[0]

/** Opens an account with two API keys, a shared link and two channels. `setPassword` sets its password as the operator, and signs in. */
async function openReset(person: Account, options: Parameters<typeof openTestApp>[0] = WITH_MAIL) {
  const app = await openTestApp(options)
  const { db, deps } = app
  const account = await app.signUp({ subscription_plan: 'enterprise', ...person })
  const contact = account.email ?? account.mobile ?? ''
  const addKey = async (name: string) =>
    createApiKey(db, await newCaller(app, account.id), name, deps.clock(), async () => {})
  async function setPassword(password: string) {
    const passwordHash = await hashPassword(password)
    const set = { contact, passwordHash }
    await giveNewPassword(db, deps.secretKey, set, deps.clock(), aboutPassword(deps, 'operator'))
    const { headers } = await post(app, 'login', { contact, password })
    const cookies = headers.getSetCookie().map((line) => line.split(';')[0])
    return { cookie: cookies.join('; ') }
  }
  type Who = { cookie: string }
  const open = (as: Who, path = '/dashboard') => browserOf(app, as).read(path)
  async function dismiss(as: Who, html: string) {
    const until = /name="until" value="([^"]+)"/.exec(html)?.[1] ?? ''
    return (await browserOf(app, as).submit('/dashboard/ended-access', { until })).status
  }
  await addKey('Till')
  await addKey('See evil.com')
  await thingsOf(app, account).shareToken()
  for (const kind of ['push', 'ntfy'] as const) {
    const channel = { kind, name: 'x', address: 'x', target: {} }
    await addChannel(db, deps.secretKey, account.id, channel, deps.clock())
  }
  return { ...app, account, addKey, setPassword, open, dismiss }
}

test('an account without an e-mail address sees the access that a new password ended, until it dismisses the notice', async () => {
  const { setPassword, open, dismiss, mails } = await openReset(BY_MOBILE)
  const as = await setPassword('second horse')
  const html = await open(as)
  expect(html).toContain('On 20 Nov 2026, 3:30 pm all access to your account ended.')
  expect(html).toContain('These API keys have ended: “See evil. com”, “Till”.')
  expect(html).toContain('One shared link has ended.')
  expect(html).toContain('Alerts do not come by Push, ntfy any more.')
  expect(await open(as, '/dashboard?tab=gallery')).toContain(NOTICE_FORM)
  expect(await open(as)).toContain(NOTICE_FORM)
  expect(await dismiss(as, html)).toBe(303)
  expect(await open(as)).not.toContain(NOTICE_FORM)
  expect(mails).toEqual([])
})

test('dismissing a notice keeps the access that ended after the page was opened', async () => {
  const { setPassword, addKey, open, dismiss, advance } = await openReset(BY_MOBILE)
  const first = await open(await setPassword('second horse'))
  advance(60)
  await addKey('Second')
  const as = await setPassword('third horse')
  expect(await dismiss(as, first)).toBe(303)
  const html = await open(as)
  expect(html).toContain('“Second”')
  expect(html).not.toContain('“Till”')
})

test('an account that gets a mail has no notice, and without a mail server it has one', async () => {
  const mailed = await openReset({})
  expect(await mailed.open(await mailed.setPassword('second horse'))).not.toContain(NOTICE_FORM)
  expect(mailed.mails.at(-1)?.text).toContain('“Till”')
  const unmailed = await openReset({}, {})
  expect(await unmailed.open(await unmailed.setPassword('second horse'))).toContain(NOTICE_FORM)
})

test('there is no notice when nothing ended, or about another account', async () => {
  const app = await openTestApp(WITH_MAIL)
  const { db, deps } = app
  const { mobile } = await app.signUp(BY_MOBILE)
  const set = { contact: mobile ?? '', passwordHash: await hashPassword(PASSWORD) }
  await giveNewPassword(db, deps.secretKey, set, deps.clock(), aboutPassword(deps, 'operator'))
  expect(await db.selectFrom('ended_access').select('id').execute()).toEqual([])
  const other = await openReset(BY_MOBILE)
  const stranger = await other.signUp()
  await other.setPassword('second horse')
  expect(await other.open(stranger)).not.toContain(NOTICE_FORM)
  expect(await other.dismiss(stranger, 'name="until" value="9999"')).toBe(303)
  expect(await other.db.selectFrom('ended_access').select('id').execute()).toHaveLength(1)
})

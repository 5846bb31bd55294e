import { describe, expect, test } from 'vitest'
import { fileUrl } from '#actions/papers/view.ts'
import { setBlocked } from '#db/accounts/account-changes.ts'
import { getAccount } from '#db/accounts/accounts.ts'
import { createApiKey } from '#db/accounts/api-keys.ts'
import { setPassword } from '#db/accounts/passwords.ts'
import { endDuePermissions, setPermission } from '#db/accounts/permission-types.ts'
import { addChannel, listChannels } from '#db/alerts/channels.ts'
import { makeTelegramCode, redeemTelegramCode } from '#db/alerts/telegram-codes.ts'
import { inTransaction } from '#db/transaction.ts'
import { EMAIL, mailedOtp, post, WITH_MAIL } from '#tests/support/accounts.ts'
import { openTestApp, PASSWORD, type TestApp } from '#tests/support/app.ts'
import { askSlowly, newCaller } from '#tests/support/callers.ts'
import { raceStatuses } from '#tests/support/races.ts'
import { thingsOf } from '#tests/support/things.ts'

const OPEN = [200, 200, 200, 200]
const ENDED = [401, 401, 404, 401]

/** An account with a session, an API key, a shared link and a private file. */
async function openIntruded(options: Parameters<typeof openTestApp>[0] = WITH_MAIL) {
  const app = await openTestApp(options)
  const account = await app.signUp({ email: EMAIL, subscription_plan: 'enterprise' })
  const { key } = await createApiKey(
    app.db,
    await newCaller(app, account.id),
    'Till',
    new Date(),
    async () => {},
  )
  const things = thingsOf(app, account)
  const link = `/shared/${await things.shareToken()}`
  const file = fileUrl(await things.file())
  const statuses = async () => [
    (await app.ask('GET', '/api/qr/my-qrs', { as: account })).status,
    (await app.ask('GET', '/api/qr/my-qrs', { as: { bearerToken: key } })).status,
    (await app.ask('GET', link)).status,
    (await app.ask('GET', file, { as: { bearerToken: key } })).status,
  ]
  expect(await statuses()).toEqual(OPEN)
  return { ...app, account, statuses, link }
}

/** A new key of the account, and the status of a call with it. */
async function addKey(app: TestApp & { account: { id: string } }) {
  const caller = await newCaller(app, app.account.id)
  const { key } = await createApiKey(app.db, caller, 'Second', new Date(), async () => {})
  const call = async () =>
    (await app.ask('GET', '/api/qr/my-qrs', { as: { bearerToken: key } })).status
  return [key, call] as const
}

describe('a password that is set', () => {
  test('by a one-time code ends sessions, API keys and shared links, and mails which', async () => {
    const app = await openIntruded()
    await post(app, 'forgot-password', { contact: EMAIL })
    const form = { contact: EMAIL, otp: mailedOtp(app), password: 'second horse' }
    expect((await post(app, 'reset-password', form)).status).toBe(200)
    expect(await app.statuses()).toEqual(ENDED)
    const mail = app.mails.at(-1)
    expect(mail).toMatchObject({ to: EMAIL, subject: 'Your DriveQR password was changed' })
    const text = mail?.text.replaceAll('\n', ' ')
    expect(text).toContain('On 20 Nov 2026, 3:30 pm (Asia/Kolkata) the password')
    expect(text).toContain(
      'was set on a device with a one-time code that was mailed to this address',
    )
    expect(text).toContain('These API keys have ended: “Till”. You can make new ones')
    expect(text).toContain('One shared link has ended.')
    for (const secret of ['second horse', form.otp]) expect(text).not.toContain(secret)
  })

  test('ends the channels of alerts, which somebody else may have connected, and mails which', async () => {
    const app = await openIntruded()
    const { db, deps, account } = app
    const ntfy = { kind: 'ntfy', name: 'x', address: 'x', target: { url: 'x' } } as const
    await addChannel(db, deps.secretKey, account.id, ntfy, deps.clock())
    const code = await makeTelegramCode(db, account.id, deps.clock())
    await post(app, 'forgot-password', { contact: EMAIL })
    const form = { contact: EMAIL, otp: mailedOtp(app), password: 'second horse' }
    expect((await post(app, 'reset-password', form)).status).toBe(200)
    const chat = { id: 1, name: '@intruder' }
    expect(await redeemTelegramCode(db, deps.secretKey, { code, chat }, deps.clock())).toBe(
      undefined,
    )
    expect(await listChannels(db, deps.secretKey, account.id)).toMatchObject([{ kind: 'email' }])
    expect(app.mails.at(-1)?.text.replaceAll('\n', ' ')).toContain(
      'Alerts do not come by ntfy any more. You can connect again in the settings.',
    )
  })

  test('leaves another account’s keys and links as they are', async () => {
    const app = await openIntruded()
    await app.signUp({ email: 'ravi@example.in' })
    await post(app, 'forgot-password', { contact: 'ravi@example.in' })
    const form = { contact: 'ravi@example.in', otp: mailedOtp(app), password: 'second horse' }
    expect((await post(app, 'reset-password', form)).status).toBe(200)
    expect(await app.statuses()).toEqual(OPEN)
  })

  test('twenty times at once is mailed as often as it is set', async () => {
    const app = await openIntruded()
    await post(app, 'forgot-password', { contact: EMAIL })
    const form = { contact: EMAIL, otp: mailedOtp(app), password: 'second horse' }
    const statuses = await raceStatuses(() => post(app, 'reset-password', form))
    expect(statuses[200]).toBe(1)
    const { subject } = app.mails.at(-1) ?? {}
    expect(app.mails.filter((mail) => mail.subject === subject)).toHaveLength(1)
  })
})

describe('a request that was under way when a password was set', () => {
  const rows = async ({ db }: TestApp) => [
    ...(await db.selectFrom('api_keys').select('id').execute()),
    ...(await db.selectFrom('share_links').select('token_hash').execute()),
    ...(await db.selectFrom('alert_channels').select('id').execute()),
    ...(await db.selectFrom('telegram_codes').select('code_hash').execute()),
  ]

  test('makes no API key, shared link or channel of alerts, by a session or an API key', async () => {
    const app = await openIntruded()
    const documentId = await thingsOf(app, app.account).document()
    const share = `/api/gallery/share/${documentId}`
    const newPassword = () =>
      inTransaction(app.db, (trx) =>
        setPassword(trx, app.deps.secretKey, { accountId: app.account.id, passwordHash: 'x' }),
      )
    for (const [path, json] of [
      ['/api/api-keys', { name: 'Late' }],
      [share, { share_method: 'download' }],
      ['/api/notifications/channels', { type: 'ntfy', url: 'https://93.184.216.34/late' }],
    ] as const) {
      const { bearerToken } = await app.deps.sessions.start(
        await getAccount(app.db, app.account.id),
      )
      expect(await askSlowly(app, path, { bearerToken }, json, newPassword)).toBe(401)
      expect(await rows(app)).toEqual([])
    }
    const caller = await newCaller(app, app.account.id)
    const { key } = await createApiKey(app.db, caller, 'Early', new Date(), async () => {})
    const json = { share_method: 'download' }
    expect(await askSlowly(app, share, { bearerToken: key }, json, newPassword)).toBe(401)
    expect(await rows(app)).toEqual([])
  })

  test('makes none either when a log-out ended its session', async () => {
    const app = await openTestApp()
    const as = await app.signUp({ subscription_plan: 'enterprise' })
    const logOut = () => app.ask('POST', '/api/auth/logout', { as })
    expect(await askSlowly(app, '/api/api-keys', as, { name: 'Late' }, logOut)).toBe(401)
    expect(await rows(app)).toEqual([])
  })
})

describe('an API key that is made', () => {
  const json = { name: 'Stock program' }

  test('is mailed to the account by its name, and never the key itself', async () => {
    const app = await openTestApp(WITH_MAIL)
    const as = await app.signUp({ email: EMAIL, subscription_plan: 'enterprise' })
    const answer = await app.ask('POST', '/api/api-keys', { as, json })
    const { key } = await answer.json()
    expect(app.mails).toMatchObject([{ to: EMAIL, subject: 'A new DriveQR API key was created' }])
    expect(app.mails[0]?.text).toContain('“Stock program”')
    expect(JSON.stringify(app.mails)).not.toContain(key)
  })

  test('is not mailed to an unverified address, and not when it is refused', async () => {
    const app = await openTestApp(WITH_MAIL)
    const as = await app.signUp({ email_verified_at: null, subscription_plan: 'enterprise' })
    expect((await app.ask('POST', '/api/api-keys', { as, json })).status).toBe(201)
    const free = await app.signUp({ email: EMAIL })
    expect((await app.ask('POST', '/api/api-keys', { as: free, json })).status).toBe(403)
    expect(app.mails).toEqual([])
  })
})

describe('an account that is blocked', () => {
  test.each([
    ['by the command line', false],
    ['by an admin', true],
  ])('%s has no shared links, and none come back when it is unblocked', async (_, byAdmin) => {
    const app = await openIntruded()
    const { id: accountId } = app.account
    const { id: actorId } = await app.signUp({ role: 'super_admin' })
    const set = (isBlocked: boolean) =>
      byAdmin
        ? setPermission(
            app.db,
            { actorId, accountId, type: isBlocked ? 'blocked' : 'client', until: null },
            new Date(),
          )
        : setBlocked(app.db, { contact: EMAIL, isBlocked }, new Date())
    await set(true)
    expect(await app.statuses()).toEqual(ENDED)
    await set(false)
    expect((await app.ask('GET', app.link)).status).toBe(404)
    expect((await post(app, 'login', { contact: EMAIL, password: PASSWORD })).status).toBe(200)
  })

  test('has an API key that works again only when it is unblocked', async () => {
    const app = await openIntruded()
    const [, key] = await addKey(app)
    const block = (isBlocked: boolean) =>
      setBlocked(app.db, { contact: EMAIL, isBlocked }, new Date())
    await block(true)
    expect(await key()).toBe(401)
    await block(false)
    expect(await key()).toBe(200)
  })

  test('makes no shared link by an API key whose request was under way', async () => {
    const app = await openIntruded()
    const documentId = await thingsOf(app, app.account).document()
    const [bearerToken] = await addKey(app)
    const block = () => setBlocked(app.db, { contact: EMAIL, isBlocked: true }, new Date())
    const share = `/api/gallery/share/${documentId}`
    const json = { share_method: 'download' }
    expect(await askSlowly(app, share, { bearerToken }, json, block)).toBe(401)
    expect(await app.db.selectFrom('share_links').selectAll().execute()).toEqual([])
  })

  test('at the end of a temporary permission has no shared links either', async () => {
    const app = await openIntruded()
    const { id: accountId } = app.account
    const { id: actorId } = await app.signUp({ role: 'super_admin' })
    const set = (type: 'blocked' | 'client', until: Date | null) =>
      setPermission(app.db, { actorId, accountId, type, until }, new Date())
    await set('blocked', null)
    await set('client', new Date(Date.now() + 60_000))
    const link = `/shared/${await thingsOf(app, app.account).shareToken()}`
    expect((await app.ask('GET', link)).status).toBe(200)
    await endDuePermissions(app.db, new Date(Date.now() + 60_000))
    expect((await app.ask('GET', link)).status).toBe(404)
    expect(await app.db.selectFrom('share_links').selectAll().execute()).toEqual([])
  })

  test('in the database of an earlier version has no working links either', async () => {
    const app = await openIntruded()
    await app.db.updateTable('accounts').set({ is_active: 0 }).execute()
    expect((await app.ask('GET', app.link)).status).toBe(404)
  })
})

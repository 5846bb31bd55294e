import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { inTransaction } from '#db/transaction.ts'
import { openTelegram } from '#mail/telegram/api.ts'
import { openTestApp } from '#tests/support/app.ts'
import { NTFY_TOKEN, openNtfyServer } from '#tests/support/ntfy-server.ts'
import { raceStatuses } from '#tests/support/races.ts'
import { openReceiver } from '#tests/support/receiver.ts'
import { BOT_NAME, openTelegramServer, TOKEN } from '#tests/support/telegram-server.ts'
import { keysOf, newBrowser } from '#tests/support/web-push.ts'

const CHANNELS = '/api/notifications/channels'
const PUBLIC = 'https://93.184.216.34'
const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`

type Account = Parameters<Awaited<ReturnType<typeof openTestApp>>['signUp']>[0]

/** An owner whose server may call servers of this machine. */
async function openOwner(
  account: Account = { subscription_plan: 'enterprise' },
  options: Parameters<typeof openTestApp>[0] = {},
) {
  const app = await openTestApp({ env: { ALLOW_PRIVATE_TARGETS: '1' }, ...options })
  const owner = await app.signUp(account)
  async function call(method: string, path = '', json?: object, headers = {}) {
    const sent = json ? { json } : {}
    const answer = await app.ask(method, `${CHANNELS}${path}`, { as: owner, headers, ...sent })
    return { status: answer.status, body: await answer.json() }
  }
  const connect = (json: object, headers = {}) => call('POST', '', json, headers)
  const list = async () => (await call('GET')).body.channels
  return { ...app, owner, call, connect, list }
}

describe('the list of channels', () => {
  test('begins with the address of the account, and carries no token, secret or key', async () => {
    const { connect, list, owner, advance } = await openOwner()
    const subscription = { endpoint: `${PUBLIC}/push`, keys: keysOf(newBrowser()) }
    const userAgent = 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile'
    await connect({ type: 'ntfy', url: `${PUBLIC}/keys`, token: 'tk_hidden' })
    advance(1)
    await connect({ type: 'webhook', url: `${PUBLIC}/hook?key=hidden`, secret: SECRET })
    advance(1)
    await connect({ type: 'push', subscription }, { 'User-Agent': userAgent })
    const listed = await list()
    expect(listed.map(({ type, name }: Record<string, string>) => [type, name])).toEqual([
      ['email', owner.email],
      ['ntfy', '93.184.216.34/keys'],
      ['webhook', '93.184.216.34/hook'],
      ['push', 'Chrome on Android'],
    ])
    const text = JSON.stringify(listed)
    for (const hidden of ['hidden', SECRET, ...Object.values(subscription.keys)]) {
      expect(text).not.toContain(hidden)
    }
  })

  test('says of an address whether it is verified', async () => {
    const { list } = await openOwner({ email_verified_at: null })
    expect(await list()).toMatchObject([{ id: 'email', type: 'email', is_verified: false }])
  })
})

describe('ntfy', () => {
  test('is connected, tested and removed', async () => {
    const server = await openNtfyServer()
    const { connect, call, list } = await openOwner({})
    const { status, body } = await connect({
      type: 'ntfy',
      url: `${server.url}/private`,
      token: NTFY_TOKEN,
    })
    expect([status, body.type]).toEqual([201, 'ntfy'])
    expect(body).not.toHaveProperty('secret')
    expect(await call('POST', `/${body.id}/test`)).toEqual({
      status: 200,
      body: { message: 'The test arrived' },
    })
    expect(server.messages).toMatchObject([
      { topic: 'private', click: 'http://localhost:3000/settings/notifications' },
    ])
    expect((await call('DELETE', `/${body.id}`)).status).toBe(200)
    expect(await list()).toHaveLength(1)
  })

  test('says why a test did not arrive', async () => {
    const server = await openNtfyServer()
    const { connect, call } = await openOwner({})
    const { body } = await connect({ type: 'ntfy', url: `${server.url}/private` })
    expect(await call('POST', `/${body.id}/test`)).toEqual({
      status: 503,
      body: { detail: 'The test did not arrive: Answered 403' },
    })
  })

  test('takes an address as the app shows it, without https', async () => {
    const { connect } = await openOwner({})
    const whole = await connect({ type: 'ntfy', url: `${PUBLIC}/keys` })
    const shown = await connect({ type: 'ntfy', url: `${PUBLIC}/keys`.replace('https://', '') })
    expect(shown.body).toMatchObject({ id: whole.body.id, name: '93.184.216.34/keys' })
  })

  test('has one channel a topic, which the same address again changes', async () => {
    const { connect, list } = await openOwner({})
    const first = await connect({ type: 'ntfy', url: `${PUBLIC}/keys` })
    const again = await connect({ type: 'ntfy', url: `${PUBLIC}/keys`, token: 'tk_new' })
    expect(again.body.id).toBe(first.body.id)
    expect(await list()).toHaveLength(2)
  })

  test.each([
    [{ type: 'ntfy' }, 'Please enter an address'],
    [{ type: 'ntfy', url: '  ' }, 'Please enter an address'],
    [{ type: 'ntfy', url: 'my keys' }, 'That address cannot be used'],
    [{ type: 'ntfy', url: 'ftp://93.184.216.34/keys' }, 'That address cannot be used'],
    [{ type: 'ntfy', url: PUBLIC }, expect.stringContaining('the address of a topic')],
    [{ type: 'ntfy', url: 7 }, 'URL must be text'],
    [{ type: 'ntfy', url: `${PUBLIC}/${'x'.repeat(2000)}` }, 'URL must be at most 2000 characters'],
    [
      { type: 'ntfy', url: `${PUBLIC}/keys`, token: 'x'.repeat(201) },
      'Token must be at most 200 characters',
    ],
    [{ type: 'pager' }, 'Type must be one of push, telegram, ntfy, webhook'],
    [{}, 'Type must be one of push, telegram, ntfy, webhook'],
    [{ type: 'push' }, 'subscription is missing'],
    [
      { type: 'push', subscription: { endpoint: PUBLIC, keys: { p256dh: 'x', auth: 'y' } } },
      'This is not a subscription of a browser',
    ],
    [
      {
        type: 'push',
        subscription: { endpoint: 'http://93.184.216.34', keys: keysOf(newBrowser()) },
      },
      'That address cannot be used',
    ],
    [
      { type: 'webhook', url: PUBLIC, secret: 'whsec_short' },
      'Secret must be whsec_ and 24 to 64 bytes in base64',
    ],
    [
      { type: 'webhook', url: PUBLIC, secret: Buffer.alloc(24).toString('base64') },
      'Secret must be whsec_ and 24 to 64 bytes in base64',
    ],
  ])('and the others refuse %j', async (json, detail) => {
    const { connect, list } = await openOwner()
    expect(await connect(json)).toEqual({ status: 400, body: { detail } })
    expect(await list()).toHaveLength(1)
  })

  test.each(['http://127.0.0.1/keys', 'http://[::1]/keys', 'http://10.0.0.7/keys'])(
    'is not connected at %s, which only this machine or network reaches',
    async (url) => {
      const { connect, list } = await openOwner({}, { env: {} })
      const detail = 'That address cannot be used'
      expect(await connect({ type: 'ntfy', url })).toEqual({ status: 400, body: { detail } })
      expect(await list()).toHaveLength(1)
    },
  )
})

describe('a webhook', () => {
  test('gets a secret that its first answer alone has, and signs with it', async () => {
    const receiver = await openReceiver()
    const { connect, call, list, logged, db } = await openOwner()
    const { status, body } = await connect({ type: 'webhook', url: `${receiver.url}/hook` })
    expect([status, body.secret]).toEqual([201, expect.stringMatching(/^whsec_[\w+/]{32}$/)])
    expect((await call('POST', `/${body.id}/test`)).status).toBe(200)
    const [{ body: sent = '', headers = {} } = {}] = receiver.received
    const signed = headers as Record<string, string>
    expect(() => new Webhook(body.secret).verify(sent, signed)).not.toThrow()
    expect(JSON.stringify(await list())).not.toContain(body.secret)
    const rows = JSON.stringify(await db.selectFrom('alert_channels').selectAll().execute())
    expect(rows + logged.join()).not.toContain(body.secret.slice(6))
  })

  test('keeps a secret of its owner, which no answer repeats', async () => {
    const { connect } = await openOwner()
    const { status, body } = await connect({ type: 'webhook', url: PUBLIC, secret: SECRET })
    expect([status, JSON.stringify(body)]).toEqual([201, expect.not.stringContaining(SECRET)])
  })

  test.each(['free', 'premium'] as const)(
    'is refused on the plan %s',
    async (subscription_plan) => {
      const { connect, list } = await openOwner({ subscription_plan })
      expect(await connect({ type: 'webhook', url: PUBLIC })).toEqual({
        status: 403,
        body: { detail: 'Webhooks are available on the Enterprise plan' },
      })
      expect(await list()).toHaveLength(1)
    },
  )

  test('is not tested, nor sent to again, once the plan has ended; it can be removed', async () => {
    const { connect, call, owner, db } = await openOwner()
    const { id } = (await connect({ type: 'webhook', url: PUBLIC })).body
    await db
      .updateTable('accounts')
      .set({ subscription_plan: 'premium' })
      .where('id', '=', owner.id)
      .execute()
    for (const path of [`/${id}/test`, `/${id}/deliveries/none/again`]) {
      expect([path, (await call('POST', path)).status]).toEqual([path, 403])
    }
    expect((await call('DELETE', `/${id}`)).status).toBe(200)
  })

  test('lists its deliveries, and sends one again under the same id', async () => {
    const receiver = await openReceiver()
    const { connect, call, deps, db, owner, sender, ask } = await openOwner()
    const { id } = (await connect({ type: 'webhook', url: `${receiver.url}/hook` })).body
    const alert = {
      event: 'plan',
      title: 'Plan',
      body: 'Approved',
      url: 'http://localhost:3000/dashboard',
      isUrgent: false,
      qr_id: null,
    } as const
    const mail = { subject: 'Plan', text: 'Approved', html: '<p>Approved</p>' }
    const json = { events: { plan: { webhook: true } } }
    expect((await ask('PUT', '/api/notifications/settings', { as: owner, json })).status).toBe(200)
    expect((await call('GET', `/${id}/deliveries`)).body).toEqual({ deliveries: [] })
    await inTransaction(db, (trx) => deps.outbox.alert(trx, { accountId: owner.id, alert, mail }))
    await expect.poll(() => receiver.received.length).toBe(1)
    await sender.settled()
    const { deliveries } = (await call('GET', `/${id}/deliveries`)).body
    expect(deliveries).toMatchObject([
      { type: 'plan', attempts: 1, status: 'delivered', answer: '200', next_try_at: null },
    ])
    const again = await call('POST', `/${id}/deliveries/${deliveries[0].id}/again`)
    expect(again).toEqual({ status: 200, body: { message: 'The delivery is sent again' } })
    await expect.poll(() => receiver.received.length).toBe(2)
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(ids).toEqual([deliveries[0].id, deliveries[0].id])
    expect((await call('POST', `/${id}/deliveries/none/again`)).status).toBe(404)
  })
})

describe('Telegram', () => {
  test('is connected by a link of the bot that works once, for ten minutes', async () => {
    const server = await openTelegramServer()
    const { connect } = await openOwner({}, { telegram: openTelegram(TOKEN, server.url) })
    const { status, body } = await connect({ type: 'telegram' })
    expect([status, body]).toEqual([
      201,
      {
        type: 'telegram',
        connect_url: expect.stringMatching(
          new RegExp(`^https://t\\.me/${BOT_NAME}\\?start=[\\w-]{43}$`),
        ),
        expires_at: '2026-11-20T10:10:00.000Z',
      },
    ])
  })

  test('is not there without a bot', async () => {
    const { connect } = await openOwner({})
    expect(await connect({ type: 'telegram' })).toEqual({
      status: 503,
      body: { detail: 'This service has no such channel' },
    })
  })
})

describe('e-mail', () => {
  test('is tested at the address of the account', async () => {
    const { call, mails, owner } = await openOwner({}, { env: { SMTP_URL: 'smtp://127.0.0.1:9' } })
    expect((await call('POST', '/email/test')).status).toBe(200)
    expect(mails).toMatchObject([{ to: owner.email, subject: 'Test from DriveQR' }])
  })

  test('is not tested at an address that is not verified, nor without a mail server', async () => {
    const env = { SMTP_URL: 'smtp://127.0.0.1:9' }
    const unverified = await openOwner({ email_verified_at: null }, { env })
    expect((await unverified.call('POST', '/email/test')).status).toBe(409)
    expect(unverified.mails).toEqual([])
    expect((await (await openOwner({})).call('POST', '/email/test')).status).toBe(503)
  })
})

describe('connecting', () => {
  test('stops at twenty channels, also for parallel requests', async () => {
    const { connect, list } = await openOwner({}, { env: { RATE_LIMITS: 'off' } })
    const one = (n: number) => connect({ type: 'ntfy', url: `${PUBLIC}/keys-${n}` })
    expect(await raceStatuses(one, 25)).toEqual({ 201: 20, 409: 5 })
    expect(await list()).toHaveLength(21)
  })
})

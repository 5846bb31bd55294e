import { describe, expect, test } from 'vitest'
import { RATE_LIMITS } from '#domain/rate-limits.ts'
import { openTelegram } from '#mail/telegram/api.ts'
import { openTestApp } from '#tests/support/app.ts'
import { browserOf } from '#tests/support/browser.ts'
import { openNtfyServer } from '#tests/support/ntfy-server.ts'
import { openReceiver } from '#tests/support/receiver.ts'
import { BOT_NAME, openTelegramServer, TOKEN } from '#tests/support/telegram-server.ts'
import { thingsOf } from '#tests/support/things.ts'

const PAGE = '/settings/notifications'
const PUBLIC = 'https://93.184.216.34'

type Options = Parameters<typeof openTestApp>[0]

async function openOwner(plan: 'free' | 'enterprise' = 'enterprise', options: Options = {}) {
  const app = await openTestApp({ env: { ALLOW_PRIVATE_TARGETS: '1' }, ...options })
  const owner = await app.signUp({ subscription_plan: plan })
  const browser = browserOf(app, owner)
  const read = (path = PAGE) => browser.read(path)
  const send = (path: string, fields?: Record<string, string>) =>
    browser.submit(`${PAGE}${path}`, fields)
  async function idOf(type: string): Promise<string> {
    const answer = await app.ask('GET', '/api/notifications/channels', { as: owner })
    const { channels } = await answer.json()
    return channels.find((each: { type: string }) => each.type === type).id
  }
  return { ...app, owner, browser, read, send, idOf, things: thingsOf(app, owner) }
}

describe('the form of ntfy', () => {
  test('connects a topic, and leads back to its row', async () => {
    const { read, send, idOf } = await openOwner('free')
    expect(await read()).toContain(`href="${PAGE}?connect=ntfy"`)
    expect(await read(`${PAGE}?connect=ntfy`)).toContain('Address of the topic')
    const { status, to } = await send('/channels', { type: 'ntfy', url: `${PUBLIC}/keys` })
    expect([status, to]).toEqual([303, `${PAGE}?done=connected&at=channel-${await idOf('ntfy')}`])
    const html = await read()
    expect(html).toContain('93.184.216.34/keys')
    expect(html).not.toContain(`href="${PAGE}?connect=ntfy"`)
  })

  test('says beside the field what is wrong, and keeps what was typed', async () => {
    const { send } = await openOwner('free')
    const typed = { type: 'ntfy', url: 'ftp://keys <&>', token: 'tk_mine' }
    const { status, html } = await send('/channels', typed)
    expect(status).toBe(400)
    expect(html).toMatch(/aria-invalid="true" name="url" value="ftp:\/\/keys &lt;&amp;&gt;"/)
    expect(html).toMatch(/class="error"[^>]*>(<svg.*?<\/svg>)?That address cannot be used/)
    expect(html).toContain('value="tk_mine"')
    const long = { type: 'ntfy', url: `${PUBLIC}/keys`, token: 'x'.repeat(201) }
    const tokens = (await send('/channels', long)).html
    expect(tokens).toMatch(/aria-invalid="true" name="token" value="x+"/)
    expect(tokens).toContain('Token must be at most 200 characters')
  })

  test('names the wait after too many tries, and keeps the typed values', async () => {
    const { send } = await openOwner('free')
    for (let n = 0; n < RATE_LIMITS['alert-connect'].count; n++) {
      await send('/channels', { type: 'ntfy', url: '' })
    }
    const { status, html, headers } = await send('/channels', { type: 'ntfy', url: 'https://a/b' })
    expect([status, headers.get('Retry-After')]).toEqual([429, '3600'])
    expect(html).toContain('20 channels can be connected in an hour')
    expect(html).toContain('value="https://a/b"')
  })
})

describe('a test', () => {
  test('says that it arrived, at the row that was tested', async () => {
    const server = await openNtfyServer()
    const { read, send, idOf } = await openOwner('free')
    await send('/channels', { type: 'ntfy', url: `${server.url}/keys` })
    const id = await idOf('ntfy')
    const { status, to } = await send(`/channels/${id}/test`)
    expect([status, to]).toEqual([303, `${PAGE}?done=tested&at=channel-${id}`])
    expect(server.messages).toHaveLength(1)
    expect(await read(to ?? '')).toContain('The test arrived')
  })

  test('says why it did not arrive', async () => {
    const { send, things } = await openOwner('free', { env: {} })
    const { status, html } = await send(`/channels/${await things.channel()}/test`)
    expect(status).toBe(503)
    expect(html).toMatch(/data-outcome="refused"[^>]*>.*The test did not arrive: /)
  })
})

describe('the form of a webhook', () => {
  test('shows a secret that was made once, and never again', async () => {
    const { read, send, idOf } = await openOwner()
    const { status, html, headers } = await send('/channels', { type: 'webhook', url: PUBLIC })
    expect([status, headers.get('Cache-Control')]).toEqual([200, 'no-store'])
    const [secret = ''] = /whsec_[\w+/]{32}/.exec(html) ?? []
    expect(html).toContain(`value="${secret}"`)
    expect(html).toContain('it is not shown again')
    const id = await idOf('webhook')
    for (const path of [PAGE, `${PAGE}/webhooks/${id}`, `${PAGE}?disconnect=${id}`]) {
      expect(await read(path)).not.toContain('whsec_')
    }
  })

  test('makes a new secret after a question', async () => {
    const receiver = await openReceiver()
    const { read, send, idOf } = await openOwner()
    const first = await send('/channels', { type: 'webhook', url: `${receiver.url}/hook` })
    const id = await idOf('webhook')
    const question = await read(`${PAGE}/webhooks/${id}?secret=1`)
    expect(question).toContain('Make a new secret?')
    const { status, html } = await send(`/webhooks/${id}/secret`)
    const secretIn = (text: string) => /value="(whsec_[\w+/]{32})"/.exec(text)?.[1]
    expect([status, secretIn(html)]).toEqual([200, expect.stringMatching(/^whsec_/)])
    expect(secretIn(html)).not.toBe(secretIn(first.html))
    expect(await idOf('webhook')).toBe(id)
    await send(`/webhooks/${id}/test`)
    expect(receiver.received).toHaveLength(1)
  })

  test('of another plan names the plan and leads to it', async () => {
    const { read, send } = await openOwner('free')
    const html = await read()
    expect(html).toContain('Signed calls to your own server')
    expect(html).toContain('See plans')
    expect(html).not.toContain('connect=webhook')
    expect(await read(`${PAGE}?connect=webhook`)).not.toContain('Connect webhook')
    const refused = await send('/channels', { type: 'webhook', url: PUBLIC })
    expect(refused.status).toBe(403)
    expect(refused.html).toContain('Webhooks are available on the Enterprise plan')
  })
})

describe('the page of a webhook', () => {
  test('lists its deliveries, and sends one again', async () => {
    const { read, send, things, db } = await openOwner()
    const id = await things.webhook()
    expect(await read(`${PAGE}/webhooks/${id}`)).toContain('Nothing was sent yet.')
    const delivery = await things.delivery()
    const html = await read(`${PAGE}/webhooks/${id}`)
    for (const said of [delivery, 'scan', 'There was no answer', '20 Nov 2026, 3:30 pm']) {
      expect(html).toContain(said)
    }
    const { status, to } = await send(`/webhooks/${id}/deliveries/${delivery}/again`)
    expect([status, to]).toEqual([303, `${PAGE}/webhooks/${id}?done=again&at=${delivery}`])
    const states = await db.selectFrom('webhook_deliveries').select(['id', 'attempts']).execute()
    expect(states).toHaveLength(1)
  })

  test('says on another plan that nothing is sent, and lets it be removed', async () => {
    const { read, things, db, owner } = await openOwner()
    const id = await things.webhook()
    await things.delivery()
    const free = { subscription_plan: 'free' } as const
    await db.updateTable('accounts').set(free).where('id', '=', owner.id).execute()
    const html = await read(`${PAGE}/webhooks/${id}`)
    expect(html).toContain('Webhooks are available on the Enterprise plan')
    expect(html).not.toContain('Send again')
    expect(html).not.toContain('New secret')
    expect(html).toContain(`href="${PAGE}?disconnect=${id}"`)
    expect(await read()).toContain('Nothing is sent to it on your plan.')
  })

  test('is no page of another channel, nor of another account’s webhook', async () => {
    const { things, browser, ...app } = await openOwner()
    const other = await app.signUp({ subscription_plan: 'enterprise' })
    const theirs = await thingsOf(app, other).webhook()
    for (const id of [theirs, await things.channel(), 'email']) {
      expect([id, (await browser.open(`${PAGE}/webhooks/${id}`)).status]).toEqual([id, 404])
    }
  })
})

describe('Telegram', () => {
  test('is connected by a link to the bot', async () => {
    const server = await openTelegramServer()
    const options = { telegram: openTelegram(TOKEN, server.url) }
    const { read, send } = await openOwner('free', options)
    expect(await read()).toContain('Connect Telegram')
    const { status, html } = await send('/channels', { type: 'telegram' })
    expect(status).toBe(200)
    expect(html).toMatch(new RegExp(`href="https://t\\.me/${BOT_NAME}\\?start=[\\w-]{43}"`))
    expect(html).toContain('target="_blank" rel="noreferrer"')
  })
})

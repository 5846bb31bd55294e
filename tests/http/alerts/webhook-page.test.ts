import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import type { ListedDelivery } from '#db/alerts/deliveries.ts'
import { RATE_LIMITS } from '#domain/rate-limits.ts'
import { openTestApp } from '#tests/support/app.ts'
import { browserOf } from '#tests/support/browser.ts'
import { valuesIn } from '#tests/support/finder.ts'
import { openReceiver } from '#tests/support/receiver.ts'

const CHANNELS = '/api/notifications/channels'
const PAGES = '/settings/notifications/webhooks'

/** An owner with a webhook at a server of the test, whose answers the test chooses. */
async function openHook() {
  const app = await openTestApp({ env: { ALLOW_PRIVATE_TARGETS: '1' } })
  let status = 200
  let before: () => Promise<unknown> = async () => {}
  const server = await openReceiver((response) => {
    void before().then(() => response.writeHead(status).end())
  })
  const owner = await app.signUp({ subscription_plan: 'enterprise' })
  const first = `${server.url}/first?key=hidden`
  async function call(method: string, path = '', json?: object) {
    const answer = await app.ask(method, `${CHANNELS}${path}`, { as: owner, ...(json && { json }) })
    return { status: answer.status, body: await answer.json() }
  }
  const { body } = await call('POST', '', { type: 'webhook', url: first })
  const { id, secret } = body as { id: string; secret: string }
  const send = (path: string, fields?: Record<string, string>, as = owner) =>
    browserOf(app, as).submit(`${PAGES}/${id}${path}`, fields)
  const move = (url: string, as = owner) => send('', { url }, as)
  const read = () => browserOf(app, owner).read(`${PAGES}/${id}`)
  const deliveries = async (): Promise<ListedDelivery[]> =>
    (await call('GET', `/${id}/deliveries`)).body.deliveries
  /** `meanwhile` is done before the answer. */
  const answerWith = (next: number, meanwhile = before) => {
    status = next
    before = meanwhile
  }
  const pages = { send, move, read, deliveries }
  return { ...app, ...pages, owner, server, first, id, secret, call, answerWith }
}

describe('the address of a webhook', () => {
  test('is in a field of its page, and another one keeps its id, its secret and its list', async () => {
    const { server, id, secret, first, call, move, read, deliveries } = await openHook()
    await call('POST', `/${id}/test`)
    expect(valuesIn(await read())).toMatchObject({ url: first })
    const { status, to } = await move(`${server.url}/second`)
    expect([status, to]).toEqual([303, `${PAGES}/${id}?done=moved`])
    expect((await call('POST', `/${id}/test`)).status).toBe(200)
    expect(server.received.map(({ path }) => path)).toEqual(['/first?key=hidden', '/second'])
    const { headers, body } = server.received[1] ?? { headers: {}, body: '' }
    const signed = headers as Record<string, string>
    expect(() => new Webhook(secret).verify(body, signed)).not.toThrow()
    expect(await deliveries()).toHaveLength(2)
    const { channels } = (await call('GET')).body
    expect(channels).toMatchObject([{ id: 'email' }, { id, unreachable_since: null }])
    expect(await read()).toContain('/second')
  })

  test('keeps the secret that was made while it changed', async () => {
    const { server, move, send, id, call } = await openHook()
    const answers = await Promise.all([move(`${server.url}/second`), send('/secret')])
    expect(answers.map(({ status }) => status)).toEqual([303, 200])
    const secret = /value="(whsec_[^"]+)"/.exec(answers[1]?.html ?? '')?.[1] ?? ''
    await call('POST', `/${id}/test`)
    const { path, headers, body } = server.received.at(-1) ?? { path: '', headers: {}, body: '' }
    expect(path).toBe('/second')
    expect(() => new Webhook(secret).verify(body, headers as Record<string, string>)).not.toThrow()
  })

  test.each([
    ['', 'Please enter an address'],
    ['ftp://nowhere', 'That address cannot be used'],
    ['my server', 'That address cannot be used'],
  ])('is not changed to %j, which stays in its field', async (url, words) => {
    const { move, read, first } = await openHook()
    const { status, html } = await move(url)
    expect([status, html.includes(words)]).toEqual([400, true])
    expect(html).toMatch(/<input[^>]*id="url"[^>]*aria-invalid="true"/)
    expect(valuesIn(html).url).toBe(url)
    expect(valuesIn(await read()).url).toBe(first)
  })

  test('is not one that the account has connected already', async () => {
    const { call, move, server, read, first } = await openHook()
    await call('POST', '', { type: 'webhook', url: `${server.url}/other` })
    const { status, html } = await move(`${server.url}/other`)
    expect([status, html.includes('This address is connected already')]).toEqual([409, true])
    expect(valuesIn(await read()).url).toBe(first)
    expect((await move(first)).status).toBe(303)
  })

  test('is its owner’s to change, on the Enterprise plan, and so often an hour', async () => {
    const { move, signUp, server, owner, db, read } = await openHook()
    const stranger = await signUp({ subscription_plan: 'enterprise' })
    expect((await move(`${server.url}/mine`, stranger)).status).toBe(404)
    const plan = (subscription_plan: 'premium' | 'enterprise') =>
      db.updateTable('accounts').set({ subscription_plan }).where('id', '=', owner.id).execute()
    await plan('premium')
    expect((await move(`${server.url}/second`)).status).toBe(403)
    expect(await read()).not.toContain('name="url"')
    await plan('enterprise')
    let status = 303
    for (let n = 0; status !== 429 && n <= RATE_LIMITS['alert-connect'].count; n++) {
      status = (await move(`${server.url}/${n}`)).status
    }
    expect(status).toBe(429)
  })
})

describe('a test of a webhook', () => {
  test('is a message that calls itself a test, and is listed with its answer', async () => {
    const { server, id, call, send, deliveries, answerWith, read, advance } = await openHook()
    expect((await call('POST', `/${id}/test`)).status).toBe(200)
    answerWith(500)
    advance(1)
    expect((await send('/test')).status).toBe(503)
    const sent = server.received.map(({ headers, body }) => {
      return { id: headers['webhook-id'], ...JSON.parse(body) }
    })
    expect(sent[0]).toMatchObject({
      type: 'message',
      timestamp: '2026-11-20T10:00:00.000Z',
      data: { title: 'Test from DriveQR', test: true },
    })
    expect(await deliveries()).toEqual([
      {
        id: sent[1]?.id,
        type: 'message',
        created_at: '2026-11-20T10:00:01.000Z',
        attempts: 1,
        status: 'failed',
        answer: 'Answered 500',
        next_try_at: null,
      },
      expect.objectContaining({ id: sent[0]?.id, attempts: 1, status: 'delivered', answer: '200' }),
    ])
    const html = await read()
    expect(html).toContain('Answered 500')
    answerWith(200)
    expect((await call('POST', `/${id}/deliveries/${sent[1]?.id}/again`)).status).toBe(200)
    expect(server.received.at(-1)?.headers['webhook-id']).toBe(sent[1]?.id)
    expect((await deliveries())[0]).toMatchObject({ id: sent[1]?.id, status: 'delivered' })
  })

  test.each([
    [200, 200],
    [500, 503],
  ])('that is answered %i after its channel was removed is no fault', async (status, answer) => {
    const { id, call, answerWith, db } = await openHook()
    answerWith(status, () => db.deleteFrom('alert_channels').execute())
    expect((await call('POST', `/${id}/test`)).status).toBe(answer)
    expect(await db.selectFrom('webhook_deliveries').select('id').execute()).toEqual([])
  })
})

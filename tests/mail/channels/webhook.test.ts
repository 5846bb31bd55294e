import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { createWebhook } from '#mail/channels/webhook.ts'
import { ALERT, deliveryOf } from '#tests/support/alerts.ts'
import { INTERNAL_HOST, openReceiver, testGuard } from '#tests/support/receiver.ts'

const { signal } = new AbortController()
const secretOf = (bytes: number) => `whsec_${randomBytes(bytes).toString('base64')}`
const SECRET = secretOf(32)

/** The receivers' library compares with the time of the machine. */
const clock = () => new Date()

async function openHook(status = 200) {
  const hook = await openReceiver((response) => response.writeHead(status).end())
  const target = { url: `${hook.url}/hook`, secret: SECRET }
  return { ...hook, target }
}

describe('a webhook', () => {
  test('is posted as Standard Webhooks say, with no other header', async () => {
    const now = new Date('2026-11-20T10:00:00.900Z')
    const { target, port, received } = await openHook()
    const webhook = createWebhook(testGuard(), () => now)
    const outcome = await webhook.send(deliveryOf({ isUrgent: true }), target, signal)
    expect(outcome).toEqual({ result: 'delivered', status: 200 })
    const body = JSON.stringify({
      type: 'message',
      timestamp: '2026-11-20T09:59:00.000Z',
      data: {
        title: ALERT.title,
        body: ALERT.body,
        url: ALERT.url,
        urgent: true,
        qr_id: ALERT.qr_id,
      },
    })
    expect(received).toEqual([
      {
        method: 'POST',
        path: '/hook',
        headers: {
          host: `127.0.0.1:${port}`,
          connection: 'close',
          'user-agent': 'DriveQR',
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
          'webhook-id': 'rowOfTheOutbox-1',
          'webhook-timestamp': '1795168800',
          'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
        },
        body,
      },
    ])
  })

  test.each([24, 32, 33, 64])(
    'is verified by the library of its receiver (%i bytes of key)',
    async (bytes) => {
      const { target, received } = await openHook()
      const secret = secretOf(bytes)
      await createWebhook(testGuard(), clock).send(deliveryOf({}), { ...target, secret }, signal)
      const [{ body, headers } = { body: '', headers: {} }] = received
      const seen = headers as Record<string, string>
      expect(new Webhook(secret).verify(body, seen)).toMatchObject({ type: 'message' })
      expect(() => new Webhook(SECRET).verify(body, seen)).toThrow('No matching signature')
      expect(() => new Webhook(secret).verify(`${body} `, seen)).toThrow('No matching signature')
      const moved = { ...seen, 'webhook-id': 'another' }
      expect(() => new Webhook(secret).verify(body, moved)).toThrow('No matching signature')
    },
  )

  test('has the same id at the next try, and another time', async () => {
    const { target, received } = await openHook(503)
    let now = Date.now()
    const webhook = createWebhook(testGuard(), () => new Date(now))
    await webhook.send(deliveryOf({}), target, signal)
    now += 60_000
    await webhook.send(deliveryOf({}), target, signal)
    const [first, second] = received.map(({ headers }) => headers)
    expect(second?.['webhook-id']).toBe(first?.['webhook-id'])
    expect(Number(second?.['webhook-timestamp']) - Number(first?.['webhook-timestamp'])).toBe(60)
    expect(second?.['webhook-signature']).not.toBe(first?.['webhook-signature'])
  })

  test.each([404, 410, 500])(
    'that is answered %i has failed, and may work again',
    async (status) => {
      const { target } = await openHook(status)
      const outcome = await createWebhook(testGuard(), clock).send(deliveryOf({}), target, signal)
      expect(outcome).toEqual({ result: 'failed', why: `Answered ${status}`, status })
    },
  )

  test('to an address that users may not use is not sent', async () => {
    const { url, received } = await openReceiver(undefined, INTERNAL_HOST)
    const webhook = createWebhook(testGuard(), clock)
    const outcome = await webhook.send(deliveryOf({}), { url, secret: SECRET }, signal)
    expect(outcome).toEqual({ result: 'failed', why: 'That address cannot be used' })
    expect(received).toEqual([])
  })
})

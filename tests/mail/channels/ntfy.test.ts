import { describe, expect, test } from 'vitest'
import { ALERT_EVENTS, type Alert } from '#domain/alerts/alert.ts'
import { createNtfy } from '#mail/channels/ntfy.ts'
import { ALERT, deliveryOf } from '#tests/support/alerts.ts'
import { NTFY_TOKEN, openNtfyServer } from '#tests/support/ntfy-server.ts'
import { openReceiver, PUBLIC_HOST, testGuard } from '#tests/support/receiver.ts'

const { signal } = new AbortController()
const ntfy = () => createNtfy(testGuard())

async function publish(alert: Partial<Alert>) {
  const { url, messages, headers } = await openNtfyServer()
  const target = { url: `${url}/keys`, token: null }
  const outcome = await ntfy().send(deliveryOf(alert), target, signal)
  return { outcome, message: messages[0], headers: headers[0] }
}

describe('an alert on ntfy', () => {
  test('has its title, its text, an emoji, and the page that it leads to', async () => {
    const { outcome, message, headers } = await publish({})
    expect(outcome).toEqual({ result: 'delivered', status: 200 })
    expect(message).toEqual({
      topic: 'keys',
      title: ALERT.title,
      message: ALERT.body,
      tags: ['speech_balloon'],
      priority: 3,
      click: ALERT.url,
    })
    expect(headers).toEqual({
      host: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      connection: 'close',
      'user-agent': 'DriveQR',
      'content-type': 'text/plain; charset=utf-8',
      'content-length': String(Buffer.byteLength(ALERT.body)),
      title: ALERT.title,
      tags: 'speech_balloon',
      click: ALERT.url,
    })
  })

  test('about an accident or a lost code has the highest priority', async () => {
    const accident = await publish({ isUrgent: true })
    expect(accident.message).toMatchObject({
      priority: 5,
      tags: ['rotating_light', 'speech_balloon'],
    })
    const lost = await publish({ event: 'lost_scan', isUrgent: true })
    expect(lost.message).toMatchObject({ priority: 5, tags: ['rotating_light', 'key'] })
  })

  test.each([
    'Das Auto steht schräg',
    'गाड़ी की लाइट जल रही है · MH 12 AB 1234',
    '🚨 Accident 👩‍👩‍👧‍👦 '.repeat(20).trim(),
    '=?UTF-8?B?bm90IGVuY29kZWQ=?=',
    'x'.repeat(300),
    'ü'.repeat(300),
    '',
  ])('keeps a title in any script (%j)', async (title) => {
    const { message } = await publish({ title })
    expect(message?.title).toBe(title)
  })

  test('puts a title of several lines into one', async () => {
    const { message, headers } = await publish({ title: 'Lights\r\nX-Email: a@b.in\n\nare  on' })
    expect(message?.title).toBe('Lights X-Email: a@b.in are on')
    expect(headers).not.toHaveProperty('x-email')
  })

  test('is cut at a whole character where ntfy would make it an attachment', async () => {
    const { message } = await publish({ body: `a${'🔑'.repeat(2_000)}` })
    expect(message?.message).toBe(`a${'🔑'.repeat(1_023)}`)
  })

  test.each(ALERT_EVENTS)('of the kind %s has a tag', async (event) => {
    const { message } = await publish({ event })
    expect(message?.tags).toEqual([expect.stringMatching(/^[a-z_]+$/)])
  })
})

describe('a topic', () => {
  test('that is protected is published to with its token', async () => {
    const { url, messages, headers } = await openNtfyServer()
    const send = (token: string | null) =>
      ntfy().send(deliveryOf({}), { url: `${url}/private`, token }, signal)
    expect(await send(null)).toEqual({ result: 'failed', why: 'Answered 403', status: 403 })
    expect(await send('tk_other')).toMatchObject({ result: 'failed', status: 403 })
    expect(messages).toEqual([])
    expect(await send(NTFY_TOKEN)).toEqual({ result: 'delivered', status: 200 })
    expect(headers.at(-1)?.authorization).toBe(`Bearer ${NTFY_TOKEN}`)
  })

  test('that takes no more messages now says when to come again', async () => {
    const { url } = await openReceiver((response) =>
      response.writeHead(429, { 'Retry-After': '30' }).end(),
    )
    expect(await ntfy().send(deliveryOf({}), { url, token: null }, signal)).toEqual({
      result: 'failed',
      why: 'Answered 429',
      status: 429,
      retryAfter: 30,
    })
  })

  test('on an address that users may not use is not published to', async () => {
    const { url, received } = await openReceiver(undefined, '127.0.0.2')
    const target = { url: `${url}/keys`, token: NTFY_TOKEN }
    expect(await ntfy().send(deliveryOf({}), target, signal)).toEqual({
      result: 'failed',
      why: 'That address cannot be used',
    })
    const withPassword = { url: `https://user:secret@${PUBLIC_HOST}/keys`, token: null }
    expect(await ntfy().send(deliveryOf({}), withPassword, signal)).toMatchObject({
      why: 'That address cannot be used',
    })
    expect(received).toEqual([])
  })
})

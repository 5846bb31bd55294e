import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '#config.ts'
import type { Alert } from '#domain/alerts/alert.ts'
import { toPushTarget } from '#domain/alerts/push.ts'
import { createPush, pushContactOf } from '#mail/channels/push.ts'
import { vapidKeys } from '#mail/channels/vapid-keys.ts'
import { ALERT, deliveryOf } from '#tests/support/alerts.ts'
import { LOOPBACK_CERTIFICATE } from '#tests/support/certificate.ts'
import { startPushService } from '#tests/support/push-service.ts'
import { openReceiver, openTlsReceiver, testGuard } from '#tests/support/receiver.ts'
import { trustLoopback } from '#tests/support/trust-loopback.ts'
import { checkVapid, decrypt } from '#tests/support/web-push.ts'

trustLoopback()

const PUBLIC_URL = 'https://keys.example.in'
const KEY = Buffer.alloc(32, 7)
const { publicKey } = vapidKeys(KEY)
const NEVER = new AbortController().signal

const openPush = (publicUrl = PUBLIC_URL) =>
  createPush(testGuard(), readConfig({ PUBLIC_URL: publicUrl }), vapidKeys(KEY))

async function startedService() {
  const service = await startPushService()
  onTestFinished(service.stop)
  return service
}

async function openService() {
  const service = await startedService()
  const push = openPush()
  const browser = service.subscribe(publicKey)
  const target = toPushTarget(browser.subscription)
  const send = (alert: Partial<Alert> = {}, id = 'one', to = target) =>
    push.send({ ...deliveryOf(alert), id }, to, NEVER)
  return { service, browser, send }
}

test('the push service of the tests reads the example of RFC 8291', () => {
  const bytes = (text: string) => Buffer.from(text, 'base64url')
  const body = bytes(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
  const browser = {
    privateKey: bytes('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'),
    publicKey: bytes(
      'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    ),
    auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
  }
  expect(decrypt(body, browser)).toBe('When I grow up, I want to be a watermelon')
})

test('an endpoint without https gets nothing', async () => {
  const { received, url } = await openReceiver()
  const { subscription } = (await startedService()).subscribe(publicKey)
  const target = toPushTarget({ ...subscription, endpoint: `${url}/one` })
  expect(await openPush().send(deliveryOf({}), target, NEVER)).toEqual({
    result: 'failed',
    why: 'That address cannot be used',
  })
  expect(received).toEqual([])
})

test('the push service of the tests refuses a token for another, of another time and a changed one', async () => {
  const { received, url } = await openTlsReceiver(LOOPBACK_CERTIFICATE)
  const { subscription } = (await startedService()).subscribe(publicKey)
  const target = toPushTarget({ ...subscription, endpoint: `${url}/one` })
  await openPush().send(deliveryOf({}), target, NEVER)
  const header = received[0]?.headers.authorization ?? ''
  const now = new Date()
  const check = (changed: object, token = header) =>
    checkVapid(token, { audience: url, publicKey, now, ...changed })
  const hours = (n: number) => ({ now: new Date(now.getTime() + n * 3_600_000) })
  expect(check({})).toEqual({ sub: PUBLIC_URL })
  expect(() => check({ audience: 'https://push.example' })).toThrow('it is meant for')
  expect(() => check(hours(13))).toThrow('it has expired')
  expect(() => check(hours(-13))).toThrow('it holds for more than a day')
  expect(() => check({}, header.replace(/\.\w/, '.X'))).toThrow('the signature is wrong')
  expect(() => check({}, header.replace('vapid', 'WebPush'))).toThrow('signed with another key')
})

test('a push arrives encrypted for its browser, signed, and says what happened and where', async () => {
  const { service, browser, send } = await openService()
  expect(await send()).toEqual({ result: 'delivered', status: 201 })
  expect(service.refused).toEqual([])
  expect(browser.pushes).toEqual([
    {
      payload: { title: ALERT.title, body: ALERT.body, url: ALERT.url, tag: expect.any(String) },
      ttl: 86_400,
      urgency: 'high',
      topic: browser.pushes[0]?.payload.tag,
      contact: PUBLIC_URL,
    },
  ])
})

test('a browser that subscribed for another installation gets nothing', async () => {
  const { service, send } = await openService()
  const other = service.subscribe(vapidKeys(Buffer.alloc(32, 8)).publicKey)
  const outcome = await send({}, 'one', toPushTarget(other.subscription))
  expect(outcome).toMatchObject({ result: 'failed', status: 400 })
  expect(service.refused).toEqual([
    'Not a push: it is signed with another key than the subscription has',
  ])
  expect(other.pushes).toEqual([])
})

test.each<[Partial<Alert>, number, string]>([
  [{ event: 'message' }, 86_400, 'high'],
  [{ event: 'scan' }, 3_600, 'normal'],
  [{ event: 'lost_scan' }, 3_600, 'high'],
  [{ event: 'security' }, 86_400, 'high'],
  [{ event: 'plan' }, 86_400, 'normal'],
  [{ event: 'police_view', isUrgent: true }, 86_400, 'high'],
])('%j is kept %i seconds by the push service, urgency %s', async (alert, ttl, urgency) => {
  const { browser, send } = await openService()
  await send(alert)
  expect(browser.pushes).toMatchObject([{ ttl, urgency }])
})

test('a newer scan of a code replaces the older one, and nothing else replaces anything', async () => {
  const { browser, send } = await openService()
  const scan = (qr_id: string, body: string) => send({ event: 'scan', qr_id, body }, body)
  await scan('QRone', 'first')
  await scan('QRtwo', 'of another code')
  await scan('QRone', 'second')
  await send({ event: 'lost_scan', body: 'lost' }, 'lost')
  await send({ body: 'written' }, 'written')
  await send({ body: 'written again' }, 'written again')
  const bodies = browser.pushes.map(({ payload }) => payload.body)
  expect(bodies).toEqual(['of another code', 'second', 'lost', 'written', 'written again'])
})

test('an alert that is sent twice is there once', async () => {
  const { browser, send } = await openService()
  await send({}, 'same')
  await send({}, 'same')
  expect(browser.pushes).toHaveLength(1)
})

test('a push service cannot tell from the topic which code was scanned', async () => {
  const { service, browser, send } = await openService()
  const neighbour = service.subscribe(publicKey)
  const scan = (to?: ReturnType<typeof toPushTarget>) => send({ event: 'scan' }, 'one', to)
  await scan()
  await scan(toPushTarget(neighbour.subscription))
  expect(neighbour.pushes[0]?.topic).not.toBe(browser.pushes[0]?.topic)
})

test.each([404, 410])('a subscription that is answered %i is gone', async (status) => {
  const { service, send } = await openService()
  service.behave({ status })
  expect(await send()).toEqual({ result: 'gone', why: 'The browser has ended it' })
})

test.each([
  [413, {}, undefined],
  [429, { 'Retry-After': '120' }, 120],
  [500, {}, undefined],
  [503, { 'Retry-After': '30' }, 30],
])('%i is tried again, not before the push service wants it', async (status, headers, wait) => {
  const { service, browser, send } = await openService()
  service.behave({ status, headers })
  const outcome = await send()
  const why = `Answered ${status}`
  expect(outcome).toEqual({ result: 'failed', why, status, ...(wait && { retryAfter: wait }) })
  expect(browser.pushes).toEqual([])
})

test('the longest message fits, and is cut between characters', async () => {
  const { service, browser, send } = await openService()
  await send({ title: 'के'.repeat(500), body: '🔑'.repeat(1000) })
  expect(service.refused).toEqual([])
  const { title = '', body = '' } = browser.pushes[0]?.payload ?? {}
  expect([...title]).toHaveLength(120)
  expect(body).toBe(`${'🔑'.repeat(299)}…`)
})

test('keys that nothing can be encrypted with are refused, and cannot stop the sender', async () => {
  const { browser, send } = await openService()
  const { endpoint, keys } = browser.subscription
  for (const broken of [
    { ...keys, p256dh: '' },
    { ...keys, p256dh: keys.p256dh.slice(1) },
    { ...keys, auth: `${keys.auth}AA` },
    { ...keys, auth: 'not base64url!' },
  ]) {
    expect(() => toPushTarget({ endpoint, keys: broken })).toThrow('not a subscription')
  }
  const offTheCurve = { ...keys, p256dh: `BA${'A'.repeat(85)}` }
  const outcome = await send({}, 'one', toPushTarget({ endpoint, keys: offTheCurve }))
  expect(outcome).toEqual({ result: 'gone', why: 'Nothing can be encrypted for this browser' })
})

test('the keys of a secret key never change, because browsers have subscribed for them', () => {
  expect(publicKey).toBe(
    'BANNfNQykpkx3C-QruFJH8wC2pkzQIB1KVotRJptqfW8SkXdABTRO49jBOo_BDUttkMn_gVbGv8PS8VtkptsPkQ',
  )
})

test('every secret key has keys of its own, of 65 and 32 bytes', () => {
  const pairs = Array.from({ length: 600 }, (_, n) => vapidKeys(Buffer.alloc(32, `key ${n}`)))
  const sizes = pairs.map((pair) =>
    [pair.publicKey, pair.privateKey].map((key) => Buffer.from(key, 'base64url').length).join(),
  )
  expect(new Set(sizes)).toEqual(new Set(['65,32']))
  expect(new Set(pairs.map(({ publicKey }) => publicKey)).size).toBe(600)
})

test.each([
  ['https://keys.example.in', true],
  ['http://localhost:3000', true],
  ['http://127.0.0.1:3000', true],
  ['http://[::1]:3000', true],
  ['http://keys.local', false],
  ['http://localhost.example.in', false],
  ['http://192.168.1.5:3000', false],
])('at %s browsers have push: %s', (publicUrl, isAvailable) => {
  expect(openPush(publicUrl).isAvailable).toBe(isAvailable)
})

test.each([
  ['https://keys.example.in', {}, 'https://keys.example.in'],
  ['https://keys.local:5310', { SUPPORT_EMAIL: 'help@example.in' }, 'mailto:help@example.in'],
  ['https://keys.lan', { MAIL_FROM: 'Keys <keys@example.in>' }, 'mailto:keys@example.in'],
  [
    'https://192.168.1.20',
    { SUPPORT_EMAIL: 'a@keys.internal', MAIL_FROM: 'b@example.in' },
    'mailto:b@example.in',
  ],
  ['https://[fd00::1]', {}, undefined],
  ['https://keys', {}, undefined],
  ['https://keys.home.arpa', { SUPPORT_EMAIL: 'a@keys.local' }, undefined],
])(
  'push services get a contact that they can resolve: of %s with %j it is %s',
  (PUBLIC_URL, env, contact) => {
    expect(pushContactOf(readConfig({ PUBLIC_URL, ...env }))).toBe(contact)
  },
)

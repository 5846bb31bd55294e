import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { ALERT_EVENTS, type Alert } from '#domain/alerts/alert.ts'
import { createWebhook } from '#mail/channels/webhook.ts'
import { deliveryOf } from '#tests/support/alerts.ts'
import { openTestApp } from '#tests/support/app.ts'
import { openReceiver, testGuard } from '#tests/support/receiver.ts'

type Parameter = { name: string; in: string; required: boolean; schema: object }
type Described = { parameters: Parameter[]; requestBody: { content: Content } }
type Content = Record<string, { schema: object; example: object }>

async function openDescription(env = {}) {
  const { ask } = await openTestApp({ env })
  const document = await (await ask('GET', '/api/openapi.json')).json()
  const webhooks: Record<string, { post: Described }> = document.webhooks
  const ajv = new Ajv2020({ strict: false, validateSchema: false })
  addFormats(ajv)
  ajv.addSchema(document, 'api')
  const schemaOf = (event: string) =>
    `api#/webhooks/${event}/post/requestBody/content/application~1json/schema`
  const assertCall = (event: string, call: { data: object }) => {
    const isRight = ajv.validate({ $ref: schemaOf(event) }, call)
    expect([event, isRight, ajv.errorsText()]).toEqual([event, true, 'No errors'])
    expect(document.components.schemas.WebhookData.properties).toMatchObject(
      Object.fromEntries(Object.keys(call.data).map((name) => [name, {}])),
    )
  }
  return { webhooks, ajv, assertCall, schemaOf }
}

const KINDS: Partial<Alert>[] = [{}, { isUrgent: true }, { qr_id: null }, { isTest: true }]

test('every call to a webhook is as the API describes it', async () => {
  const { webhooks, ajv, assertCall } = await openDescription()
  const { url, received } = await openReceiver()
  const target = { url, secret: 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3' }
  const webhook = createWebhook(testGuard(), () => new Date())
  const { signal } = new AbortController()
  for (const event of ALERT_EVENTS) {
    for (const kind of KINDS) await webhook.send(deliveryOf({ event, ...kind }), target, signal)
  }
  expect(received).toHaveLength(ALERT_EVENTS.length * KINDS.length)
  for (const { body, headers } of received) {
    const call = JSON.parse(body)
    assertCall(call.type, call)
    for (const { name, schema } of webhooks[call.type]?.post.parameters ?? []) {
      expect([name, ajv.validate(schema, headers[name])]).toEqual([name, true])
    }
  }
})

test('the description has a webhook for each event that is offered, with an example', async () => {
  const { webhooks, assertCall } = await openDescription()
  expect(Object.keys(webhooks).toSorted()).toEqual(ALERT_EVENTS.toSorted())
  for (const [event, { post }] of Object.entries(webhooks)) {
    const { example } = post.requestBody.content['application/json'] ?? {}
    assertCall(event, example as { data: object })
    const required = post.parameters.filter((each) => each.in === 'header' && each.required)
    expect(required.map(({ name }) => name)).toEqual([
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ])
  }
  const { webhooks: without } = await openDescription({ PLANS: 'off' })
  expect(Object.keys(without)).not.toContain('plan')
})

test('a call of another event or without a field is not as described', async () => {
  const { ajv, schemaOf } = await openDescription()
  const data = { title: 'Scanned', body: '', url: 'https://a.example/', urgent: false, qr_id: null }
  const call = { type: 'scan', timestamp: '2026-11-20T09:59:00.000Z', data }
  const fits = (sent: object) => ajv.validate({ $ref: schemaOf('scan') }, sent)
  expect(fits(call)).toBe(true)
  expect(fits({ ...call, type: 'due' })).toBe(false)
  expect(fits({ ...call, data: { ...data, urgent: undefined } })).toBe(false)
  expect(fits({ ...call, timestamp: 'yesterday' })).toBe(false)
})

import { expect, test } from 'vitest'
import { openTestApp } from '#tests/support/app.ts'
import { thingsOf } from '#tests/support/things.ts'

const DEEP = `${'['.repeat(5_000)}${']'.repeat(5_000)}`
const LONG = 'x'.repeat(100_000)
const BODIES = [
  '',
  'null',
  '[]',
  '7',
  '"push"',
  '{',
  '{}',
  DEEP,
  '\u0000',
  '{"__proto__":{"type":"ntfy"}}',
  '{"constructor":{"prototype":{}}}',
  '{"type":null}',
  '{"type":{}}',
  '{"type":["ntfy"]}',
  '{"type":"email"}',
  '{"type":"toString"}',
  '{"type":"ntfy","url":null}',
  '{"type":"ntfy","url":{}}',
  '{"type":"ntfy","url":"https://93.184.216.34/\\u0000"}',
  '{"type":"ntfy","url":"https://93.184.216.34/\\ud800","token":"\\ud800\\u0000"}',
  '{"type":"ntfy","url":"https://93.184.216.34/a\\r\\nX: y","token":"a\\r\\nX: y"}',
  '{"type":"ntfy","url":"https://[::ffff:1.2.3.4]/x"}',
  '{"type":"ntfy","url":"javascript:alert(1)"}',
  '{"type":"ntfy","url":"https://%00/x"}',
  '{"type":"ntfy","url":"https://xn--/x"}',
  `{"type":"ntfy","url":"https://93.184.216.34/${LONG}"}`,
  '{"type":"webhook","url":"https://93.184.216.34/h","secret":"whsec_"}',
  '{"type":"webhook","url":"https://93.184.216.34/h","secret":"whsec_\\u0000"}',
  '{"type":"webhook","url":"https://93.184.216.34/h","secret":{}}',
  '{"type":"webhook","url":"https://93.184.216.34/<script>alert(1)</script>"}',
  '{"type":"push"}',
  '{"type":"push","subscription":null}',
  '{"type":"push","subscription":[]}',
  '{"type":"push","subscription":{"endpoint":7,"keys":{}}}',
  '{"type":"push","subscription":{"endpoint":"https://93.184.216.34/","keys":null}}',
  '{"type":"push","subscription":{"endpoint":"\\u0000","keys":{"p256dh":"\\u0000","auth":"\\u0000"}}}',
  '{"type":"telegram","url":7}',
  '{"events":null}',
  '{"events":[]}',
  '{"events":{"message":null}}',
  '{"events":{"message":{"email":"yes"}}}',
  '{"events":{"security":{"email":false}}}',
  '{"events":{"__proto__":{"email":false}}}',
  '{"quiet_hours":[]}',
  '{"quiet_hours":{}}',
  '{"quiet_hours":{"from":"22:00","to":"22:00"}}',
  '{"quiet_hours":{"from":"24:00","to":"7:00"}}',
  '{"quiet_hours":{"from":"22:00\\n","to":"07:00"}}',
  '{"quiet_hours":{"from":"٢٢:٠٠","to":"07:00"}}',
  `{"quiet_hours":{"from":"${LONG}","to":null}}`,
]

test(`${BODIES.length} hostile bodies and ids are refused or taken by each call, and none breaks it`, async () => {
  const app = await openTestApp({ env: { RATE_LIMITS: 'off' } })
  const as = await app.signUp({ subscription_plan: 'enterprise' })
  const hook = await thingsOf(app, as).webhook()
  const root = '/api/notifications'
  const ids = [hook, 'email', '%01', '%ff', '%2e%2e', '%F0%9F%9A%97', "'--", LONG.slice(0, 5_000)]
  const calls: [string, string][] = [
    ['PUT', `${root}/settings`],
    ['POST', `${root}/channels`],
    ...ids.flatMap((id): [string, string][] => [
      ['POST', `${root}/channels/${id}/deliveries/${id}/again`],
      ['GET', `${root}/channels/${id}/deliveries`],
      ['GET', `/settings/notifications?disconnect=${id}`],
      ['GET', `/settings/notifications/webhooks/${id}`],
      ['POST', `/settings/notifications/channels/${id}/test`],
      ['POST', `/settings/notifications/webhooks/${id}/secret`],
      ['POST', `/settings/notifications/webhooks/${id}/deliveries/${id}/again`],
    ]),
  ]
  const broken: string[] = []
  const statuses = new Set<number>()
  const ask = async (method: string, path: string, body?: string) => {
    const isForm = path.startsWith('/settings')
    const headers = {
      'Content-Type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
      ...(isForm && { Cookie: `__Host-${as.cookie}` }),
    }
    const sent = body === undefined ? {} : { body }
    const { status } = await app.ask(method, path, { headers, ...(isForm ? {} : { as }), ...sent })
    statuses.add(status)
    const isRefusedTest = status === 503 && path.endsWith('/test')
    if (status >= 500 && !isRefusedTest)
      broken.push(`${status} ${method} ${path} ${body}`.slice(0, 200))
  }
  for (const [method, path] of calls.slice(0, 2)) {
    for (const body of BODIES) await ask(method, path, body)
  }
  for (const body of BODIES) {
    await ask('POST', '/settings/notifications', body)
    await ask(
      'POST',
      '/settings/notifications/channels',
      `type=ntfy&url=${encodeURIComponent(body)}`,
    )
  }
  for (const [method, path] of calls.slice(2)) await ask(method, path)
  expect(broken).toEqual([])
  expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 400, 404]))
})

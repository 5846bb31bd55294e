import { expect, test } from 'vitest'
import { openTestApp } from '#tests/support/app.ts'
import { openUncounted, readSections } from '#tests/support/authorisation.ts'
import { callOn, type Sent } from '#tests/support/calls.ts'
import { endOf, identify, newAccount, type Principal, send } from '#tests/support/principals.ts'
import { readTables } from '#tests/support/tables.ts'
import { thingsOf } from '#tests/support/things.ts'

const read = readSections()
  .flatMap(({ rows }) => rows.map(({ call }) => call))
  .filter((call) => call.startsWith('GET '))

test.each<Principal>(['anonymous', 'enterprise', 'super_admin'])(
  'HEAD of any address changes nothing for %s',
  async (who) => {
    const app = await openUncounted()
    const requests: [Sent, Record<string, string>][] = []
    for (const call of read) {
      const account = await newAccount(app, who)
      const sent = await callOn(thingsOf(app, account), call)
      requests.push([sent, await identify(app, who, account, sent.path)])
    }
    const before = await readTables(app.db)
    for (const [sent, headers] of requests) {
      await endOf(await send(app, { ...sent, method: 'HEAD' }, headers))
    }
    expect(await readTables(app.db)).toEqual(before)
  },
)

test('HEAD of a download takes none of those that can be made in an hour', async () => {
  const { ask, signUp } = await openTestApp()
  const as = await signUp({ role: 'admin' })
  const call = (method: string) => ask(method, '/api/admin/qr-codes/export/csv', { as })
  for (let n = 0; n < 10; n++) expect((await call('HEAD')).status).toBe(200)
  const { status, headers } = await call('GET')
  expect([status, headers.get('X-Total-Count')]).toEqual([200, '0'])
})

import { expect, test } from 'vitest'
import { openTestApp } from '#tests/support/app.ts'
import { openUncounted, readSections } from '#tests/support/authorisation.ts'
import { callOn } from '#tests/support/calls.ts'
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
    const changed: string[] = []
    for (const call of read) {
      const account = await newAccount(app, who)
      const sent = await callOn(thingsOf(app, account), call)
      const headers = await identify(app, who, account, sent.path)
      const before = JSON.stringify(await readTables(app.db))
      const answer = await send(app, { ...sent, method: 'HEAD' }, headers)
      await endOf(answer)
      if (JSON.stringify(await readTables(app.db)) !== before)
        changed.push(`${call} ${answer.status}`)
    }
    expect(changed).toEqual([])
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

import { expect, test } from 'vitest'
import type { Db } from '#db/client.ts'
import { differencesOf } from '#db/engine.ts'
import { openUncounted, readSections } from '#tests/support/authorisation.ts'
import { callOn, type Sent } from '#tests/support/calls.ts'
import { EVERY_ROW } from '#tests/support/every-row.ts'
import {
  endOf,
  identify,
  newAccount,
  PRINCIPALS,
  type Principal,
  send,
} from '#tests/support/principals.ts'
import { readTables } from '#tests/support/tables.ts'
import { thingsOf } from '#tests/support/things.ts'

/** Calls that are public, or for callers who administer things of others. */
const NOT_PRIVATE =
  /^\w+ \/(admin|api\/admin|(api|dashboard)\/reports|scan|c|police|shared|take|invite|way-back|transfer|api\/scan\/{qr_id}(\/popup|\/unlock|\/messages?|\/report)?$|api\/documents\/{qr_id}\/police|api\/people\/invitations)/

const probed = readSections()
  .flatMap(({ rows }) => rows.map(({ call }) => call))
  .filter((call) => /[{:]/.test(call) && !NOT_PRIVATE.test(call))

const SUPER_ADMIN = Object.keys(PRINCIPALS).indexOf('super_admin')

test('the probe knows the addresses that name something', () => {
  expect(probed).toContain('PUT /api/qr/{qr_id}')
  expect(probed).toContain('DELETE /api/gallery/shares/{id}')
  expect(probed.length).toBeGreaterThan(30)
})

test.each<Principal>(['enterprise', 'super_admin', 'API key'])(
  'with another account’s ids, %s finds nothing at any address and changes nothing',
  async (who) => {
    const app = await openUncounted()
    const owner = await newAccount(app, 'premium')
    const requests: [string, Sent, Record<string, string>][] = []
    for (const call of probed) {
      const sent = await callOn(thingsOf(app, owner), call)
      const headers = await identify(app, who, await newAccount(app, who), sent.path)
      requests.push([call, sent, headers])
    }
    const before = await readTables(app.db)
    for (const [call, sent, headers] of requests) {
      const answer = await send(app, sent, headers)
      await endOf(answer)
      expect([call, answer.status]).toEqual([call, expected(who, call)])
    }
    expect(await readTables(app.db)).toEqual(before)
  },
)

test('with its own ids, an account changes nothing of another at any address', {
  tags: 'slow',
}, async () => {
  // When nothing of theirs has ended.
  const app = await openUncounted({ now: '2026-11-20T09:59:59.000Z' })
  await differencesOf(app.db).load(EVERY_ROW)
  const theirs = await readRows(app.db)
  for (const { title, rows } of readSections()) {
    for (const { call, answers } of rows) {
      if (call.startsWith('GET ')) continue
      const isRefused = /^[45]/.test(answers[SUPER_ADMIN] ?? '')
      const who = isRefused ? 'enterprise' : 'super_admin'
      const account = await newAccount(app, who)
      const sent = await callOn(thingsOf(app, account), call)
      await endOf(await send(app, sent, await identify(app, who, account, sent.path)))
    }
    const now = new Set(await readRows(app.db))
    expect([title, theirs.filter((row) => !now.has(row))]).toEqual([title, []])
  }
})

/** Things of others and missing things have the same answer, unless the caller may not make the call. */
function expected(who: Principal, call: string): number {
  const isPage = !call.includes(' /api/')
  if (who === 'API key') {
    if (isPage) return 303
    return /subscription|account|api-keys|conversations\/events|notifications|support|transfers|people|shared|POST .*\/transfer/.test(
      call,
    )
      ? 403
      : 404
  }
  // Admins read the receipts of all.
  if (call.includes('/receipts/') && who === 'super_admin') return 200
  if (/\/api\/(api-keys|support)/.test(call)) return who === 'enterprise' ? 404 : 403
  return 404
}

/** Reads the rows of accounts: search indexes and the last number of a receipt belong to no account. */
async function readRows(db: Db): Promise<string[]> {
  const tables = await readTables(db)
  const ofAccounts = tables.filter(([name]) => name in EVERY_ROW && name !== 'receipt_years')
  return ofAccounts.flatMap(([name, rows]) => rows.map((row) => `${name} ${row}`))
}

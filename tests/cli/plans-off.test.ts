import { expect, test } from 'vitest'
import { NOW, openCommandLine } from '#tests/cli/support.ts'

const env = { PLANS: 'off' }
const WORDS = /\b(plans?|price|premium|enterprise|promo|receipts?|upgrade)\b/i

function openOff() {
  const commandLine = openCommandLine()
  const run = (args: string[]) => commandLine.run(args, { env })
  return { ...commandLine, run }
}

test('help tells of no plans where there are none', async () => {
  const { run } = openOff()
  for (const noun of [[], ['admin'], ['admin', 'grant'], ['user'], ['user', 'create'], ['qr']]) {
    const { code, out } = await run([...noun, '--help'])
    expect([noun, code]).toEqual([noun, 0])
    expect(out).not.toMatch(WORDS)
    expect(out).not.toContain('set-plan')
  }
  const { out } = await openCommandLine().run(['--help'])
  expect(out).toContain('promo')
})

test.each([
  ['promo', 'list'],
  ['promo', 'create', 'DIWALI', '--plan', 'premium'],
  ['promo', 'toggle', 'DIWALI'],
  ['user', 'set-plan', 'asha@example.in', 'premium'],
])('%s %s is refused where there are no plans', async (...args) => {
  const { run, addAccount } = openOff()
  await addAccount()
  expect(await run(args)).toEqual({
    code: 1,
    out: '',
    err: 'driveqr: This installation has no plans: its setting PLANS is off\n',
  })
})

test('no command gives the role of a plan, nor takes the plan of one', async () => {
  const { run, addAccount, withDatabase } = openOff()
  await addAccount({ role: 'premium', subscription_plan: 'premium' })
  const asha = ['asha@example.in']
  const given = await run(['admin', 'grant', ...asha, '--role', 'premium'])
  expect(given.code).toBe(2)
  expect(given.err).toContain('Allowed choices are super_admin, admin, moderator.')
  const none = 'driveqr: asha@example.in has no role to revoke\n'
  expect((await run(['admin', 'revoke', ...asha])).err).toBe(none)
  await run(['admin', 'grant', ...asha, '--role', 'moderator'])
  const { out } = await run(['admin', 'revoke', ...asha])
  expect(out).toBe('asha@example.in is Client\n')
  const rows = await withDatabase(({ db }) => db.selectFrom('accounts').selectAll().execute())
  expect(rows).toMatchObject([{ role: 'client', subscription_plan: 'premium', qr_limit: 50 }])
})

test('the sample has no plans, and its history no requests and codes for them', async () => {
  const { run, withDatabase } = openOff()
  const { code, out, err } = await run(['seed', '--codes', '2'])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).not.toMatch(WORDS)
  const counts = await withDatabase(({ db }) =>
    Promise.all(
      (['promo_codes', 'promo_redemptions', 'upgrade_requests', 'receipts'] as const).map(
        async (table) => (await db.selectFrom(table).selectAll().execute()).length,
      ),
    ),
  )
  expect(counts).toEqual([0, 0, 0, 0])
})

test('lists show accounts without plans, and programs read that all have Enterprise', async () => {
  const { run, json, addAccount } = openOff()
  await addAccount({ role: 'moderator', subscription_plan: 'premium' }, NOW)
  for (const noun of ['user', 'admin']) {
    const { out } = await run([noun, 'list'])
    expect(out).toContain('asha@example.in')
    expect(out).not.toMatch(WORDS)
    const answer = await json([noun, 'list'], { env })
    expect(answer).toMatchObject([{ subscription_plan: 'enterprise', qr_limit: -1 }])
  }
})

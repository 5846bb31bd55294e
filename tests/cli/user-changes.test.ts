import { describe, expect, test } from 'vitest'
import { createSessions } from '#db/accounts/sessions.ts'
import { verifyPassword } from '#db/secrets.ts'
import { NOW, openCommandLine } from '#tests/cli/support.ts'

const EMAIL = 'asha@example.in'

async function openInstallation(account: Parameters<typeof fields>[0] = {}) {
  const commandLine = openCommandLine()
  const made = await commandLine.addAccount(fields(account))
  const countSessions = () =>
    commandLine.withDatabase(
      async ({ db }) => (await db.selectFrom('sessions').selectAll().execute()).length,
    )
  await commandLine.withDatabase(({ db }) => createSessions(db, () => NOW).start(made))
  const actions = async () => (await commandLine.listAudit()).map(({ action }) => action)
  return { ...commandLine, countSessions, actions }
}

const fields = (account: { email?: string | null; mobile?: string }) => account

test('blocking an account ends its sessions, and unblocking lets it in again', async () => {
  const { run, json, countSessions, actions } = await openInstallation()
  expect(await run(['user', 'block', ' Asha@Example.in'])).toEqual({
    code: 0,
    out: `${EMAIL} is blocked\n`,
    err: '',
  })
  expect(await countSessions()).toBe(0)
  expect(await json(['user', 'list'])).toMatchObject([{ is_active: false }])
  expect((await run(['user', 'block', EMAIL])).err).toBe(`driveqr: ${EMAIL} is blocked already\n`)
  expect(await json(['user', 'unblock', EMAIL])).toMatchObject({ email: EMAIL, is_active: true })
  expect((await run(['user', 'unblock', EMAIL])).err).toBe(`driveqr: ${EMAIL} is not blocked\n`)
  expect(await actions()).toEqual(['account.blocked', 'account.unblocked'])
})

test('an account that is being deleted can be blocked, and stays so if that is taken back', async () => {
  const { run, json, addAccount, withDatabase } = openCommandLine()
  const { id: account_id } = await addAccount({})
  const at = NOW.toISOString()
  await withDatabase(async ({ db }) => {
    const deletion = {
      account_id,
      is_active: 1,
      token_hash: 'x',
      asked_at: at,
      ends_at: at,
    } as const
    await db.insertInto('account_deletions').values(deletion).execute()
    await db.updateTable('accounts').set({ is_active: 0 }).execute()
  })
  expect((await run(['user', 'unblock', EMAIL])).err).toBe(`driveqr: ${EMAIL} is not blocked\n`)
  expect(await json(['user', 'block', EMAIL])).toMatchObject({ email: EMAIL, is_active: false })
  const kept = await withDatabase(({ db }) =>
    db.selectFrom('account_deletions').select('is_active').executeTakeFirst(),
  )
  expect(kept).toEqual({ is_active: 0 })
  expect((await run(['user', 'block', EMAIL])).err).toBe(`driveqr: ${EMAIL} is blocked already\n`)
})

test('blocking ends a temporary role, and unblocking does not bring it back', async () => {
  const { run, json } = await openInstallation()
  await run(['admin', 'grant', EMAIL, '--role', 'admin', '--until', '2026-12-31'])
  await run(['user', 'block', EMAIL])
  expect(await json(['user', 'unblock', EMAIL])).toMatchObject({ role: 'client' })
})

describe('a plan with an end', () => {
  test('is set for months, which add to the end of the same plan', async () => {
    const { run, json } = await openInstallation()
    const { out } = await run(['user', 'set-plan', EMAIL, 'premium', '--months', '1'])
    expect(out).toBe(`${EMAIL} is on the premium plan until 20 Dec 2026\n`)
    expect(await json(['user', 'set-plan', EMAIL, 'premium', '--months', '2'])).toMatchObject({
      subscription_plan: 'premium',
      subscription_ends_at: '2027-02-20T10:00:00.000Z',
      qr_limit: 50,
      child_qr_quota: 50,
    })
    expect((await run(['user', 'list'])).out).toContain('20 Feb 2027')
  })

  test('is set until a day, which it still has', async () => {
    const { run, json } = await openInstallation()
    await run(['user', 'set-plan', EMAIL, 'premium', '--months', '12'])
    expect(
      await json(['user', 'set-plan', EMAIL, 'premium', '--until', '2026-12-31']),
    ).toMatchObject({ subscription_ends_at: '2026-12-31T18:29:59.999Z' })
  })

  test('has none again without an option, and a plan without end gets one', async () => {
    const { json } = await openInstallation()
    await json(['user', 'set-plan', EMAIL, 'premium', '--months', '1'])
    const endless = { subscription_plan: 'premium', subscription_ends_at: null }
    expect(await json(['user', 'set-plan', EMAIL, 'premium'])).toMatchObject(endless)
    expect(
      await json(['user', 'set-plan', EMAIL, 'premium', '--until', '2026-12-31']),
    ).toMatchObject({ subscription_ends_at: '2026-12-31T18:29:59.999Z' })
    const free = { subscription_plan: 'free', subscription_ends_at: null, qr_limit: 1 }
    expect(await json(['user', 'set-plan', EMAIL, 'free'])).toMatchObject(free)
  })

  test.each([
    ['--months', '1', '--until', '2026-12-31'],
    ['--months', '0'],
    ['--months', '37'],
    ['--months', '1.5'],
    ['--months', 'two'],
    ['--until', 'soon'],
  ])('%s %s %s is wrong usage', async (...options) => {
    const { run } = await openInstallation()
    const { code, out } = await run(['user', 'set-plan', EMAIL, 'premium', ...options])
    expect({ code, out }).toEqual({ code: 2, out: '' })
  })

  test.each([
    [['premium', '--until', '2026-11-19'], 'The end must be in the future'],
    [['free', '--months', '1'], 'The free plan has no end'],
  ])('%j is refused', async (options, why) => {
    const { run } = await openInstallation()
    const { code, err } = await run(['user', 'set-plan', EMAIL, ...options])
    expect({ code, err }).toEqual({ code: 1, err: `driveqr: ${why}\n` })
  })
})

test('a plan is set with its quotas, a lower one too', async () => {
  const { run, json, actions } = await openInstallation()
  const { out } = await run(['user', 'set-plan', EMAIL, 'enterprise'])
  expect(out).toBe(`${EMAIL} is on the enterprise plan\n`)
  expect(await json(['user', 'set-plan', EMAIL, 'premium'])).toMatchObject({
    subscription_plan: 'premium',
    qr_limit: 50,
    child_qr_quota: 50,
  })
  expect(await json(['user', 'set-plan', EMAIL, 'free'])).toMatchObject({
    qr_limit: 1,
    child_qr_quota: 0,
  })
  const { code, err } = await run(['user', 'set-plan', EMAIL, 'free'])
  expect({ code, err }).toEqual({ code: 1, err: `driveqr: ${EMAIL} is on the free plan already\n` })
  expect(await actions()).toEqual(Array(3).fill('account.plan_set'))
})

test('a plan that is set stays when a temporary one would have ended', async () => {
  const { run, json, withDatabase } = await openInstallation()
  await run(['admin', 'grant', EMAIL, '--role', 'premium', '--until', '2026-12-31'])
  await run(['user', 'set-plan', EMAIL, 'premium'])
  const lent = await withDatabase(({ db }) =>
    db.selectFrom('temporary_permissions').selectAll().execute(),
  )
  expect(lent).toMatchObject([{ subscription_plan: 'premium', role: 'client' }])
  expect(await json(['admin', 'list'])).toMatchObject([{ subscription_plan: 'premium' }])
})

test('a new password signs in, and ends all sessions', async () => {
  const { run, withDatabase, countSessions, listAudit } = await openInstallation()
  const { code, out } = await run(['user', 'reset-password', EMAIL], { stdin: 'new & better\n' })
  expect({ code, out }).toEqual({ code: 0, out: `${EMAIL} can sign in with the new password\n` })
  expect(await countSessions()).toBe(0)
  const account = await withDatabase(({ db }) =>
    db.selectFrom('accounts').selectAll().executeTakeFirstOrThrow(),
  )
  expect(await verifyPassword(account.password_hash, 'new & better')).toBe(true)
  const audit = await listAudit()
  expect(audit).toMatchObject([{ action: 'account.password_set', actor: 'command line' }])
  expect(JSON.stringify(audit)).not.toContain('better')
})

test('an account without an address is found by its mobile number', async () => {
  const { run } = await openInstallation({ email: null, mobile: '+919876543210' })
  expect((await run(['user', 'block', '098765 43210'])).out).toBe('+919876543210 is blocked\n')
})

test.each([
  [['user', 'block', 'nobody@example.in'], 'No account signs in with nobody@example.in'],
  [['user', 'set-plan', 'nobody@example.in', 'free'], 'No account signs in with'],
  [['user', 'reset-password', 'nobody@example.in'], 'No account signs in with'],
])('%j is refused with its reason', async (args, reason) => {
  const { run, actions } = await openInstallation()
  const { code, out, err } = await run(args, { stdin: 'new & better\n' })
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toContain(`driveqr: ${reason}`)
  expect(await actions()).toEqual([])
})

test('a password that is too short changes nothing', async () => {
  const { run, countSessions } = await openInstallation()
  const { code, err } = await run(['user', 'reset-password', EMAIL], { stdin: 'short\n' })
  expect({ code, err }).toEqual({
    code: 1,
    err: 'driveqr: Password must be at least 6 characters long\n',
  })
  expect(await countSessions()).toBe(1)
})

test('an admin gets no password that is too short for admins', async () => {
  const { run, countSessions } = await openInstallation()
  await run(['admin', 'grant', EMAIL])
  const { code, err } = await run(['user', 'reset-password', EMAIL], { stdin: 'new pass\n' })
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('12 characters') })
  expect(await countSessions()).toBe(1)
})

test('an unknown plan is wrong usage', async () => {
  const { run } = await openInstallation()
  expect(await run(['user', 'set-plan', EMAIL, 'gold'])).toMatchObject({ code: 2, out: '' })
})

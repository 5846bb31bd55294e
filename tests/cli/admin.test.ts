import { expect, test } from 'vitest'
import { NOW, openCommandLine } from '#tests/cli/support.ts'

const DAY_AFTER = new Date(NOW.getTime() + 86_400_000)
const UNTIL = ['--until', '2026-12-31']
/** The end of 31 December in India. */
const END = '2026-12-31T18:30:00.000Z'

async function openWithAsha(account = {}) {
  const commandLine = openCommandLine()
  const asha = await commandLine.addAccount(account)
  const standing = () =>
    commandLine.withDatabase(({ db }) =>
      db
        .selectFrom('accounts')
        .select(['role', 'subscription_plan', 'qr_limit', 'child_qr_quota'])
        .where('id', '=', asha.id)
        .executeTakeFirstOrThrow(),
    )
  const lent = () =>
    commandLine.withDatabase(({ db }) =>
      db.selectFrom('temporary_permissions').selectAll().executeTakeFirst(),
    )
  const grant = (...args: string[]) =>
    commandLine.run(['admin', 'grant', 'asha@example.in', ...args])
  const revoke = () => commandLine.run(['admin', 'revoke', 'asha@example.in'])
  return { ...commandLine, asha, standing, lent, grant, revoke }
}

const FREE = { subscription_plan: 'free', qr_limit: 1, child_qr_quota: 0 }
const PREMIUM = { subscription_plan: 'premium', qr_limit: 50, child_qr_quota: 50 }

test('grant without a role makes a super admin, in any spelling of the address', async () => {
  const { run, standing, listAudit, asha } = await openWithAsha()
  const { code, out } = await run(['admin', 'grant', ' Asha@Example.IN '])
  expect({ code, out }).toEqual({
    code: 0,
    out: 'asha@example.in is Super Admin on the free plan\n',
  })
  expect(await standing()).toEqual({ role: 'super_admin', ...FREE })
  const [event, ...others] = await listAudit()
  expect(others).toEqual([])
  expect(event).toMatchObject({
    happened_at: NOW.toISOString(),
    actor_id: null,
    actor: 'command line',
    action: 'role.granted',
    subject_type: 'account',
    subject_id: asha.id,
  })
  expect(JSON.parse(event?.before ?? '')).toMatchObject({ role: 'client' })
  expect(JSON.parse(event?.after ?? '')).toMatchObject({ role: 'super_admin', expires_at: null })
})

test('a temporary role ends with its last day in TIMEZONE, and then the earlier role returns', async () => {
  const { grant, standing, lent, asha } = await openWithAsha()
  const { out } = await grant('--role', 'premium', ...UNTIL)
  expect(out).toContain('until 1 Jan 2027, 12:00 am Asia/Kolkata')
  expect(await standing()).toEqual({ role: 'premium', ...PREMIUM })
  expect(await lent()).toEqual({
    account_id: asha.id,
    expires_at: END,
    role: 'client',
    ...FREE,
    is_active: 1,
    lent_quota: 50,
  })
})

test('a second temporary role replaces the first, and at its end the role before both returns', async () => {
  const { grant, standing, lent, run } = await openWithAsha()
  await grant('--role', 'premium', ...UNTIL)
  await grant('--role', 'moderator', '--until', '2027-03-01T00:00:00Z')
  expect(await standing()).toEqual({ role: 'moderator', ...FREE })
  expect(await lent()).toMatchObject({
    role: 'client',
    ...FREE,
    expires_at: '2027-03-01T00:00:00.000Z',
  })
  const { out } = await run(['admin', 'list'], { now: new Date('2027-03-01T00:00:00Z') })
  expect(out).toMatch(/^No account has a role yet/)
  expect(await standing()).toEqual({ role: 'client', ...FREE })
})

test('a permanent role given during a temporary plan stays after the plan has ended', async () => {
  const { grant, standing, lent } = await openWithAsha()
  await grant('--role', 'premium', ...UNTIL)
  await grant('--role', 'moderator')
  expect(await standing()).toEqual({ role: 'moderator', ...PREMIUM })
  expect(await lent()).toMatchObject({ role: 'moderator', ...FREE, expires_at: END })
})

test('a temporary role that is then given permanently does not end', async () => {
  const { grant, standing, lent } = await openWithAsha()
  await grant('--role', 'admin', ...UNTIL)
  await grant('--role', 'admin')
  expect(await standing()).toEqual({ role: 'admin', ...FREE })
  expect(await lent()).toBeUndefined()
})

test('premium lowers neither a higher plan nor a role of the staff', async () => {
  const { grant, standing } = await openWithAsha({
    subscription_plan: 'enterprise',
    role: 'moderator',
  })
  await grant('--role', 'premium')
  expect(await standing()).toMatchObject({ role: 'moderator', subscription_plan: 'enterprise' })
})

test('premium given again does not refill the used child codes', async () => {
  const { grant, run, standing, withDatabase } = await openWithAsha()
  await grant('--role', 'premium')
  await run(['qr', 'create', '--count', '20', '--child', '--owner', 'asha@example.in'])
  await withDatabase(({ db }) => db.updateTable('accounts').set({ child_qr_quota: 30 }).execute())
  await run(['admin', 'revoke', 'asha@example.in'])
  await grant('--role', 'premium')
  expect(await standing()).toMatchObject({ child_qr_quota: 30 })
})

test('revoke makes a client of an admin, and of a premium user one on the free plan', async () => {
  const { grant, revoke, standing, listAudit } = await openWithAsha()
  await grant('--role', 'admin')
  expect(await revoke()).toMatchObject({ code: 0 })
  expect(await standing()).toEqual({ role: 'client', ...FREE })
  await grant('--role', 'premium')
  await revoke()
  expect(await standing()).toEqual({ role: 'client', ...FREE })
  expect((await listAudit()).map(({ action }) => action)).toEqual([
    'role.granted',
    'role.revoked',
    'role.granted',
    'role.revoked',
  ])
})

test('revoke ends a temporary role, and keeps a plan that was paid for', async () => {
  const { grant, revoke, standing, lent } = await openWithAsha({ subscription_plan: 'premium' })
  await grant('--role', 'admin', ...UNTIL)
  await revoke()
  expect(await standing()).toEqual({ role: 'client', ...PREMIUM })
  expect(await lent()).toBeUndefined()
})

test.each([
  [['admin', 'grant', 'nobody@example.in'], 'No account signs in with nobody@example.in'],
  [['admin', 'revoke', 'nobody@example.in'], 'No account signs in with nobody@example.in'],
  [['admin', 'revoke', 'asha@example.in'], 'asha@example.in has no role to revoke'],
  [['admin', 'grant', 'asha@example.in', '--until', '2026-11-19'], '--until must be in the future'],
])('%j is refused with its reason in one line', async (args, reason) => {
  const { run, listAudit } = await openWithAsha()
  expect(await run(args)).toEqual({ code: 1, out: '', err: `driveqr: ${reason}\n` })
  expect(await listAudit()).toEqual([])
})

test('a blocked account is given no role', async () => {
  const { grant, withDatabase } = await openWithAsha()
  await withDatabase(({ db }) => db.updateTable('accounts').set({ is_active: 0 }).execute())
  expect(await grant()).toMatchObject({
    code: 1,
    err: 'driveqr: asha@example.in is blocked and can be given no role\n',
  })
})

test.each([
  [['--role', 'owner']],
  [['--until', 'tomorrow']],
  [['--until', '2026-02-30']],
  [['--until', '31/12/2026']],
])('grant %j is wrong usage', async (options) => {
  const { grant } = await openWithAsha()
  expect(await grant(...options)).toMatchObject({ code: 2, out: '' })
})

test('list shows roles and when they end, as text and JSON', async () => {
  const { grant, run, json, addAccount } = await openWithAsha()
  expect((await run(['admin', 'list'])).out).toContain('No account has a role yet')
  await addAccount(
    { email: 'ravi@example.in', name: 'Ravi \u001b[31mRed', role: 'admin' },
    DAY_AFTER,
  )
  await addAccount({ email: 'client@example.in' })
  await grant('--role', 'moderator', ...UNTIL)
  const { out } = await run(['admin', 'list'])
  expect(out).toMatch(/^E-MAIL +NAME +ROLE +PLAN +UNTIL\n/)
  expect(out).toMatch(
    /asha@example.in +Asha Patil +moderator +free +1 Jan 2027, 12:00 am Asia\/Kolkata\n/,
  )
  expect(out).not.toContain('\u001b')
  expect(out).not.toContain('client@example.in')
  expect(await json(['admin', 'list'])).toEqual([
    {
      email: 'asha@example.in',
      email_verified: true,
      mobile: null,
      name: 'Asha Patil',
      role: 'moderator',
      ...FREE,
      expires_at: END,
    },
    expect.objectContaining({ email: 'ravi@example.in', role: 'admin', expires_at: null }),
  ])
})

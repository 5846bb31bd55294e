import { expect, onTestFinished, test } from 'vitest'
import { verifyPassword } from '#db/secrets.ts'
import { DEFAULT_COUNTRY, dialIn } from '#domain/accounts/country.ts'
import { NOW, openCommandLine } from '#tests/cli/support.ts'

const CREATE = ['user', 'create', 'Ravi@Example.in', '--name', ' Ravi Menon ']
const PASSWORD = 'lost & found'

test('the password is the first line of the input, and signs the account in', async () => {
  const { run, withDatabase, listAudit } = openCommandLine()
  const mobile = ['--mobile', '098765 43210']
  const { code, out, err } = await run([...CREATE, ...mobile], { stdin: `${PASSWORD}\r\nmore` })
  expect({ code, out, err }).toEqual({ code: 0, out: 'ravi@example.in can sign in now\n', err: '' })
  await withDatabase(async ({ db }) => {
    const account = await db.selectFrom('accounts').selectAll().executeTakeFirstOrThrow()
    expect(account).toMatchObject({
      name: 'Ravi Menon',
      email: 'ravi@example.in',
      mobile: '+919876543210',
      login_id: null,
      role: 'client',
      subscription_plan: 'free',
      created_at: NOW.toISOString(),
    })
    expect(await verifyPassword(account.password_hash, PASSWORD)).toBe(true)
    // Not the quick one of other tests.
    expect(account.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })
  expect(await listAudit()).toMatchObject([{ actor: 'command line', action: 'account.created' }])
})

test('a mobile number without + is one of COUNTRY', async () => {
  onTestFinished(() => dialIn(DEFAULT_COUNTRY))
  const { run, json } = openCommandLine()
  const env = { COUNTRY: 'DE' }
  const create = (mobile: string) =>
    run([...CREATE, '--mobile', mobile], { stdin: `${PASSWORD}\n`, env })
  expect((await create('98765 43210')).err).toContain('a number in Germany')
  expect((await create('0151 23456789')).code).toBe(0)
  expect(await json(['user', 'list'])).toMatchObject([{ mobile: '+4915123456789' }])
})

test('an address that the operator takes as verified may have a role at once', async () => {
  const { run, json, listAudit } = openCommandLine()
  await run([...CREATE, '--verified'], { stdin: PASSWORD })
  await run(['admin', 'grant', 'ravi@example.in', '--role', 'admin'])
  expect(await json(['user', 'list'])).toMatchObject([{ role: 'admin' }])
  expect((await listAudit()).map(({ action }) => action)).toContain('account.email_verified')
})

test('a password is prompted for twice, and not shown', async () => {
  const { run, listAudit } = openCommandLine()
  const typed = [PASSWORD, PASSWORD]
  const { code, out, err } = await run(CREATE, { typed, isTerminal: true })
  expect({ code, err }).toEqual({ code: 0, err: 'Password: \nRepeat password: \n' })
  expect(out + err + JSON.stringify(await listAudit())).not.toContain(PASSWORD)
})

test('two different passwords are refused', async () => {
  const { run, json } = openCommandLine()
  const { code, err } = await run(CREATE, { typed: [PASSWORD, 'lost & fund'] })
  expect(code).toBe(1)
  expect(err).toMatch(/\ndriveqr: Passwords do not match\n$/)
  expect(await json(['user', 'list'])).toEqual([])
})

test.each([
  ['Ctrl-C', '\u0003'],
  ['Ctrl-D', '\u0004'],
])('%s at the question stops without an account', async (_key, key) => {
  const { run, json } = openCommandLine()
  const { code, err } = await run(CREATE, { typed: [key] })
  expect(code).toBe(1)
  expect(err).toContain('driveqr: Stopped: no password was given\n')
  expect(await json(['user', 'list'])).toEqual([])
})

test.each([
  [['user', 'create', 'nobody', '--name', 'X'], PASSWORD, 'Please enter a valid email address'],
  [['user', 'create', ' ', '--name', 'X'], PASSWORD, 'Please enter your email address'],
  [['user', 'create', 'a@b.in', '--name', ' '], PASSWORD, 'Please enter your name'],
  [[...CREATE, '--mobile', '12'], PASSWORD, 'Please enter a valid mobile number'],
  [CREATE, '', 'Please enter a password'],
  [CREATE, '\n', 'Please enter a password'],
  [CREATE, '12345', 'Password must be at least 6 characters long'],
  [CREATE, 'x'.repeat(129), 'Password must be at most 128 characters long'],
])('%j with the password %j is refused by the rules of registration', async (args, stdin, why) => {
  const { run } = openCommandLine()
  expect(await run(args, { stdin })).toEqual({ code: 1, out: '', err: `driveqr: ${why}\n` })
})

test('a taken address or mobile number is refused, and says which', async () => {
  const { run, addAccount, json } = openCommandLine()
  await addAccount({ email: 'ravi@example.in', mobile: '+919876543210' })
  expect(await run(CREATE, { stdin: PASSWORD })).toMatchObject({
    code: 1,
    err: 'driveqr: An account with the address ravi@example.in exists already\n',
  })
  const other = ['user', 'create', 'b@example.in', '--name', 'B', '--mobile', '+91 98765 43210']
  expect(await run(other, { stdin: PASSWORD })).toMatchObject({
    code: 1,
    err: 'driveqr: An account with the mobile number +919876543210 exists already\n',
  })
  expect(await json(['user', 'list'])).toHaveLength(1)
})

test('create and list give programs the same JSON, without the password or its hash', async () => {
  const { json, run } = openCommandLine()
  const made = await json(CREATE, { stdin: PASSWORD })
  expect(made).toEqual({
    id: expect.any(String),
    name: 'Ravi Menon',
    email: 'ravi@example.in',
    email_verified: false,
    mobile: null,
    login_id: null,
    role: 'client',
    is_active: true,
    subscription_plan: 'free',
    subscription_ends_at: null,
    qr_count: 0,
    qr_limit: 1,
    child_qr_quota: 0,
    parent_id: null,
    created_at: NOW.toISOString(),
  })
  expect(await json(['user', 'list'])).toEqual([made])
  const { out } = await run(['user', 'list'])
  expect(out).toMatch(
    /ravi@example.in \(not verified\) +Ravi Menon +client +free +0 +active +20 Nov 2026\n$/,
  )
})

test('the list counts normal codes of each account and marks blocked ones', async () => {
  const { json, run, addAccount, withDatabase } = openCommandLine()
  expect((await run(['user', 'list'])).out).toContain('There is no account yet')
  await addAccount()
  await run(['qr', 'create', '--count', '3', '--owner', 'asha@example.in'])
  await run(['qr', 'create', '--count', '2', '--child', '--owner', 'asha@example.in'])
  await withDatabase(({ db }) => db.updateTable('accounts').set({ is_active: 0 }).execute())
  expect(await json(['user', 'list'])).toMatchObject([{ qr_count: 3, is_active: false }])
  const { out } = await run(['user', 'list'])
  expect(out).toMatch(/ 3 +blocked /)
  expect(out).not.toContain('not verified')
})

import { expect, test } from 'vitest'
import { openCommandLine } from '#tests/cli/support.ts'

const INVITE = ['user', 'invite', 'Ravi@Example.in']
const WITH_MAIL = { SMTP_URL: 'smtp://127.0.0.1:25' }
const LINK = /^http:\/\/localhost:3000\/invite\/[\w-]{43}$/

test('without a mail server the link is printed, and verifies no address', async () => {
  const { run, withDatabase, listAudit } = openCommandLine()
  const { code, out, err } = await run(INVITE)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const [text, url, ...rest] = out.split('\n')
  expect(text).toBe(
    'Give ravi@example.in this link. It works once, until 27 Nov 2026, 3:30 pm Asia/Kolkata:',
  )
  expect(url).toMatch(LINK)
  expect(rest).toEqual([''])
  await withDatabase(async ({ db }) => {
    expect(await db.selectFrom('invitations').selectAll().execute()).toMatchObject([
      { email: 'ravi@example.in', account_id: null, was_mailed: 0 },
    ])
    expect(await db.selectFrom('outbox').selectAll().execute()).toEqual([])
  })
  expect(await listAudit()).toMatchObject([{ actor: 'command line', action: 'invitation.made' }])
})

test('with a mail server the link is mailed, and not shown', async () => {
  const { run, json, withDatabase } = openCommandLine()
  const { code, out } = await run(INVITE, { env: WITH_MAIL })
  expect(code).toBe(0)
  expect(out).toBe(
    'ravi@example.in gets a mail with a link, which works once, until 27 Nov 2026, 3:30 pm Asia/Kolkata\n',
  )
  expect((await json(INVITE, { env: WITH_MAIL })).url).toBeNull()
  await withDatabase(async ({ db }) => {
    const rows = await db.selectFrom('invitations').select(['email', 'was_mailed']).execute()
    expect(rows).toEqual([{ email: 'ravi@example.in', was_mailed: 1 }])
    expect(await db.selectFrom('outbox').selectAll().execute()).toHaveLength(2)
  })
})

test('--print shows the link instead of mailing it', async () => {
  const { json, withDatabase } = openCommandLine()
  const made = await json([...INVITE, '--print'], { env: WITH_MAIL })
  expect(made).toEqual({
    id: expect.any(String),
    email: 'ravi@example.in',
    expires_at: '2026-11-27T10:00:00.000Z',
    url: expect.stringMatching(LINK),
  })
  await withDatabase(async ({ db }) => {
    expect(await db.selectFrom('invitations').select('was_mailed').execute()).toEqual([
      { was_mailed: 0 },
    ])
    expect(await db.selectFrom('outbox').selectAll().execute()).toEqual([])
  })
})

test('the operator invites while registration is closed, and to any domain', async () => {
  const { run } = openCommandLine()
  const env = { REGISTRATION: 'closed', REGISTRATION_DOMAINS: 'example.org' }
  expect((await run(INVITE, { env })).code).toBe(0)
})

test.each([
  [['user', 'invite', 'nobody'], {}, 'Please enter a valid email address'],
  [['user', 'invite', ' '], {}, 'Please enter your email address'],
  [
    INVITE,
    { REGISTRATION: 'invite', REGISTRATION_DOMAINS: 'example.org' },
    'Register with an address at example.org',
  ],
])('%j with %j is refused and invites nobody', async (args, env, why) => {
  const { run, withDatabase } = openCommandLine()
  expect(await run(args, { env })).toEqual({ code: 1, out: '', err: `driveqr: ${why}\n` })
  await withDatabase(async ({ db }) => {
    expect(await db.selectFrom('invitations').selectAll().execute()).toEqual([])
  })
})

test('an address with an account is refused', async () => {
  const { run, addAccount } = openCommandLine()
  await addAccount({ email: 'ravi@example.in' })
  expect(await run(INVITE)).toMatchObject({
    code: 1,
    err: 'driveqr: An account with this email already exists\n',
  })
})

import { expect, test } from 'vitest'
import { openOutbox } from '#db/outbox.ts'
import { loadSecretKey } from '#db/secrets.ts'
import { NOW, openCommandLine } from '#tests/cli/support.ts'

const EMAIL = 'asha@example.in'

/** An account that the command line made. */
async function openMade() {
  const commandLine = openCommandLine()
  const create = ['user', 'create', EMAIL, '--name', 'Asha Patil']
  expect(await commandLine.run(create, { stdin: 'correct horse\n' })).toMatchObject({ code: 0 })
  return commandLine
}

test('a role for an account that the command line made waits until its address is verified', async () => {
  const { run, json, listAudit } = await openMade()
  const refused = await run(['admin', 'grant', EMAIL])
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(refused.err).toContain('driveqr: The email address of this account is not verified.')
  expect(refused.err).toContain('driveqr user verify-email EMAIL')
  expect(await json(['admin', 'list'])).toEqual([])

  expect(await run(['user', 'verify-email', ' Asha@Example.IN '])).toEqual({
    code: 0,
    out: `${EMAIL} is verified\n`,
    err: '',
  })
  expect(await run(['admin', 'grant', EMAIL])).toMatchObject({ code: 0 })
  const actions = (await listAudit()).map(({ action, actor }) => [action, actor])
  expect(actions).toEqual([
    ['account.created', 'command line'],
    ['account.email_verified', 'command line'],
    ['role.granted', 'command line'],
  ])
})

test('premium is a plan, which an account gets without a verified address', async () => {
  const { run } = await openMade()
  const { code } = await run(['admin', 'grant', EMAIL, '--role', 'premium'])
  expect(code).toBe(0)
})

test('an address is verified once, and an unknown one is not found', async () => {
  const { run, listAudit } = await openMade()
  await run(['user', 'verify-email', EMAIL])
  expect(await run(['user', 'verify-email', EMAIL])).toMatchObject({
    code: 1,
    err: `driveqr: ${EMAIL} is verified already\n`,
  })
  expect(await run(['user', 'verify-email', 'nobody@example.in'])).toMatchObject({
    code: 1,
    err: 'driveqr: No account signs in with nobody@example.in\n',
  })
  expect(await listAudit()).toHaveLength(2)
})

test('a child’s address is verified by a one-time code alone', async () => {
  const { run, addAccount, withDatabase } = openCommandLine()
  const parent = await addAccount({ email: 'parent@example.in' })
  await addAccount({ parent_id: parent.id, email_verified_at: null })
  const refused = await run(['user', 'verify-email', EMAIL])
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(refused.err).toContain(`${EMAIL} is a child user`)
  const row = await withDatabase(({ db }) =>
    db.selectFrom('accounts').selectAll().where('email', '=', EMAIL).executeTakeFirstOrThrow(),
  )
  expect(row.email_verified_at).toBeNull()
  expect((await run(['admin', 'grant', EMAIL])).err).toContain(`Nobody has verified ${EMAIL}`)
})

test('a password that the command line sets is mailed to a verified address alone', async () => {
  const env = { SMTP_URL: 'smtp://127.0.0.1:25' }
  const { run, withDatabase, dataDir } = await openMade()
  const set = () => run(['user', 'reset-password', EMAIL], { stdin: 'new & better\n', env })
  const mails = () =>
    withDatabase(async ({ db }) => {
      const outbox = openOutbox(db, loadSecretKey(dataDir), () => NOW, true)
      return (await outbox.claim())?.mail
    })
  expect((await set()).code).toBe(0)
  expect(await mails()).toBeUndefined()
  await run(['user', 'verify-email', EMAIL])
  expect((await set()).code).toBe(0)
  const mail = await mails()
  expect(mail).toMatchObject({ to: EMAIL, subject: 'Your DriveQR password was changed' })
  expect(mail?.text.replaceAll('\n', ' ')).toContain('by the operator')
  expect(mail?.text).not.toContain('better')
})

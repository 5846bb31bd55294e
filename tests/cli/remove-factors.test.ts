import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { KEY_FILE } from '#db/data-folder.ts'
import { openMail } from '#db/sealed-mail.ts'
import { NOW, openCommandLine } from '#tests/cli/support.ts'

const EMAIL = 'asha@example.in'
const AT = NOW.toISOString()
const env = { SMTP_URL: 'smtp://127.0.0.1:25' }

test('the command line takes the second factor off, records it and says so by mail', async () => {
  const { dataDir, run, addAccount, withDatabase, listAudit } = openCommandLine()
  const { id } = await addAccount({ email: EMAIL, email_verified_at: AT })
  await withDatabase(async ({ db }) => {
    const app = { account_id: id, secret: 'sealed', created_at: AT, confirmed_at: AT, last_step: 1 }
    await db.insertInto('authenticators').values(app).execute()
    const passkey = {
      name: 'Phone',
      credential_id: 'c',
      public_key: 'k',
      counter: 0,
      transports: '',
    }
    const times = { created_at: AT, last_used_at: null }
    await db
      .insertInto('passkeys')
      .values({ id: 'p', account_id: id, ...passkey, ...times })
      .execute()
    await db
      .insertInto('recovery_codes')
      .values({ account_id: id, code_hash: 'h', made_at: '' })
      .execute()
  })
  expect(await run(['user', 'remove-factors', EMAIL], { env })).toMatchObject({
    code: 0,
    out: `${EMAIL} signs in with the password alone\n`,
  })
  await withDatabase(async ({ db }) => {
    expect(await db.selectFrom('authenticators').selectAll().execute()).toEqual([])
    expect(await db.selectFrom('passkeys').selectAll().execute()).toEqual([])
    expect(await db.selectFrom('recovery_codes').selectAll().execute()).toEqual([])
    const row = await db.selectFrom('outbox').selectAll().executeTakeFirstOrThrow()
    expect(openMail(readFileSync(join(dataDir, KEY_FILE)), row)).toMatchObject({
      to: EMAIL,
      subject: 'Your DriveQR second step was removed',
    })
  })
  expect((await listAudit()).map(({ action }) => action)).toEqual(['account.factors_removed'])
  expect(await run(['user', 'remove-factors', EMAIL])).toMatchObject({
    code: 1,
    err: `driveqr: ${EMAIL} has no second factor\n`,
  })
  expect(await run(['user', 'remove-factors', 'nobody@example.in'])).toMatchObject({ code: 1 })
})

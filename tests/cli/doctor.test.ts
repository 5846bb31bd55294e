import {
  chmodSync,
  chownSync,
  copyFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { VERSION } from '#config.ts'
import { addChannel } from '#db/alerts/channels.ts'
import { createPageReport } from '#db/conversations/page-reports.ts'
import { SCHEMA_VERSION } from '#db/schema-version.ts'
import { loadSecretKey } from '#db/secrets.ts'
import { setUnreachable } from '#db/seed.ts'
import { backupName } from '#domain/backup.ts'
import { checkNode, checkSpace, describeSpace } from '#scripts/_checks.ts'
import { writeRecord } from '#storage/backup/record.ts'
import { openFileStore } from '#storage/files.ts'
import { missingFolder, NOW, openCommandLine, temporaryFolder } from '#tests/cli/support.ts'
import { insertCode } from '#tests/support/codes.ts'
import { testAsUser, testOnDisk, testOnLinux, testOnSqlite } from '#tests/support/database.ts'
import { insertConversation } from '#tests/support/stored-conversations.ts'

type Check = { name: string; status: string; message: string }

/** An installation in use: an account, a code with a PIN, a secret key. */
async function openInstallation(email = 'asha@example.in') {
  const commandLine = openCommandLine()
  const { dataDir } = commandLine
  const asha = await commandLine.addAccount({ email })
  await commandLine.withDatabase(({ db }) => insertCode(db, asha.id, { pin_hash: 'a hash' }))
  writeRecord(dataDir, { good: { made_at: NOW.toISOString(), file: '/mnt/a.tar', bytes: 5e6 } })
  async function examine(options: Parameters<typeof commandLine.run>[1] = {}) {
    const { code, out, err } = await commandLine.run(['doctor', '--json'], options)
    const { verdict, checks } = JSON.parse(out) as { verdict: string; checks: Check[] }
    const find = (name: string) => checks.find((check) => check.name === name)
    const names = (status: string) =>
      checks.filter((check) => check.status === status).map(({ name }) => name)
    return { code, err, verdict, find, problems: names('problem'), warnings: names('warning') }
  }
  return { ...commandLine, examine, database: join(dataDir, 'driveqr.db') }
}

const SOUND = { code: 0, err: '', verdict: 'sound', problems: [], warnings: [] }

testOnSqlite('an installation in use is sound, and every check reports its finding', async () => {
  const { examine, run } = await openInstallation()
  expect(await examine()).toMatchObject(SOUND)
  const { code, out } = await run(['doctor'])
  expect(code).toBe(0)
  expect(out).toMatch(/^STATUS +CHECK +FINDING\n/)
  for (const finding of [
    `Version        ${VERSION}`,
    'Node           24.',
    'Configuration  development',
    'Mail           test mode',
    'Owners         UPI_ID or BANK_ACCOUNT_NUMBER is not set: owners ask for an upgrade',
    'SUPPORT_EMAIL or SUPPORT_PHONE is not set: owners find no contact under Support',
    'Alerts         ',
    'not Email: SMTP_URL is not set; not Telegram: TELEGRAM_BOT_TOKEN is not set',
    'Registration   open',
    'Google         not configured',
    ': only its owner can read it',
    'MB free',
    'SQLite         3.',
    'quick check passed',
    'References     no reference is broken',
    `Schema         version ${SCHEMA_VERSION}`,
    'Install id     database and folder belong together',
    'Secret key     only its owner can read it',
    'Outbox         no mail is waiting',
    `Clock          ${NOW.toISOString()}`,
    'Files          0 files, none missing',
    'Reports        none open',
    'Admins         there is none yet: driveqr admin grant EMAIL',
    'Backups        20 Nov 2026, 3:30 pm Asia/Kolkata, 5.0 MB',
  ]) {
    expect(out).toContain(finding)
  }
  expect(out).toMatch(/\n\nEverything is sound.\n$/)
})

describe('the missing parts of a use', () => {
  const FAMILY = {
    PUBLIC_URL: 'https://keys.example.in',
    PLANS: 'off',
    REGISTRATION: 'invite',
    REQUIRE_SECOND_FACTOR: 'none',
  }
  const SHOP = {
    PUBLIC_URL: 'https://keys.example.in',
    UPI_ID: 'driveqr@upi',
    SUPPORT_EMAIL: 'help@example.in',
  }

  async function usesOf(env: Record<string, string>, prepare: (at: Opened) => unknown = () => {}) {
    const opened = await openInstallation()
    await prepare(opened)
    const { out } = await opened.run(['doctor', '--json'], { env })
    const { uses } = JSON.parse(out) as { uses: { use: string; missing: string[] }[] }
    return Object.fromEntries(uses.map(({ use, missing }) => [use, missing.join(', ')]))
  }
  type Opened = Awaited<ReturnType<typeof openInstallation>>
  /** Makes the account a super admin with an authenticator app. */
  const appoint = ({ withDatabase }: Opened) =>
    withDatabase(async ({ db }) => {
      const { id } = await db.selectFrom('accounts').select('id').executeTakeFirstOrThrow()
      await db.updateTable('accounts').set({ role: 'super_admin' }).execute()
      const at = NOW.toISOString()
      const app = { account_id: id, secret: 'sealed', last_step: 0 }
      await db
        .insertInto('authenticators')
        .values({ ...app, created_at: at, confirmed_at: at })
        .execute()
    })

  test('are none to try it, and all that others need', async () => {
    expect(await usesOf({})).toEqual({
      'try it': '',
      'my family':
        'PLANS=off, an https address (PUBLIC_URL), REGISTRATION=invite, an admin with a second factor',
      'selling tags':
        'an https address (PUBLIC_URL), a mail server (SMTP_URL), payment details and a support contact, an admin with a second factor',
    })
  })

  test('are none for a family with its settings and an admin, with or without mail', async () => {
    expect(await usesOf(FAMILY, appoint)).toEqual({
      'try it': '',
      'my family': '',
      'selling tags': 'PLANS=on, a mail server (SMTP_URL), payment details and a support contact',
    })
  })

  test('are a mail server alone for a seller who has everything else', async () => {
    expect(await usesOf(SHOP, appoint)).toMatchObject({
      'selling tags': 'a mail server (SMTP_URL)',
    })
  })

  test('are an admin with a second factor where a password alone lets one in', async () => {
    const uses = await usesOf(FAMILY, ({ withDatabase }) =>
      withDatabase(({ db }) => db.updateTable('accounts').set({ role: 'admin' }).execute()),
    )
    expect(uses['my family']).toBe('an admin with a second factor')
  })

  test('are every problem first, also to try it', async () => {
    const uses = await usesOf(FAMILY, async (opened) => {
      await appoint(opened)
      rmSync(join(opened.dataDir, 'secret.key'))
    })
    expect(uses).toMatchObject({ 'try it': 'Secret key', 'my family': 'Secret key' })
  })

  test('are listed in short lines, also before the first start', async () => {
    const { run } = openCommandLine(missingFolder())
    const { out } = await run(['doctor'])
    const [, lines = ''] = out.split('\n\n')
    expect(lines.split('\n')).toEqual([
      'USE           MISSING',
      'try it        nothing',
      'my family     PLANS=off, an https address (PUBLIC_URL), REGISTRATION=invite, a backup, an admin with a second factor',
      'selling tags  an https address (PUBLIC_URL), a mail server (SMTP_URL), payment details and a support contact, a backup, an admin with a second factor',
    ])
  })

  test('are not listed when the settings cannot be read', async () => {
    const { run } = openCommandLine()
    const { out } = await run(['doctor', '--json'], { env: { PORT: '99999' } })
    expect(JSON.parse(out)).not.toHaveProperty('uses')
  })
})

testOnSqlite('the manual has every check, and beside them that of PostgreSQL alone', async () => {
  const { run } = await openInstallation()
  const { checks } = JSON.parse((await run(['doctor', '--json'])).out) as { checks: Check[] }
  const manual = readFileSync('docs/doctor.md', 'utf8')
  const [, table = ''] = manual.split('| check | looks at |\n|---|---|\n')
  const rows = table.split('\n\n', 1)[0]?.split('\n') ?? []
  const told = rows.flatMap((row) => row.split('|')[1]?.trim().split(', ') ?? [])
  const made = [...checks.map(({ name }) => name), 'PostgreSQL']
  expect(told.toSorted()).toEqual(made.toSorted())
})

test('it is sound beside a server that has the database open', async () => {
  const { examine, withDatabase } = await openInstallation()
  await withDatabase(async ({ db }) => {
    await db.updateTable('accounts').set({ name: 'Just now' }).execute()
    const { find, ...rest } = await examine()
    expect(rest).toMatchObject(SOUND)
    // Most of it is still in the log beside the file.
    expect(find('Database')?.message).not.toMatch(/ [0-9] KB/)
  })
})

test('before the first start there are no problems, and nothing is created', async () => {
  const { run, dataDir } = openCommandLine(missingFolder())
  const { code, out } = await run(['doctor'])
  expect(code).toBe(0)
  expect(out).toContain(`${dataDir} does not exist yet: the first start creates it`)
  expect(readdirSync(dirname(dataDir))).toEqual([])
})

testOnSqlite('a start that was refused before it made the tables leaves no problem', async () => {
  const { run, dataDir } = openCommandLine(missingFolder())
  const refused = await run(['seed'], { env: { SECRET_KEY_FILE: join(dataDir, 'none') } })
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('cannot be read') })
  expect(readdirSync(dataDir)).toContain('driveqr.db')
  const { code, out } = await run(['doctor'])
  expect({ code, out }).toMatchObject({
    code: 0,
    out: expect.stringContaining('none yet: the first'),
  })
})

test('it changes nothing in the data folder', async () => {
  const { examine, dataDir } = await openInstallation()
  const listing = () =>
    readdirSync(dataDir).map((name) => [name, statSync(join(dataDir, name)).size])
  const before = listing()
  await examine()
  expect(listing()).toEqual(before)
})

test('a problem is exit 1, with a summary on stderr for people and programs', async () => {
  const { examine, run, dataDir } = await openInstallation()
  rmSync(join(dataDir, 'secret.key'))
  expect(await examine()).toMatchObject({
    code: 1,
    err: 'driveqr: 1 problem was found\n',
    verdict: 'problem',
    problems: ['Secret key'],
  })
  const { code, out } = await run(['doctor'])
  expect(code).toBe(1)
  expect(out).toMatch(
    /\nPROBLEM +Secret key +secret.key is missing: restore it from a backup, or copy/,
  )
  expect(out).not.toContain('sound')
})

test('a key that is missing while the database knows none is a warning, which does not fail', async () => {
  const { examine, dataDir, withDatabase, run } = await openInstallation()
  await withDatabase(({ db }) =>
    db.deleteFrom('meta').where('key', '=', 'secret_key_fingerprint').execute(),
  )
  rmSync(join(dataDir, 'secret.key'))
  expect(await examine()).toMatchObject({ code: 0, err: '', warnings: ['Secret key'] })
  expect((await run(['doctor'])).out).toMatch(/\n\nSound, with 1 warning.\n$/)
})

test('sign-in with Google names the URL to allow there, and the problems of the settings', async () => {
  const { examine } = await openInstallation()
  const google = { GOOGLE_CLIENT_ID: 'x', GOOGLE_CLIENT_SECRET: 'very secret' }
  const check = async (PUBLIC_URL: string) =>
    (await examine({ env: { ...google, PUBLIC_URL } })).find('Google')
  expect(await check('https://keys.example.in')).toMatchObject({
    status: 'ok',
    message: expect.stringContaining('https://keys.example.in/api/auth/google/callback'),
  })
  expect(await check('http://keys.example.in')).toMatchObject({ status: 'warning' })
  const here = await check('http://localhost:3000')
  expect(here).toMatchObject({ status: 'ok' })
  expect(JSON.stringify(here)).not.toContain('very secret')
})

test('BACKUP=off and a BACKUP_DIR that is not there are told', async () => {
  const { examine } = await openInstallation()
  const check = async (env: Record<string, string>) => (await examine({ env })).find('Backups')
  expect(await check({ BACKUP: 'off' })).toMatchObject({
    status: 'ok',
    message: 'off by BACKUP=off: the server makes none by itself',
  })
  expect(await check({ BACKUP_DIR: '/mnt/nowhere' })).toMatchObject({
    status: 'problem',
    message: 'there is no folder /mnt/nowhere: see BACKUP_DIR',
  })
})

test('variables that resemble a setting are a warning', async () => {
  const { examine } = await openInstallation()
  const { find, code } = await examine({ env: { SMPT_URL: 'smtp://hidden', BANK_SWIFT: 'x' } })
  expect(code).toBe(0)
  expect(find('Configuration')).toEqual({
    name: 'Configuration',
    status: 'warning',
    message: 'development; not a setting of DriveQR: SMPT_URL (SMTP_URL?), BANK_SWIFT',
  })
})

testOnSqlite('mails that wait for long are a warning without recipients', async () => {
  const { examine, withDatabase } = await openInstallation()
  const waitFor = (minutes: number) =>
    withDatabase(async ({ connection }) => {
      const since = new Date(NOW.getTime() - minutes * 60_000).toISOString()
      const row = `insert into outbox (id, cause_id, kind, recipient, subject, text, html, attempts,
          created_at, next_attempt_at, expires_at)
        values (?, ?, 'email', 'ravi@example.in', 's', 't', 'h', 1, ?, ?, ?)`
      connection.prepare(row).run(String(minutes), String(minutes), since, since, since)
    })
  await waitFor(14)
  expect((await examine()).find('Outbox')).toMatchObject({
    status: 'ok',
    message: '1 mail is waiting',
  })
  await waitFor(90)
  const { find, code } = await examine()
  expect(code).toBe(0)
  expect(find('Outbox')).toMatchObject({ status: 'warning' })
  expect(find('Outbox')?.message).toMatch(/^2 mails are waiting, the oldest for 90 minutes: /)
  expect(JSON.stringify(find('Outbox'))).not.toContain('ravi')
})

test('a key that was cut short, or that others can read, is a problem', async () => {
  const { examine, dataDir } = await openInstallation()
  const key = join(dataDir, 'secret.key')
  chmodSync(key, 0o644)
  expect((await examine()).find('Secret key')?.message).toContain('can be read by other users')
  truncateSync(key, 7)
  expect((await examine()).find('Secret key')?.message).toContain('secret.key is damaged')
})

test.skipIf(process.getuid?.() !== 0)(
  'a key that its owner gives to the group of the service, as Kubernetes does, is in order',
  async () => {
    const { examine, dataDir } = await openInstallation()
    const key = join(temporaryFolder(), 'given.key')
    copyFileSync(join(dataDir, 'secret.key'), key)
    const findKey = async (mode: number) => {
      chmodSync(key, mode)
      return (await examine({ env: { SECRET_KEY_FILE: key } })).find('Secret key')?.status
    }
    expect(await findKey(0o440)).toBe('problem')
    chownSync(key, 4711, 0)
    expect(await findKey(0o440)).toBe('ok')
    expect(await findKey(0o444)).toBe('problem')
  },
)

test('a lost key that was replaced by a new one is found', async () => {
  const { examine, dataDir } = await openInstallation()
  rmSync(join(dataDir, 'secret.key'))
  loadSecretKey(dataDir)
  const { code, find } = await examine()
  expect(code).toBe(1)
  expect(find('Secret key')?.message).toContain('is not the key that the database is used with')
})

testOnDisk('a row without its file is a problem, a file without its row a warning', async () => {
  const { examine, dataDir, withDatabase } = await openInstallation()
  const files = openFileStore(dataDir)
  const path = files.newTemporary()
  writeFileSync(path, 'picture')
  const [name = ''] = await files.keep([{ path, kind: 'webp' }])
  const dayBefore = new Date(NOW.getTime() - 86_400_000)
  utimesSync(join(dataDir, 'files', name), dayBefore, dayBefore)
  expect(await examine()).toMatchObject({ code: 0, warnings: ['Files'] })
  await withDatabase(async ({ connection }) => {
    const { id } = connection.prepare('select id from accounts').get() as { id: string }
    connection
      .prepare('insert into popup_images values (?, ?, ?, ?, 7, 1, 1, 1, ?, null)')
      .run('p', id, 'a.webp', name, NOW.toISOString())
  })
  expect((await examine()).find('Files')?.message).toBe('1 file, none missing')
  await files.remove([name])
  const { code, find } = await examine()
  expect(code).toBe(1)
  expect(find('Files')?.message).toBe(`1 missing, for example ${name}: restore a backup`)
})

testOnDisk('the photo of a conversation is looked for like any other file', async () => {
  const { examine, dataDir, withDatabase } = await openInstallation()
  const files = openFileStore(dataDir)
  const keep = async () => {
    const path = files.newTemporary()
    writeFileSync(path, 'photo')
    const [name = ''] = await files.keep([{ path, kind: 'webp' }])
    const dayBefore = new Date(NOW.getTime() - 86_400_000)
    utimesSync(join(dataDir, 'files', name), dayBefore, dayBefore)
    return name
  }
  const [photo_name, photo_thumbnail_name] = [await keep(), await keep()]
  expect((await examine()).find('Files')).toMatchObject({
    status: 'warning',
    message: '0 files, none missing; 2 not in the database, which the next start removes',
  })
  const { id } = await withDatabase(async ({ db }) => {
    const about = await db
      .selectFrom('qr_codes')
      .select(['qr_id', 'owner_id as account_id'])
      .executeTakeFirstOrThrow()
    return insertConversation(db, about, { photo_name, photo_thumbnail_name })
  })
  expect((await examine()).find('Files')?.message).toBe('2 files, none missing')
  for (const name of [photo_name, photo_thumbnail_name]) {
    await files.remove([name])
    expect((await examine()).find('Files')).toMatchObject({ status: 'problem' })
  }
  await withDatabase(async ({ db }) => {
    await db.deleteFrom('conversations').where('id', '=', id).execute()
  })
  expect((await examine()).find('Files')).toMatchObject({ status: 'ok' })
})

test('a mobile number of an account that fits no country is a warning', async () => {
  const { examine, withDatabase } = await openInstallation()
  expect((await examine()).find('Numbers')).toMatchObject({ status: 'ok' })
  await withDatabase(async ({ db }) => {
    const { id } = await db.selectFrom('accounts').select('id').executeTakeFirstOrThrow()
    await db.updateTable('accounts').set({ mobile: '4155552671' }).where('id', '=', id).execute()
  })
  expect((await examine()).find('Numbers')).toMatchObject({
    status: 'warning',
    message: expect.stringMatching(
      /^1 account with a mobile number that fits no country: \S+@\S+$/,
    ),
  })
})

test('a report that waits for more than a week is a warning', async () => {
  const { examine, withDatabase } = await openInstallation()
  await withDatabase(async ({ db }) => {
    const { qr_id } = await db.selectFrom('qr_codes').select('qr_id').executeTakeFirstOrThrow()
    await createPageReport(db, qr_id, { reason: 'spam', text: null }, NOW)
  })
  const later = (days: number) => ({ now: new Date(NOW.getTime() + days * 86_400_000) })
  expect((await examine(later(7))).find('Reports')).toEqual({
    name: 'Reports',
    status: 'ok',
    message: '1 open, the oldest from 20 Nov 2026, 3:30 pm Asia/Kolkata',
  })
  expect((await examine(later(8))).find('Reports')).toMatchObject({
    status: 'warning',
    message: expect.stringContaining('driveqr report list'),
  })
})

test('an old backup is a warning; a failed or missing one is a problem', async () => {
  const { examine, dataDir } = await openInstallation()
  const later = new Date(NOW.getTime() + 37 * 3_600_000)
  expect(await examine({ now: later })).toMatchObject({ code: 0, warnings: ['Backups'] })
  writeRecord(dataDir, { failed: { at: NOW.toISOString(), reason: 'Too little room' } })
  expect((await examine()).find('Backups')).toMatchObject({
    status: 'problem',
    message: 'the last one failed: Too little room',
  })
  const file = join(dataDir, 'backups', backupName(NOW))
  writeRecord(dataDir, { good: { made_at: NOW.toISOString(), file, bytes: 1 } })
  expect((await examine()).find('Backups')?.message).toBe(
    `${file} is missing: make a new one with driveqr backup`,
  )
})

test('before the first backup there is a warning as soon as there is something to lose', async () => {
  const { addAccount, json } = openCommandLine()
  await addAccount()
  const { checks } = await json(['doctor'])
  expect(checks.at(-1)).toMatchObject({ name: 'Backups', status: 'warning' })
})

testOnSqlite('damage in the middle of the database is found', async () => {
  const { examine, database, withDatabase } = await openInstallation()
  await withDatabase(async ({ connection }) => connection.pragma('wal_checkpoint(truncate)'))
  const { size } = statSync(database)
  const { open } = await import('node:fs/promises')
  const file = await open(database, 'r+')
  await file.write(Buffer.alloc(size - 8192, 0xaa), 0, size - 8192, 8192)
  await file.close()
  const { code, problems } = await examine()
  expect(code).toBe(1)
  expect(problems).toContain('Database')
})

testOnSqlite('a file that is no database at all is found', async () => {
  const { examine, database } = await openInstallation()
  for (const name of [database, `${database}-wal`, `${database}-shm`]) rmSync(name, { force: true })
  writeFileSync(database, 'not a database '.repeat(1000))
  const { code, find } = await examine()
  expect(code).toBe(1)
  expect(find('Database')).toMatchObject({ status: 'problem', message: 'file is not a database' })
})

testOnSqlite('a database that is gone from a folder in use is found', async () => {
  const { examine, database } = await openInstallation()
  rmSync(database)
  expect((await examine()).find('Database')).toMatchObject({
    status: 'problem',
    message: expect.stringContaining('the database is missing from a folder that was in use'),
  })
})

testOnSqlite('a row that points nowhere is found', async () => {
  const { examine, withDatabase } = await openInstallation()
  await withDatabase(async ({ connection }) => {
    connection.pragma('foreign_keys = OFF')
    connection.prepare("update qr_codes set owner_id = 'nobody'").run()
  })
  expect(await examine()).toMatchObject({ problems: ['References'] })
})

testOnSqlite('a schema that this program cannot use is a problem', async () => {
  for (const [version, remedy] of [
    [99, 'start the newer program'],
    [20, 'start DriveQR 1.0.0-rc.1 first'],
  ]) {
    const { examine, withDatabase } = await openInstallation()
    await withDatabase(async ({ connection }) => connection.pragma(`user_version = ${version}`))
    expect((await examine()).find('Schema')).toMatchObject({
      status: 'problem',
      message: `version ${version}, but this program has ${SCHEMA_VERSION}: ${remedy}`,
    })
  }
})

test('a database of another data folder is found', async () => {
  const { examine, dataDir } = await openInstallation()
  writeFileSync(join(dataDir, 'install-id'), 'another one\n')
  expect(await examine()).toMatchObject({ problems: ['Install id'] })
})

test('channels that cannot be reached are counted', async () => {
  const { examine, withDatabase, addAccount, dataDir } = await openInstallation()
  const ravi = await addAccount({ email: 'ravi@example.in' })
  const address = 'https://ntfy.example/keys'
  const topic = {
    kind: 'ntfy',
    name: 'ntfy',
    address,
    target: { url: address, token: null },
  } as const
  await withDatabase(async ({ db }) => {
    const { id } = await addChannel(db, loadSecretKey(dataDir), ravi.id, topic, NOW)
    await setUnreachable(db, id, { since: NOW.toISOString(), failures: 9 })
  })
  expect((await examine()).find('Outbox')).toMatchObject({
    status: 'ok',
    message: 'no mail is waiting; channels not reachable for a day: 1',
  })
})

test('a clock before the newest entry, or before the program’s release, is found', async () => {
  const { examine } = await openInstallation()
  const hourBefore = new Date(NOW.getTime() - 3_600_000)
  expect((await examine({ now: hourBefore })).find('Clock')?.message).toContain(
    `is before the newest entry, ${NOW.toISOString()}`,
  )
  const minuteBefore = new Date(NOW.getTime() - 60_000)
  expect((await examine({ now: minuteBefore })).find('Clock')).toMatchObject({ status: 'ok' })
  const never = await examine({ now: new Date('1970-01-01T00:00:09Z') })
  expect(never.problems).toEqual(['Clock'])
  expect(never.find('Clock')?.message).toContain('is wrong')
})

test.each([
  [5_000, 'ok', '5,000 MB free'],
  [999, 'warning', '999 MB free: soon not enough for uploads and backups'],
  [99, 'problem', '99 MB free: free some space before data is lost'],
])('%d MB on the disk are %s', (megabytes, status, message) => {
  expect(describeSpace(megabytes * 1e6)).toEqual({ status, message })
})

testOnLinux('the space is that of the disk on which the data folder will be', () => {
  // Has no space at all, and the disk of this program has.
  expect(checkSpace('/proc/driveqr/data').message).toMatch(/^0 MB free/)
  expect(checkSpace('data').message).not.toMatch(/^0 MB free/)
})

test('a Node that is too old is a problem, and names the one that is needed', () => {
  expect(checkNode('22.13.1')).toEqual({
    status: 'problem',
    message: '22.13.1, but 22.14 is needed',
  })
  expect([checkNode('22.14.0'), checkNode('24.0.0')]).toMatchObject(Array(2).fill({ status: 'ok' }))
})

test('a data folder that is open to others is found', async () => {
  const { examine, dataDir } = await openInstallation()
  chmodSync(dataDir, 0o755)
  expect((await examine()).find('Data folder')?.message).toBe(
    `${dataDir} can be read by other users of this machine: chmod 700 ${dataDir}`,
  )
})

test('a data folder that is a file is found', async () => {
  const { run, dataDir } = openCommandLine(missingFolder())
  writeFileSync(dataDir, '')
  const { code, out } = await run(['doctor'])
  expect(code).toBe(1)
  expect(out).toMatch(/PROBLEM +Data folder .+ is a file: set DATA_DIR to a folder/)
})

testAsUser('a data folder that cannot be written to is found', async () => {
  const { examine, run, dataDir } = await openInstallation()
  chmodSync(dataDir, 0o500)
  const unwritable = await examine()
  chmodSync(dataDir, 0o000)
  const closed = await examine()
  const backup = await run(['backup'])
  chmodSync(dataDir, 0o700)
  expect(unwritable.problems).toContain('Data folder')
  expect(closed.problems).toEqual(['Data folder', 'Storage', 'Database'])
  expect(backup.err).toMatch(/ cannot be accessed by this user\n$/)
})

testAsUser('files of another user in the data folder are found before a start', async () => {
  const { run, dataDir } = await openInstallation()
  for (const name of ['lock', 'backups']) {
    chmodSync(join(dataDir, name), 0o400)
    const { out } = await run(['doctor'])
    chmodSync(join(dataDir, name), 0o700)
    expect(out).toMatch(new RegExp(`PROBLEM +Data folder +.+/${name} cannot be accessed`))
  }
})

testAsUser('a data folder that the first start could not create is found', async () => {
  const { run } = openCommandLine()
  const { out } = await run(['doctor'], { env: { DATA_DIR: '/driveqr/data' } })
  expect(out).toMatch(/PROBLEM +Data folder +\/ cannot be accessed by this user\n/)
})

testOnLinux('a folder that takes no files is found, by the super user too', async () => {
  const { run } = openCommandLine()
  const { code, out } = await run(['doctor'], { env: { DATA_DIR: '/proc/self' } })
  expect(code).toBe(1)
  expect(out).toMatch(/PROBLEM +Data folder +(There is no|.+ cannot be (accessed|written to))/)
})

test('a setting that cannot be right is a finding like others', async () => {
  const { run } = openCommandLine()
  const { code, out } = await run(['doctor', '--json'], { env: { TIMEZONE: 'Mars/Olympus' } })
  expect(code).toBe(1)
  expect(JSON.parse(out).checks).toContainEqual({
    name: 'Configuration',
    status: 'problem',
    message: 'TIMEZONE must be a time zone like Asia/Kolkata',
  })
})

const KNOWN = { UPI_ID: 'keys@examplebank', SUPPORT_PHONE: '+91 90000 12345' }

test.each([
  [{ ...KNOWN, PUBLIC_URL: 'https://k.example.in', SMTP_URL: 'smtp://127.0.0.1:1' }, ['Mail']],
  [{ ...KNOWN, PUBLIC_URL: 'https://k.example.in' }, ['Mail']],
  [{ ...KNOWN, PUBLIC_URL: 'https://keys.lan', SUPPORT_EMAIL: 'help@example.in' }, ['Mail']],
  [
    { ...KNOWN, PUBLIC_URL: 'http://k.example.in', SMTP_URL: 'smtp://127.0.0.1:1' },
    ['Address', 'Mail'],
  ],
  [{ ...KNOWN, NODE_ENV: 'production', SMTP_URL: 'smtp://127.0.0.1:1' }, ['Address', 'Mail']],
  [{ PUBLIC_URL: 'https://k.example.in' }, ['Mail', 'Owners']],
  [{ ...KNOWN, PUBLIC_URL: 'https://keys.lan' }, ['Mail', 'Alerts']],
])('in production (%j) it warns of %j', async (env, warnings) => {
  const { examine, withDatabase } = await openInstallation()
  const found = await examine({ env })
  expect(found).toMatchObject({ code: 0, warnings: [...warnings, 'Admins'] })
  expect(found.find('Admins')?.message).toBe('there is none yet: driveqr admin grant EMAIL')
  await withDatabase(({ db }) => db.updateTable('accounts').set({ role: 'admin' }).execute())
  expect((await examine({ env })).find('Admins')?.message).toMatch(
    /^no second factor at asha@example.in: /,
  )
})

test.each([
  [{}, 'warning', 'anybody may register, without limits by PLANS=off'],
  [{ REGISTRATION: 'invite' }, 'ok', 'invite'],
  [{ REGISTRATION_DOMAINS: 'example.in' }, 'ok', 'open, with an address at example.in'],
  [{ PLANS: 'on' }, 'ok', 'open'],
  [{ PUBLIC_URL: 'http://localhost:3000' }, 'ok', 'open'],
])('without plans and with %j, registration is told as %s', async (env, status, message) => {
  const { examine } = await openInstallation()
  const { find } = await examine({
    env: { ...KNOWN, PUBLIC_URL: 'https://k.example.in', PLANS: 'off', ...env },
  })
  const found = find('Registration')
  expect(found?.status).toBe(status)
  expect(found?.message.startsWith(message)).toBe(true)
})

test('an address of this machine alone is not to be printed', async () => {
  const { examine } = await openInstallation()
  const { find } = await examine({ env: { NODE_ENV: 'production' } })
  expect(find('Address')?.message).toMatch(/^http:.* works only on this machine: set PUBLIC_URL/)
})

test('nothing personal and no secret is in the findings', async () => {
  const { run } = await openInstallation('canary@example.in')
  const env = { SMTP_URL: 'smtp://user:canary-password@mail.example.in' }
  const { out } = await run(['doctor'], { env })
  expect(out).not.toContain('canary')
})

test('administrative roles of child users and unverified addresses are found', async () => {
  const { examine, addAccount, withDatabase } = await openInstallation()
  const parent = await addAccount({ email: 'parent@example.in', role: 'admin' })
  await addAccount({ email: 'premium@example.in', role: 'premium', email_verified_at: null })
  expect(await examine()).toMatchObject({ ...SOUND, warnings: [] })
  await addAccount({ email: 'typed@example.in', role: 'moderator', email_verified_at: null })
  await addAccount({ email: 'child@example.in', role: 'admin', parent_id: parent.id })
  const { id: account_id } = await addAccount({
    email: 'later@example.in',
    email_verified_at: null,
  })
  const later = { subscription_plan: 'free', qr_limit: 1, child_qr_quota: 0, is_active: 1 } as const
  await withDatabase(({ db }) =>
    db
      .insertInto('temporary_permissions')
      .values({ account_id, role: 'admin', ...later, lent_quota: 0, expires_at: '2030-01-01' })
      .execute(),
  )
  const { verdict, warnings, find } = await examine()
  expect([verdict, warnings]).toEqual(['sound', ['Roles']])
  expect(find('Roles')?.message).toContain(
    'child@example.in, later@example.in, typed@example.in. Use driveqr admin revoke',
  )
})

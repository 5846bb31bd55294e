import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { missingFolder, NOW, openCommandLine, temporaryFolder } from '#tests/cli/support.ts'
import { testAsUser, testOnSqlite } from '#tests/support/database.ts'
import { isOnPostgres } from '#tests/support/postgres.ts'
import { CREDENTIALS, s3Settings } from '#tests/support/storage.ts'

const PUBLIC = { PUBLIC_URL: 'https://keys.example.in' }

async function openInstallation() {
  const commandLine = openCommandLine()
  await commandLine.addAccount()
  return { ...commandLine, backups: join(commandLine.dataDir, 'backups') }
}

test('a backup is made beside a running server, and reports its contents', async () => {
  const { run, withDatabase } = await openInstallation()
  const file = join(temporaryFolder(), 'b.tar')
  await withDatabase(async () => {
    expect(await run(['backup', file])).toEqual({
      code: 0,
      err: '',
      out: expect.stringMatching(/b\.tar, [\d.]+ [KM]B, verified: 1 account, 0 codes, 0 files\n$/),
    })
  })
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

testOnSqlite('a file that is missing already counts once, in a backup and in a move', async () => {
  const { run, withDatabase } = await openInstallation()
  await withDatabase(async ({ connection }) => {
    const { id } = connection.prepare('select id from accounts').get() as { id: string }
    connection
      .prepare('insert into popup_images values (?, ?, ?, ?, 7, 1, 1, 1, ?, null)')
      .run('p', id, 'a.webp', `${'a'.repeat(26)}.webp`, NOW.toISOString())
  })
  const env = { ...CREDENTIALS, STORAGE_URL: '' }
  const { out } = await run(['backup'], { env })
  expect(out).toMatch(/, 0 files\nWithout 1 file already missing\n$/)
  const { STORAGE_URL = '' } = await s3Settings('missing')
  const moved = await run(['move', '--to', 'sqlite', '--storage', STORAGE_URL], { env })
  expect(moved.out).toContain('\nWithout 1 file already missing\n')
})

test('without a name it goes to a folder of its own, where old ones make room', async () => {
  const { run, json, backups } = await openInstallation()
  mkdirSync(backups)
  const old = Array.from(
    { length: 20 },
    (_, n) => `driveqr-202611${String(n + 1).padStart(2, '0')}`,
  )
  for (const name of old) writeFileSync(join(backups, `${name}T000000Z.tar`), '')
  const { file, removed } = await json(['backup'], { now: new Date('2026-11-21T10:00:00Z') })
  expect(file).toBe(join(backups, 'driveqr-20261121T100000Z.tar'))
  expect(removed).toEqual(
    old
      .slice(0, 7)
      .toReversed()
      .map((name) => `${name}T000000Z.tar`),
  )
  expect(readdirSync(backups).filter((name) => name.endsWith('.tar'))).toHaveLength(14)
  const { code, err } = await run(['backup'], { now: new Date('2026-11-21T10:00:00Z') })
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('already exists') })
})

test('BACKUP_DIR has the archives, of which BACKUP_KEEP says how many stay, and loses nothing else', async () => {
  const { run, json, backups } = await openInstallation()
  const BACKUP_DIR = join(temporaryFolder(), 'एक जगह')
  const env = { BACKUP_DIR, BACKUP_KEEP: '2d,2m' }
  const missing = await run(['backup'], { env })
  expect(missing).toMatchObject({ code: 1, err: `driveqr: There is no folder ${BACKUP_DIR}\n` })
  mkdirSync(BACKUP_DIR)
  const old = ['0903', '1002', '1003', '1102', '1118', '1119', '1120'].map(
    (day) => `driveqr-2026${day}T100000Z.tar`,
  )
  const others = ['driveqr.tar', 'photos.zip', 'driveqr-20261118T100000Z.tar.txt']
  for (const name of [...old, ...others]) writeFileSync(join(BACKUP_DIR, name), '')
  const { file } = await json(['backup'], { env, now: new Date('2026-11-21T10:00:00Z') })
  expect(file).toBe(join(BACKUP_DIR, 'driveqr-20261121T100000Z.tar'))
  const kept = ['1002', '1102', '1119', '1120', '1121'].map(
    (day) => `driveqr-2026${day}T100000Z.tar`,
  )
  expect(readdirSync(BACKUP_DIR).toSorted()).toEqual([...kept, ...others].toSorted())
  expect(readdirSync(backups).toSorted()).toEqual(['last.json', 'lock'])
})

test('a restore brings accounts back, and reports where the old data is', async () => {
  const { run, json, dataDir } = await openInstallation()
  const { file } = await json(['backup'], { env: PUBLIC })
  await run(['user', 'create', 'ravi@example.in', '--name', 'Ravi'], { stdin: 'lost & found' })
  const refused = await run(['restore', file], { env: PUBLIC })
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(refused.err).toBe(`driveqr: ${dataDir} has data: use --replace to put it aside\n`)
  const { code, out, err } = await run(['restore', file, '--replace'], { env: PUBLIC })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toContain(
    `Restored ${dataDir} to its state of 20 Nov 2026, 3:30 pm Asia/Kolkata: 1 account, 0 codes`,
  )
  const schema = ' and in the schema replaced_20261120t100000z of the database'
  expect(out).toContain(
    `The old data is in ${dataDir}/replaced-20261120T100000Z${isOnPostgres() ? schema : ''}: delete`,
  )
  expect(await json(['user', 'list'])).toMatchObject([{ email: 'asha@example.in' }])
})

testAsUser('a restore and a move refuse a data folder that they cannot write to', async () => {
  const { run, json, dataDir } = await openInstallation()
  const { file } = await json(['backup', join(temporaryFolder(), 'b.tar')])
  chmodSync(dataDir, 0o500)
  const restored = await run(['restore', file, '--replace'])
  const moved = await run(['move', '--to', 'postgres://u@127.0.0.1:1/d'])
  chmodSync(dataDir, 0o700)
  const err = `driveqr: The data folder ${dataDir} cannot be written to: this user may not write there\n`
  for (const each of [restored, moved]) expect(each).toMatchObject({ code: 1, err })
})

test('codes with another address than PUBLIC_URL cause a warning', async () => {
  const { json, run } = await openInstallation()
  const { file } = await json(['backup'], { env: PUBLIC })
  const { code, err } = await run(['restore', file, '--replace'])
  expect(code).toBe(0)
  expect(err).toBe(
    'driveqr: the codes of this backup open https://keys.example.in: set PUBLIC_URL to it, or scans will fail\n',
  )
})

test('a restore under a running server is refused, and so is a file that is no backup', async () => {
  const { json, run, withDatabase, dataDir } = await openInstallation()
  const { file } = await json(['backup'])
  await withDatabase(async () => {
    const used = isOnPostgres() ? 'the database of DATABASE_URL' : dataDir
    expect((await run(['restore', file, '--replace'])).err).toBe(
      `driveqr: A server or a command is using ${used}: stop it first\n`,
    )
  })
  writeFileSync(file, 'not a backup')
  expect(await run(['restore', file, '--replace'])).toMatchObject({
    code: 1,
    err: 'driveqr: This is not a backup of DriveQR\n',
  })
})

testOnSqlite('before the first start nothing is backed up, and nothing is made', async () => {
  const { run, dataDir } = openCommandLine(missingFolder())
  expect(await run(['backup'])).toEqual({
    code: 1,
    out: '',
    err: `driveqr: There is no database in ${dataDir}\n`,
  })
  expect(readdirSync(dirname(dataDir))).toEqual([])
})

test('a terminal gets a bar in bytes', async () => {
  const { run } = await openInstallation()
  const { err } = await run(['backup'], { isTerminal: true })
  expect(err).toMatch(/█{30} [\d.]+ MB of [\d.]+ MB, .* a second\n$/)
})

testOnSqlite('a good backup is noted where a damaged database cannot hide it', async () => {
  const { json, dataDir } = await openInstallation()
  const { file, bytes } = await json(['backup'])
  rmSync(join(dataDir, 'driveqr.db'))
  const record = JSON.parse(readFileSync(join(dataDir, 'backups', 'last.json'), 'utf8'))
  expect(record).toEqual({ good: { made_at: NOW.toISOString(), file, bytes } })
})

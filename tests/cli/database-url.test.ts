import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { TLSSocket } from 'node:tls'
import { beforeAll, expect, onTestFinished } from 'vitest'
import { openCommandLine, temporaryFolder } from '#tests/cli/support.ts'
import { LOOPBACK_CERTIFICATE } from '#tests/support/certificate.ts'
import { testOnPostgres } from '#tests/support/database.ts'
import { fakePostgres, type Row } from '#tests/support/fake-postgres.ts'
import { ask, GUARDED, isOnPostgres, makeEmptyDatabase } from '#tests/support/postgres.ts'
import { findPrograms } from '#tests/support/programs.ts'
import { freePort } from '#tests/support/server.ts'

const PASSWORD = 'nobody-may-read-this'

let programs: Awaited<ReturnType<typeof findPrograms>>

beforeAll(async () => {
  if (isOnPostgres()) programs = await findPrograms()
})

async function startServer(dataDir: string, databaseUrl: string) {
  const port = String(await freePort())
  const child = spawn(process.execPath, [programs.server], {
    env: { PATH: process.env.PATH, PORT: port, DATA_DIR: dataDir, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { code, out, err }
}

/** `doctor` finds a problem with this line, and tells no password. */
async function expectRefusal(url: string, line: RegExp): Promise<void> {
  const dataDir = join(temporaryFolder(), 'data')
  const { run } = openCommandLine(dataDir)
  const doctor = await run(['doctor'], { env: { DATABASE_URL: url } })
  expect(existsSync(dataDir)).toBe(false)
  expect(doctor).toMatchObject({ code: 1, err: expect.stringMatching(/^driveqr: [^\n]+ found\n$/) })
  const found = doctor.out.split('\n').filter((each) => each.startsWith('PROBLEM'))
  expect(found.some((each) => line.test(each))).toBe(true)
  expect(JSON.stringify(doctor)).not.toContain(PASSWORD)
}

/** A server refuses with this line, and tells no password. */
async function expectNoStart(url: string, line: RegExp): Promise<void> {
  const dataDir = join(temporaryFolder(), 'data')
  const server = await startServer(dataDir, url)
  expect(server).toMatchObject({ code: 3, out: '' })
  expect(server.err).toMatch(/^DriveQR cannot start: [^\n]+\n$/)
  expect(server.err).toMatch(line)
  expect(existsSync(join(dataDir, 'install-id'))).toBe(false)
  expect(JSON.stringify(server)).not.toContain(PASSWORD)
}

const as = (url: string, user: string, password = PASSWORD) =>
  url.replace('driveqr@', `${user}:${password}@`)

const LIKE = /DATABASE_URL must look like postgres:\/\/user:password@host:5432\/name\n?$/

testOnPostgres.each([
  ['another kind of address', `mysql://driveqr:${PASSWORD}@127.0.0.1/driveqr`],
  ['no name of a database', `postgres://driveqr:${PASSWORD}@127.0.0.1:5432`],
  ['no host', `postgres:///${PASSWORD}`],
  ['no address at all', `driveqr ${PASSWORD}`],
  ['a port that is none', `postgres://driveqr:${PASSWORD}@127.0.0.1:port/driveqr`],
  ['a percent sign that stands for nothing', `postgres://driveqr:${PASSWORD}%zz@127.0.0.1/driveqr`],
  ['a name that cannot be decoded', `postgres://driveqr:${PASSWORD}@127.0.0.1/%E0%A4%A`],
])('an address that cannot be right is refused: %s', (_, url) => expectRefusal(url, LIKE))

testOnPostgres('a server refuses an address in the words of `doctor`', () =>
  expectNoStart(`postgres:///${PASSWORD}`, LIKE),
)

testOnPostgres('a server that is not there is named', async () => {
  const port = await freePort()
  await expectRefusal(
    `postgres://driveqr:${PASSWORD}@127.0.0.1:${port}/driveqr`,
    new RegExp(
      `at 127\\.0\\.0\\.1:${port} does not answer: is it running, and is DATABASE_URL right`,
    ),
  )
})

testOnPostgres('a server whose name nobody knows is named', () =>
  expectRefusal(
    `postgres://driveqr:${PASSWORD}@nowhere.invalid/driveqr`,
    /at nowhere\.invalid:5432 does not answer: is it running, and is DATABASE_URL right/,
  ),
)

testOnPostgres('a wrong password is to be corrected, and a missing one to be given', async () => {
  const url = await makeEmptyDatabase()
  await makeRole(url, GUARDED, "password 'the right one'")
  const wrong = /refuses the password of guarded: correct it in DATABASE_URL/
  await expectRefusal(as(url, GUARDED), wrong)
  await expectNoStart(as(url, GUARDED), wrong)
  await expectRefusal(
    url.replace('driveqr@', `${GUARDED}@`),
    /asks for the password of guarded: give it in DATABASE_URL/,
  )
})

testOnPostgres('a user that is not there is named', async () => {
  const url = await makeEmptyDatabase()
  await expectRefusal(as(url, 'nobody_here'), /refuses nobody_here \(role .+ does not exist\): /)
})

/** A server that takes only encrypted connections, and shows the certificate of nobody known. */
async function openEncrypted(): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.once('data', (first) => {
      const asksForTls = first.length === 8
      if (!asksForTls) return socket.end(NO_ENCRYPTION)
      socket.write('S')
      return new TLSSocket(socket, { isServer: true, ...LOOPBACK_CERTIFICATE }).on(
        'error',
        () => {},
      )
    })
  })
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** PostgreSQL's answer where pg_hba.conf has only hostssl. */
const REFUSAL =
  'SFATAL\0VFATAL\0C28000\0Mno pg_hba.conf entry for host "10.0.0.9", no encryption\0\0'
const NO_ENCRYPTION = Buffer.concat([
  Buffer.from('E'),
  Buffer.from([0, 0, 0, 4 + REFUSAL.length]),
  Buffer.from(REFUSAL),
])

testOnPostgres('a server that wants an encrypted connection says how to ask for it', async () => {
  const at = await openEncrypted()
  const url = `postgres://driveqr:${PASSWORD}@${at}/driveqr`
  await expectRefusal(
    url,
    /wants an encrypted connection: add \?sslmode=verify-full to DATABASE_URL/,
  )
  await expectRefusal(
    `${url}?sslmode=verify-full`,
    new RegExp(`PostgreSQL at ${at}: add the file of its authority to DATABASE_URL`),
  )
})

testOnPostgres('a database that is not there is to be made', async () => {
  const url = await makeEmptyDatabase()
  await expectRefusal(
    `${as(url, 'driveqr')}_gone`,
    /has no database (\S+_gone): make it with createdb/,
  )
})

const LISTED = `select relname from pg_class where relnamespace = 'public'::regnamespace
  union all select extname from pg_extension order by 1`

testOnPostgres.each([
  [
    'the tables of another program',
    'create table theirs (a int)',
    /has tables of another program: give/,
  ],
  [
    'the tables of a newer schema',
    'create table schema_version (version bigint); insert into schema_version values (99)',
    /schema 99, newer than this program's/,
  ],
])('%s are left as they are', async (_, statement, line) => {
  const url = await makeEmptyDatabase()
  await ask(url, statement)
  const before = await ask(url, LISTED)
  await expectRefusal(as(url, 'driveqr'), line)
  await expectNoStart(as(url, 'driveqr'), line)
  expect(await ask(url, LISTED)).toEqual(before)
})

testOnPostgres('a user who may not make tables is to be made the owner', async () => {
  const url = await makeEmptyDatabase()
  await makeRole(url, 'stranger')
  await ask(url, 'revoke create on schema public from public')
  await expectRefusal(
    as(url, 'stranger'),
    /may not create tables: make it the owner of the database/,
  )
})

testOnPostgres('a user who may not add pg_trgm is to be made the owner', async () => {
  const url = await makeEmptyDatabase()
  await makeRole(url, 'maker')
  await ask(url, 'grant create on schema public to maker')
  const before = await ask(url, LISTED)
  const line = /may not add pg_trgm: make it the owner of the database/
  await expectRefusal(as(url, 'maker'), line)
  await expectNoStart(as(url, 'maker'), line)
  expect(await ask(url, LISTED)).toEqual(before)
})

/** The settings of a sound server. */
const FACTS = {
  version: '17.6',
  version_number: 170_006,
  encoding: 'UTF8',
  schema: 'public',
  may_create: true,
  foreign_tables: 0,
  has_trigrams: false,
  offers_trigrams: true,
  may_add: true,
  has_collation: true,
}

testOnPostgres.each<[string, Partial<Row>, RegExp]>([
  [
    'is too old',
    { version: '13.22', version_number: 130_022 },
    /PostgreSQL 13\.22 is too old: 14 or newer is needed/,
  ],
  [
    'stores another encoding',
    { encoding: 'LATIN1' },
    /stores LATIN1, not UTF8: make one with createdb/,
  ],
  ['has no pg_trgm', { offers_trigrams: false }, /has no pg_trgm: install its contrib modules/],
  ['has no ICU', { has_collation: false }, /no collation und-x-icu: it must be built with ICU/],
])('a server that %s is asked and told nothing more', async (_, facts, line) => {
  const server = await fakePostgres((statement): Row | undefined => {
    if (statement.includes('server_version_num')) return { ...FACTS, ...facts }
    return statement.includes('to_regclass') ? { is_there: false } : undefined
  })
  onTestFinished(server.close)
  await expectRefusal(`postgres://driveqr:${PASSWORD}@127.0.0.1:${server.port}/driveqr`, line)
  expect(server.statements.filter((each) => !each.startsWith('select'))).toEqual([])
})

/** For this test: roles are the server's, not the database's. */
async function makeRole(url: string, name: string, how = ''): Promise<void> {
  await ask(url, `create role ${name} login ${how}`)
  onTestFinished(async () => {
    await ask(url, `drop owned by ${name}`)
    await ask(url, `drop role ${name}`)
  })
}

import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { openEngine, openMoveSource, openMoveTarget } from '#db/open-engine.ts'
import { isOpenToOthers } from '#db/private-folder.ts'
import { moveRows } from '#storage/backup/move/rows.ts'
import { openCommandLine } from '#tests/cli/support.ts'
import { testOnPostgres, testOnSqlite } from '#tests/support/database.ts'
import { filesOf, makeInstallation, wholeOf } from '#tests/support/installation.ts'
import { startMortal } from '#tests/support/mortal.ts'
import { ask, makeEmptyDatabase } from '#tests/support/postgres.ts'
import { makeQuickFolder } from '#tests/support/quick-folder.ts'
import { CREDENTIALS, s3Server, s3Settings } from '#tests/support/storage.ts'

const ON_SQLITE = { DATABASE_URL: '', STORAGE_URL: '' }

afterEach(async () => (await s3Server()).cause(() => undefined))

let folders = 0
async function newBucketFolder() {
  const prefix = `move-${++folders}`
  const settings = await s3Settings(prefix)
  return { prefix, settings, url: settings.STORAGE_URL ?? '' }
}

const sumOf = (body: Buffer) => createHash('sha256').update(body).digest('hex')

/** The stored files of a folder of the bucket with their checksums, as `filesOf` lists those of a data folder. */
async function filesIn(prefix: string): Promise<string[]> {
  const { objects } = await s3Server()
  return [...objects]
    .map(([key, { body }]) => `${key.slice(prefix.length + 1)} ${sumOf(body)}`)
    .filter((_, i) => [...objects.keys()][i]?.startsWith(`${prefix}/`))
    .filter((line) => !line.startsWith('install-id '))
}

/** SQLite in the data folder is moved away, as the manual says, so that it can be moved back. */
function moveAway(dataDir: string): void {
  const away = join(dataDir, '..', 'away')
  mkdirSync(away)
  for (const name of readdirSync(dataDir).filter((each) => /^driveqr\.db|^files$/.test(each))) {
    renameSync(join(dataDir, name), join(away, name))
  }
}

testOnPostgres('a move to PostgreSQL and S3, and back, keeps each row and each file', async () => {
  const { run, json, dataDir } = openCommandLine()
  expect((await run(['seed', '--seed', '1'], { env: ON_SQLITE })).code).toBe(0)
  const before = await wholeOf({ dataDir, databaseUrl: undefined })
  const databaseUrl = await makeEmptyDatabase()
  const { prefix, settings, url } = await newBucketFolder()
  const moved = await run(['move', '--to', databaseUrl, '--storage', url], {
    env: { ...ON_SQLITE, ...CREDENTIALS },
  })
  expect(moved).toMatchObject({
    code: 0,
    err: expect.stringMatching(/^[\d,]+ rows and \d+ files \([\d.]+ [KM]B\), about a minute\n/),
    out: expect.stringMatching(
      / copied and verified: PostgreSQL at .+, s3:\/\/tests\/move-\d+\/ at .+\n/,
    ),
  })
  expect(before.files.length).toBeGreaterThan(5)
  expect((await filesIn(prefix)).toSorted()).toEqual(before.files.toSorted())
  const there = await wholeOf({ dataDir, databaseUrl })
  expect(there.rows).toEqual(before.rows)
  moveAway(dataDir)
  const env = { DATABASE_URL: databaseUrl, ...settings }
  expect(await json(['move', '--to', 'sqlite'], { env })).toMatchObject({
    files: before.files.length,
    missing: [],
  })
  const back = await wholeOf({ dataDir, databaseUrl: undefined })
  expect({ ...back, files: back.files.toSorted() }).toEqual({
    ...before,
    files: before.files.toSorted(),
  })
  expect(readdirSync(dataDir)).not.toContain('move')
})

test('a move to SQLite that was interrupted fills its target again when the source has changed', async () => {
  const { dataDir } = await makeInstallation('sqlite', 'asha')
  const to = makeQuickFolder()
  const source = await openMoveSource({ dataDir, databaseUrl: undefined })
  const target = await openMoveTarget({ dataDir: to, databaseUrl: undefined }, undefined)
  if (!target) throw new Error('There is no target')
  await target.prepare()
  const rows = await moveRows(source, target, () => undefined)
  for (const table of await source.tables()) await target.fill(table, source.rows(table))
  expect(await moveRows(source, target, () => undefined)).toBe(rows)
  await source.close()
  await target.complete()
  expect(readdirSync(to)).toContain('driveqr.db')
})

test('a server on the target of an interrupted move says that the move must be completed', async () => {
  const { dataDir } = await makeInstallation('sqlite', 'asha')
  const { run } = openCommandLine(dataDir)
  const list = () => run(['user', 'list'], { env: ON_SQLITE })
  expect((await list()).code).toBe(0)
  moveAway(dataDir)
  expect((await list()).err).toMatch(/has been in use: restore a backup, or start with an empty/)
  mkdirSync(join(dataDir, 'move'))
  expect((await list()).err).toMatch(/has been in use: complete the move that was interrupted/)
  const { out } = await run(['doctor'], { env: ON_SQLITE })
  expect(out).toMatch(/PROBLEM +Database +.+ was in use: complete the move that was interrupted/)
})

test('files alone are moved to S3 and back', async () => {
  const { dataDir } = await makeInstallation('sqlite', 'asha')
  const { run } = openCommandLine(dataDir)
  const before = filesOf(dataDir)
  const { prefix, settings, url } = await newBucketFolder()
  const env = { ...ON_SQLITE, ...CREDENTIALS }
  expect((await run(['move', '--to', 'sqlite', '--storage', url], { env })).code).toBe(0)
  expect(await filesIn(prefix)).toEqual(before)
  const again = await run(['move', '--to', 'sqlite'], { env: { ...env, ...settings } })
  expect(again.err).toMatch(/driveqr: There are files in \S+\/files already: /)
  rmSync(join(dataDir, 'files'), { recursive: true })
  const back = await run(['move', '--to', 'sqlite'], { env: { ...env, ...settings } })
  expect(back.code).toBe(0)
  expect(filesOf(dataDir)).toEqual(before)
})

test('a terminal gets a bar that says how long it takes', async () => {
  const { dataDir } = await makeInstallation('sqlite', 'asha')
  const { run } = openCommandLine(dataDir)
  const { url } = await newBucketFolder()
  const env = { ...ON_SQLITE, ...CREDENTIALS }
  const args = ['move', '--to', 'sqlite', '--storage', url]
  const { err } = await run(args, { env, isTerminal: true })
  expect(err).toMatch(
    /^0 rows and 1 file \(\d+ KB\), about a minute\n[\s\S]*█{30} 100 %, about a minute left\n$/,
  )
})

test('a folder that others could read is closed to them', async () => {
  const { dataDir } = await makeInstallation('sqlite', 'asha')
  chmodSync(dataDir, 0o755)
  chmodSync(join(dataDir, 'secret.key'), 0o644)
  const env = { ...ON_SQLITE, ...CREDENTIALS }
  const { url } = await newBucketFolder()
  const { run } = openCommandLine(dataDir)
  expect((await run(['move', '--to', 'sqlite', '--storage', url], { env })).code).toBe(0)
  expect([dataDir, join(dataDir, 'secret.key')].filter(isOpenToOthers)).toEqual([])
})

test('a target that holds anything is refused, and so is a place that is the same', async () => {
  const { dataDir } = await makeInstallation('sqlite', 'asha')
  const { run } = openCommandLine(dataDir)
  const { prefix, url } = await newBucketFolder()
  const env = { ...ON_SQLITE, ...CREDENTIALS }
  expect(await run(['move', '--to', 'sqlite'], { env })).toMatchObject({
    code: 1,
    err: 'driveqr: Nothing is to be moved: it is there already\n',
  })
  const { objects } = await s3Server()
  const other = { body: Buffer.from('x'), at: new Date(), checksum: undefined }
  objects.set(`${prefix}/${'a'.repeat(26)}.pdf`, other)
  const refused = await run(['move', '--to', 'sqlite', '--storage', url], { env })
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('There are files in s3:') })
  expect(existsSync(join(dataDir, 'move'))).toBe(false)
  const wrong = await run(['move', '--to', 'mysql://nobody-may-read-this@h/d'], { env })
  expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('must look like postgres:') })
  expect(wrong.err).not.toContain('nobody-may-read-this')
  expect((await run(['move'])).code).toBe(2)
})

test('an error about the target names its options, not the earlier settings', async () => {
  const { dataDir } = await makeInstallation('sqlite', 'asha')
  const { run } = openCommandLine(dataDir)
  const env = { ...ON_SQLITE, ...CREDENTIALS }
  const reasonOf = async (...args: string[]) => (await run(['move', ...args], { env })).err
  expect(await reasonOf('--to', 'mysql://h/d')).toMatch(/^error: --to must look like postgres:/)
  expect(await reasonOf('--to', 'postgres://u@127.0.0.1:1/d')).toMatch(/, and is --to right\?\n$/)
  const toStorage = (url: string) => reasonOf('--to', 'sqlite', '--storage', url)
  expect(await toStorage('/mnt/files')).toMatch(/^error: --storage must look like s3:/)
  expect(await toStorage('s3://keys?endpoint=http://127.0.0.1:1')).toMatch(
    /is --storage right\?\n$/,
  )
})

testOnPostgres('a database that holds anything is refused, and is as before', async () => {
  const { dataDir } = await makeInstallation('sqlite', 'asha')
  const used = await makeInstallation('postgres', 'ravi')
  const { run } = openCommandLine(dataDir)
  const before = await wholeOf(used)
  const to = (url: string) => run(['move', '--to', url], { env: ON_SQLITE })
  expect(await to(used.databaseUrl ?? '')).toMatchObject({
    code: 1,
    err: 'driveqr: The database of --to has data already: give it an empty one\n',
  })
  // PostgreSQL ends the connection of the command, which has the lock, a moment after the command.
  await vi.waitFor(async () => expect(await wholeOf(used)).toEqual(before), 5_000)
  const theirs = await makeEmptyDatabase()
  await ask(theirs, 'create table theirs (a int)')
  expect((await to(theirs)).err).toContain('has tables of another program')
  await ask(theirs, 'drop table theirs; create schema driveqr_moving')
  expect((await to(theirs)).err).toContain('has what another move left: drop schema')
})

test('a server that is running is noticed', async () => {
  const place = await makeInstallation('sqlite', 'asha')
  const { run } = openCommandLine(place.dataDir)
  const { url } = await newBucketFolder()
  const server = await openEngine({ ...place, databasePool: 1 })
  const args = ['move', '--to', 'sqlite', '--storage', url]
  const env = { ...ON_SQLITE, ...CREDENTIALS }
  const { code, err } = await run(args, { env })
  await server.close()
  expect({ code, err }).toEqual({
    code: 1,
    err: `driveqr: A server or a command is using ${place.dataDir}: stop it first\n`,
  })
  expect((await run(args, { env })).code).toBe(0)
})

testOnPostgres('nobody writes to a database on PostgreSQL that is being moved', async () => {
  const place = await makeInstallation('postgres', 'asha')
  const { run } = openCommandLine(place.dataDir)
  const { settings, url } = await newBucketFolder()
  const env = { DATABASE_URL: place.databaseUrl ?? '', ...CREDENTIALS, STORAGE_URL: '' }
  const args = ['move', '--to', 'sqlite', '--storage', url]
  // A server elsewhere, with a folder of its own.
  const elsewhere = await openEngine({ ...place, databasePool: 1 })
  const db = await elsewhere.queries()
  await db.selectFrom('meta').selectAll().execute()
  expect((await run(args, { env })).err).toMatch(/^driveqr: A server or a command is using /)
  await elsewhere.close()
  const writes: string[] = []
  const starts: string[] = []
  const machine = join(place.dataDir, '..', 'machine')
  mkdirSync(machine)
  for (const name of ['secret.key', 'install-id']) {
    cpSync(join(place.dataDir, name), join(machine, name))
  }
  const { cause } = await s3Server()
  cause(({ method, key }) => {
    if (method === 'PUT' && key.endsWith('.png')) {
      const write = "set lock_timeout = '50ms'; update meta set value = value"
      void ask(place.databaseUrl ?? '', write).then(
        () => writes.push('written'),
        (error) => writes.push(error.code),
      )
      void openEngine({ ...place, dataDir: machine, databasePool: 1 }).then(
        (engine) => {
          starts.push('started')
          return engine.close()
        },
        (error) => starts.push(error.message),
      )
      return 'slow'
    }
    return undefined
  })
  expect((await run(args, { env })).code).toBe(0)
  expect(writes).toEqual(['55P03'])
  expect(starts).toEqual(['The database of DATABASE_URL is being moved: wait until that is done'])
  expect(settings.STORAGE_URL).toBe(url)
})

const startMove = (env: Record<string, string>, args: string[], dieBefore = 0) =>
  startMortal('mover', [String(dieBefore), ...args], env)

async function runMove(env: Record<string, string>, args: string[], dieBefore?: number) {
  return (await startMove(env, args, dieBefore)).ended
}

testOnPostgres('a move that is killed at any statement goes on, and ends complete', async () => {
  const { dataDir } = await makeInstallation('sqlite', 'asha')
  const before = await wholeOf({ dataDir, databaseUrl: undefined })
  const env = { DATA_DIR: dataDir, ...ON_SQLITE }
  const counted = await runMove(env, ['--to', await makeEmptyDatabase()])
  const statements = Number(counted.out)
  expect(statements).toBeGreaterThan(300)
  const stateFile = join(dataDir, 'move', 'state.json')
  for (const share of [0.01, 0.2, 0.5, 0.8, 0.95, 1]) {
    const databaseUrl = await makeEmptyDatabase()
    const args = ['--to', databaseUrl]
    const died = await runMove(env, args, Math.floor(statements * share))
    expect(died.signal).toBe('SIGKILL')
    const found = await ask(databaseUrl, "select to_regclass('public.accounts') as found")
    expect(found).toEqual([{ found: null }])
    const state = existsSync(stateFile) && JSON.parse(readFileSync(stateFile, 'utf8'))
    expect((await runMove(env, args)).signal).toBeNull()
    expect((await wholeOf({ dataDir, databaseUrl })).rows).toEqual(before.rows)
    expect(existsSync(join(dataDir, 'move'))).toBe(false)
    if (!state) continue
    // Killed after its commit, it is complete, and the next one notices.
    mkdirSync(join(dataDir, 'move'))
    writeFileSync(stateFile, JSON.stringify({ ...state, isCompleting: true }))
    expect((await runMove(env, args)).signal).toBeNull()
    expect(existsSync(join(dataDir, 'move'))).toBe(false)
  }
})

test('a move of files that is killed goes on, sends none of them again, and mends one that is half there', {
  tags: 'slow',
}, async () => {
  const { dataDir } = await makeInstallation('sqlite', 'asha')
  const { run } = openCommandLine(dataDir)
  expect((await run(['seed', '--seed', '1'], { env: ON_SQLITE })).code).toBe(0)
  const stored = filesOf(dataDir).toSorted()
  const { prefix, url } = await newBucketFolder()
  const env = { DATA_DIR: dataDir, ...ON_SQLITE, ...CREDENTIALS }
  const args = ['--to', 'sqlite', '--storage', url]
  const moving = await startMove(env, args)
  const server = await s3Server()
  const isFile = (key: string) => key.startsWith(`${prefix}/`) && key.includes('.')
  let puts = 0
  server.cause(({ method, key }) => {
    if (method === 'PUT' && isFile(key) && ++puts === 5) moving.kill()
    return undefined
  })
  expect((await moving.ended).signal).toBe('SIGKILL')
  server.cause(() => undefined)
  const sent = [...server.objects.keys()].filter(isFile)
  expect(sent.length).toBeGreaterThan(0)
  expect(sent.length).toBeLessThan(stored.length)
  const [half = ''] = sent
  server.objects.set(half, { body: Buffer.from('half'), at: new Date(), checksum: undefined })
  const elsewhere = await newBucketFolder()
  const other = await run(['move', '--to', 'sqlite', '--storage', elsewhere.url], { env })
  expect(other.err).toMatch(/A move to SQLite in \S+ and s3:\S+ at \S+ was interrupted: /)
  server.requests.length = 0
  expect((await run(['move', ...args], { env })).code).toBe(0)
  expect((await filesIn(prefix)).toSorted()).toEqual(stored)
  const again = server.requests.filter(({ method, key }) => method === 'PUT' && isFile(key))
  expect(again.map(({ key }) => key).filter((key) => sent.includes(key))).toEqual([half])
})

test('a copy that is not like the original is noticed', async () => {
  const { dataDir } = await makeInstallation('sqlite', 'asha')
  const { run } = openCommandLine(dataDir)
  const { url } = await newBucketFolder()
  const { cause, objects } = await s3Server()
  cause(({ method, key }) => {
    const stored = objects.get(key)
    // Between the upload and the look at it.
    if (method === 'HEAD' && stored) stored.body = Buffer.from(stored.body).fill(0, 0, 1)
    return undefined
  })
  const env = { ...ON_SQLITE, ...CREDENTIALS }
  const { code, err } = await run(['move', '--to', 'sqlite', '--storage', url], { env })
  expect(code).toBe(1)
  expect(err).toMatch(/driveqr: .*(The copy of the file \S+ is not like the original|checksum)/i)
})

test('the role of a server on PostgreSQL is no reason against a move to SQLite', async () => {
  const { run } = openCommandLine()
  const env = { DATABASE_URL: 'postgres://driveqr:x@127.0.0.1:1/driveqr', ROLE: 'web' }
  const { code, err } = await run(['move', '--to', 'sqlite'], { env })
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('does not answer') })
})

testOnSqlite('a bucket of the same name at another server is another storage', async () => {
  const { run } = openCommandLine()
  const { prefix, settings, url } = await newBucketFolder()
  const { objects } = await s3Server()
  const file = { body: Buffer.from('%PDF-'), at: new Date(), checksum: undefined }
  objects.set(`${prefix}/${'a'.repeat(26)}.pdf`, file)
  const elsewhere = url.replace('127.0.0.1', 'localhost')
  const moved = await run(['move', '--to', 'sqlite', '--storage', elsewhere], { env: settings })
  expect(moved.err).toMatch(/There are files in s3:.* at localhost:\d+ already/)
  const same = await run(['move', '--to', 'sqlite', '--storage', url], { env: settings })
  expect(same.err).toContain('it is there already')
})

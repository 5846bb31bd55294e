// @module-tag slow
import { type StdioOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { openEngine } from '#db/open-engine.ts'
import { nameBuild } from '#scripts/bootstrap/build.mjs'
import { temporaryFolder } from '#tests/cli/support.ts'
import { testOnLinux } from '#tests/support/database.ts'
import { findPrograms } from '#tests/support/programs.ts'

let entry = ''
let server = ''

beforeAll(async () => {
  const programs = await findPrograms()
  entry = programs.commandLine
  server = programs.server
})

function openProcess() {
  const env = { ...process.env, DATA_DIR: join(temporaryFolder(), 'data'), NODE_ENV: 'test' }
  const run = (args: string[], input = '') => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [entry, ...args], {
      env,
      input,
      encoding: 'utf8',
    })
    return { code: status, out: stdout, err: stderr }
  }
  return { env, run }
}

/** Makes the database, as the first start of a server does. */
async function openInstalled() {
  const opened = openProcess()
  const umask = process.umask(0o077)
  const engine = await openEngine({
    dataDir: opened.env.DATA_DIR,
    databaseUrl: undefined,
    databasePool: 1,
  })
  await engine.close()
  process.umask(umask)
  return opened
}

test('the program itself ends with 0, 1 or 2, and a refusal is one line without a stack', async () => {
  const { run } = await openInstalled()
  const create = ['user', 'create', 'asha@example.in', '--name', 'Asha']
  expect(run(create, 'lost & found\n')).toEqual({
    code: 0,
    out: 'asha@example.in can sign in now\n',
    err: '',
  })
  expect(run(create, 'lost & found\n')).toEqual({
    code: 1,
    out: '',
    err: 'driveqr: An account with the address asha@example.in exists already\n',
  })
  expect(run(['admin', 'give'])).toMatchObject({ code: 2, out: '' })
  expect(run(['user', 'verify-email', 'asha@example.in'])).toMatchObject({ code: 0 })
  expect(run(['admin', 'grant', 'asha@example.in'])).toMatchObject({ code: 0 })
  expect(JSON.parse(run(['admin', 'list', '--json']).out)).toMatchObject([{ role: 'super_admin' }])
})

test('--version tells builds apart by the commit and the sources', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  const { code, out } = openProcess().run(['--version'])
  expect([code, out]).toEqual([0, `${version}+${nameBuild()}\n`])
})

test('a server that cannot open its data gives the reason in the same words', () => {
  const { env, run } = openProcess()
  mkdirSync(join(env.DATA_DIR, 'driveqr.db'), { recursive: true })
  const remedy = `run chown -R ${process.getuid?.()}:${process.getgid?.()} on it, as root`
  const line = `The data folder cannot be opened: if another user made it, ${remedy}\n`
  expect(run(['user', 'list'])).toMatchObject({ code: 1, err: `driveqr: ${line}` })
  const { status, stderr } = spawnSync(process.execPath, [server], { env, encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 3, stderr: `DriveQR cannot start: ${line}` })
})

testOnLinux(
  'a full disk that the answer is to be written to is a refusal of one line',
  async () => {
    const { env, run } = await openInstalled()
    run(['user', 'create', 'asha@example.in', '--name', 'Asha'], 'lost & found\n')
    const full = openSync('/dev/full', 'w')
    onTestFinished(() => closeSync(full))
    const onto = (...args: string[]) => {
      const stdio: StdioOptions = ['ignore', full, 'pipe']
      const options = { env: { ...env, PUBLIC_URL: 'https://keys.example.in' }, stdio }
      const { status, stderr } = spawnSync(process.execPath, [entry, ...args], options)
      return { status, stderr: String(stderr) }
    }
    const create = ['qr', 'create', '--owner', 'asha@example.in', '--count']
    for (const args of [['--help'], ['user', 'list'], ['qr', 'export'], ['doctor', '--json']]) {
      expect(onto(...args)).toEqual({ status: 1, stderr: 'driveqr: The disk is full\n' })
    }
    for (const args of [
      [...create, '1200'],
      [...create, '1200', '--json'],
    ]) {
      const { status, stderr } = onto(...args)
      expect(status).toBe(1)
      expect(stderr).toMatch(/^driveqr: (Stopped after 500 of 1,200 codes: )?The disk is full\n$/)
    }
  },
)

test('a reader that wants no more, as in `… | head`, does not end the work and is no failure', async () => {
  const { env, run } = await openInstalled()
  run(['user', 'create', 'asha@example.in', '--name', 'Asha'], 'lost & found\n')
  const beforeOne = async (...args: string[]) => {
    const child = spawn(process.execPath, [entry, ...args], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.destroy()
    child.stderr.destroy()
    return (await once(child, 'close'))[0]
  }
  const create = ['qr', 'create', '--owner', 'asha@example.in', '--count', '1200']
  expect(await beforeOne(...create)).toBe(0)
  expect(await beforeOne(...create, '--json')).toBe(0)
  expect(await beforeOne('qr', 'export')).toBe(0)
  const exported = run(['qr', 'export']).out.trim().split('\n')
  expect(exported).toHaveLength(1 + 2400)
})

test('every file that it writes can be read by its own user alone', async () => {
  const umask = process.umask(0o022)
  onTestFinished(() => void process.umask(umask))
  const { env, run } = await openInstalled()
  run(['user', 'create', 'asha@example.in', '--name', 'Asha'], 'lost & found\n')
  run(['user', 'verify-email', 'asha@example.in'])
  run(['admin', 'grant', 'asha@example.in'])
  const out = join(dirname(env.DATA_DIR), 'out')
  const create = ['qr', 'create', '--count', '1', '--out', out, '--csv', join(out, 'list.csv')]
  expect(run(create)).toMatchObject({ code: 0 })
  expect(run(['qr', 'export', '--csv', join(out, 'all.csv')])).toMatchObject({ code: 0 })
  expect(run(['backup', join(out, 'backup.tar')])).toMatchObject({ code: 0 })
  for (const folder of [env.DATA_DIR, out]) {
    const names = ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]
    expect(names.length).toBeGreaterThan(4)
    const open = names.filter((name) => (statSync(join(folder, name)).mode & 0o077) !== 0)
    expect(open).toEqual([])
  }
})

test('without anything on stdin it does not wait for a password for ever', () => {
  const { run } = openProcess()
  expect(run(['user', 'create', 'asha@example.in', '--name', 'Asha'])).toMatchObject({
    code: 1,
    err: 'driveqr: Please enter a password\n',
  })
})

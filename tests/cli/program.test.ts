import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { reasonOf } from '#db/reason.ts'
import { missingFolder, openCommandLine, temporaryFolder } from '#tests/cli/support.ts'
import { testOnLinux, testOnSqlite } from '#tests/support/database.ts'

const COMMANDS = [
  'qr create',
  'qr export',
  'admin grant',
  'admin revoke',
  'admin list',
  'user create',
  'user invite',
  'user verify-email',
  'user list',
  'user block',
  'user unblock',
  'user set-plan',
  'user reset-password',
  'promo create',
  'promo list',
  'promo toggle',
  'message add',
  'message list',
  'message remove',
  'backup',
  'restore',
  'doctor',
  'seed',
]

test.each(COMMANDS)('%s --help says how it is used, an example and --json', async (command) => {
  const { run } = openCommandLine()
  const { code, out, err } = await run([...command.split(' '), '--help'])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toContain(`Usage: driveqr ${command} `)
  expect(out).toMatch(new RegExp(`\\$ npm run (--silent )?driveqr -- ${command}`))
  expect(out).toContain('--json')
})

const NOUNS = [...new Set(COMMANDS.map((command) => command.split(' ', 1)[0]))]

test('the help of the whole names every command', async () => {
  const { run } = openCommandLine()
  const { code, out } = await run(['--help'])
  expect(code).toBe(0)
  for (const noun of NOUNS) expect(out).toContain(`  ${noun} `)
})

test.each([
  [[]],
  [['qr']],
  [['fly']],
  [['qr', 'burn']],
  [['doctor', '--loud']],
  [['qr', 'create']],
  [['user', 'create', 'asha@example.in']],
  [['admin', 'grant']],
  [['restore']],
  [['qr', 'export', '--json']],
  [['promo', 'create']],
  [['message', 'add', 'Thank you']],
  [['backup', 'a.tar', 'b.tar']],
])('wrong usage (%j) is exit 2, says so on stderr and touches nothing', async (args) => {
  const { run } = openCommandLine()
  const { code, out, err } = await run(args)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(/^(error: |Usage: )/)
})

test.each([
  ['move', '--to', ''],
  ['move', '--to', 'sqlite', '--storage', ' '],
  ['qr', 'create', '--count', '500', '--out', ''],
  ['qr', 'create', '--count', '500', '--csv', ''],
  ['qr', 'import', 'fleet.csv', '--owner', 'asha@example.in', '--out', ''],
  ['qr', 'export', '--csv', ''],
  ['qr', 'create', '--count', '500', '--owner', ''],
  ['qr', 'import', 'fleet.csv', '--owner', ''],
  ['qr', 'import', '', '--owner', 'asha@example.in'],
  ['backup', ''],
  ['restore', ''],
])('a place that is empty, as %s %s %s …, is wrong usage and not the default', async (...args) => {
  const { code, err } = await openCommandLine().run(args)
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('It is empty.') })
})

test('a setting that cannot be right refuses every command in one line that names it', async () => {
  const { run } = openCommandLine()
  const answer = await run(['user', 'list'], { env: { PORT: '99999' } })
  expect(answer).toEqual({
    code: 1,
    out: '',
    err: 'driveqr: PORT must be a whole number from 0 to 65535\n',
  })
})

test('help speaks of driveqr unless npm started the command', async () => {
  const { run } = openCommandLine()
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('npm_lifecycle_event', undefined)
  expect((await run(['user', 'list', '--help'])).out).toContain('\n  $ driveqr user list --json\n')
  vi.stubEnv('npm_lifecycle_event', 'driveqr')
  expect((await run(['doctor', '--help'])).out).toContain('\n  $ npm run driveqr -- doctor\n')
})

test('an example whose answer goes to a file or a program keeps out of it what npm says', async () => {
  vi.stubEnv('npm_lifecycle_event', 'driveqr')
  onTestFinished(() => void vi.unstubAllEnvs())
  const { run } = openCommandLine()
  for (const command of [
    ['qr', 'export'],
    ['user', 'list'],
  ]) {
    const { out } = await run([...command, '--help'])
    expect(out).toMatch(/npm run --silent driveqr -- .+( > | --json)/)
    expect(out).not.toMatch(/npm run driveqr -- .+( > | --json)/)
  }
})

testOnSqlite('an error of the system is a sentence with the path', async () => {
  const { run, addAccount, dataDir } = openCommandLine()
  await addAccount()
  const folder = temporaryFolder()
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const codes = ['qr', 'create', '--count', '1', '--owner', 'asha@example.in']
  const env = { PUBLIC_URL: 'https://keys.example.in' }
  const reason = async (args: string[], DATA_DIR = dataDir) =>
    (await run(args, { env: { ...env, DATA_DIR } })).err
  const away = join(folder, 'away')
  expect(await reason(['restore', folder], away)).toMatch(
    /^driveqr: \S+ is a folder, not a file\n$/,
  )
  expect(await reason([...codes, '--csv', join(away, 'list.csv')])).toBe(
    `driveqr: There is no folder ${away}\n`,
  )
  expect(await reason(['qr', 'export', '--csv', join(away, 'list.csv')])).toBe(
    `driveqr: There is no folder ${away}\n`,
  )
  expect(await reason([...codes, '--out', file])).toBe(`driveqr: ${file} already exists\n`)
  expect(await reason([...codes, '--out', join(file, 'codes')])).toMatch(/ no folder\n$/)
})

test('a full disk is reported by the same sentence for each write of SQLite that meets it first', () => {
  for (const code of ['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'ENOSPC']) {
    const error = Object.assign(new Error('disk I/O error'), { code })
    expect(reasonOf(error)).toBe('The disk is full')
  }
})

testOnLinux('a folder for images that cannot be made is refused, not tried for ever', async () => {
  const { run, addAccount } = openCommandLine()
  await addAccount()
  const args = ['--count', '1', '--owner', 'asha@example.in', '--out', '/proc/none/codes']
  const { code, err } = await run(['qr', 'create', ...args])
  expect(code).toBe(1)
  expect(err).toMatch(/\ndriveqr: [^\n]+\/proc[^\n]*\n$/)
})

test('--version says which release this is, as package.json does', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  const { run } = openCommandLine()
  expect(await run(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' })
})

testOnSqlite(
  'a command in a folder without an installation is refused, and makes nothing',
  async () => {
    const { run, dataDir } = openCommandLine(missingFolder())
    const refused = {
      code: 1,
      out: '',
      err: `driveqr: There is no DriveQR in ${dataDir}: set DATA_DIR to its data folder, or start the server once\n`,
    }
    const [contact, list] = ['asha@example.in', join(dirname(dataDir), 'list.csv')]
    writeFileSync(list, 'vehicle_registration\nMH12AB1234\n')
    const commands = [
      ['user', 'list'],
      ['user', 'verify-email', contact],
      ['user', 'free-email', contact],
      ['user', 'block', contact],
      ['user', 'reset-password', contact],
      ['user', 'remove-factors', contact],
      ['user', 'set-plan', contact, 'premium'],
      ['admin', 'revoke', contact],
      ['admin', 'list'],
      ['qr', 'export'],
      ['qr', 'import', list, '--owner', contact],
      ['promo', 'list'],
      ['message', 'list'],
      ['message', 'add', 'Thank you', 'One call is all it takes.'],
      ['report', 'list'],
      ['notify', 'test', contact],
    ]
    const runEach = async () => {
      for (const args of commands)
        expect(await run(args, { stdin: 'lost & found\n' }), args.join(' ')).toEqual(refused)
    }
    await runEach()
    expect(existsSync(dataDir)).toBe(false)
    // Somebody's folder, named by mistake.
    mkdirSync(join(dataDir, 'files'), { recursive: true })
    await runEach()
    expect(readdirSync(dataDir, { recursive: true })).toEqual(['files'])
  },
)

testOnSqlite('an account and its role may come before the first start', async () => {
  const { run } = openCommandLine(missingFolder())
  const create = ['user', 'create', 'asha@example.in', '--name', 'Asha Patil', '--verified']
  expect(await run(create, { stdin: 'lost & found\n' })).toMatchObject({ code: 0, err: '' })
  expect(await run(['admin', 'grant', 'asha@example.in'])).toMatchObject({ code: 0, err: '' })
  expect((await run(['qr', 'create', '--count', '2'])).code).toBe(0)
  for (const [args, err] of [
    [['qr', 'create', '--count', '2'], /^driveqr: There is no admin to own the codes/],
    [['admin', 'grant', 'ravi@example.in'], /^driveqr: No account signs in with/],
  ] as const) {
    const first = openCommandLine(missingFolder())
    expect(await first.run([...args])).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(err),
    })
  }
})

test('times are in the zone of TZ, which is named, and in TIMEZONE where TZ is none', async () => {
  const { run } = openCommandLine()
  await run(['message', 'add', 'Thank you', 'Be safe'])
  const list = async (TZ: string) => (await run(['message', 'list'], { env: { TZ } })).out
  expect(await list('Europe/Berlin')).toContain('20 Nov 2026, 11:00 am Europe/Berlin')
  expect(await list(':/etc/localtime')).toContain('20 Nov 2026, 3:30 pm Asia/Kolkata')
})

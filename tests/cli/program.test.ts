import { expect, test } from 'vitest'
import { openCommandLine } from '#tests/cli/support.ts'

const COMMANDS = [
  'qr create',
  'admin grant',
  'admin revoke',
  'admin list',
  'user create',
  'user list',
  'user block',
  'user unblock',
  'user set-plan',
  'user reset-password',
  'backup',
  'restore',
  'doctor',
  'seed',
]

test.each(COMMANDS)(
  '%s --help says how it is used, with an example and --json',
  async (command) => {
    const { run } = openCommandLine()
    const { code, out, err } = await run([...command.split(' '), '--help'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain(`Usage: driveqr ${command} `)
    expect(out).toContain(`$ npm run driveqr -- ${command}`)
    expect(out).toContain('--json')
  },
)

test('the help of the whole names every command', async () => {
  const { run } = openCommandLine()
  const { code, out } = await run(['--help'])
  expect(code).toBe(0)
  for (const noun of ['qr', 'admin', 'user', 'backup', 'restore', 'doctor', 'seed'])
    expect(out).toContain(`  ${noun} `)
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
])('wrong usage (%j) is exit 2, says so on stderr and touches nothing', async (args) => {
  const { run } = openCommandLine()
  const { code, out, err } = await run(args)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(/^(error: |Usage: )/)
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

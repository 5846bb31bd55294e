import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { beforeEach, expect, test, vi } from 'vitest'
import { readConfig } from '#config.ts'
import { addressWarning, greetingFor, whyNotListening } from '#server/greeting.ts'

const SMTP_URL = 'smtp://mail.example.in'

beforeEach(() => {
  vi.stubEnv('npm_lifecycle_event', 'start')
  return vi.unstubAllEnvs
})

const PUBLIC_URL = 'https://keys.example.in'
const PROVIDER = { GOOGLE_CLIENT_ID: 'x', GOOGLE_CLIENT_SECRET: 'x' }
const BY_TEST =
  'register with any e-mail address (the one-time code is shown on the page), and choose'
const BY_PAGE = 'Open it, register, and choose Make me the admin.'
const BY_BOTH =
  'Open it and register. Then make yourself an admin: npm run driveqr -- admin grant EMAIL\n'
const BY_COMMAND =
  'Create an account: npm run driveqr -- user create EMAIL --name NAME --verified, and make it an admin: npm run driveqr -- admin grant EMAIL\n'

test.each<[Record<string, string>, string]>([
  [{}, BY_TEST],
  [{ SMTP_URL }, BY_PAGE],
  [{ TEST_MODE: '0', ...PROVIDER }, BY_PAGE],
  [{ TEST_MODE: '0' }, BY_COMMAND],
  [{ REGISTRATION: 'invite' }, BY_COMMAND],
  [{ REGISTRATION: 'closed' }, BY_COMMAND],
  [{ REGISTRATION: 'closed', SMTP_URL }, BY_COMMAND],
  [{ PUBLIC_URL, SMTP_URL }, BY_BOTH],
  [{ PUBLIC_URL, ...PROVIDER }, BY_BOTH],
  [{ PUBLIC_URL }, BY_COMMAND],
  [{ PUBLIC_URL, REGISTRATION: 'closed' }, BY_COMMAND],
  [{ HOST: '0.0.0.0' }, BY_COMMAND],
])('with %j the first step that is told is one that works', (env, step) => {
  const config = readConfig(env)
  const greeting = greetingFor(config, false)
  expect(greeting).toContain(`ready at ${config.publicUrl}\n`)
  expect(greeting).toContain('  There is no account yet. ')
  expect(greeting).toContain(step)
})

test.each<[Record<string, string>, string]>([
  [{}, ''],
  [{ PUBLIC_URL, SMTP_URL }, ''],
  [{ PUBLIC_URL }, 'Create an account: npm run driveqr -- user create'],
  [{ REGISTRATION: 'closed' }, 'Create an account: npm run driveqr -- user create'],
])('with %j and accounts it tells at most how to make another', (env, step) => {
  const greeting = greetingFor(readConfig(env), true)
  const [, , ...rest] = greeting.split('\n')
  expect(rest.join('\n')).toContain(step)
  expect(rest.join('').length === 0).toBe(step === '')
  expect(greeting).not.toContain('admin')
})

test.each([
  [{ HOST: '0.0.0.0' }, true],
  [{ NODE_ENV: 'production' }, true],
  [{ HOST: '0.0.0.0', PUBLIC_URL: 'http://192.168.1.20:3000' }, false],
  [{}, false],
])('with %j it says that PUBLIC_URL must be set before printing: %s', (env, warns) => {
  const warning =
    'PUBLIC_URL http://localhost:3000 only works on this machine. Set it to the address that phones open before you sign in from one or print a QR code.'
  expect(addressWarning(readConfig(env))).toBe(warns ? warning : undefined)
  expect(greetingFor(readConfig(env), false).includes(`\n  ${warning}\n`)).toBe(warns)
})

test('a worker, which serves no pages, sends nobody to one', () => {
  const DATABASE_URL = 'postgres://driveqr@127.0.0.1:5432/driveqr'
  const greeting = greetingFor(readConfig({ ROLE: 'worker', DATABASE_URL }), false)
  expect(greeting).toBe(
    '\n  This worker of DriveQR is ready. It serves no pages: open a server with ROLE=web, or all.\n',
  )
})

async function refusalOf(port: number, host: string): Promise<Error> {
  const [error] = await once(createServer().listen(port, host), 'listening').then(
    () => [new Error('It listens')],
    (refusal) => [refusal],
  )
  return whyNotListening(error, { host, port })
}

test('an address that cannot be listened on is refused by the name of its setting', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  expect((await refusalOf(port, '127.0.0.1')).message).toMatch(
    new RegExp(`^PORT ${port} is used by another program: `),
  )
  taken.close()
  for (const host of ['203.0.113.1', 'a'.repeat(300)]) {
    expect((await refusalOf(0, host)).message).toBe(
      `HOST ${host} is not an address of this machine`,
    )
  }
})

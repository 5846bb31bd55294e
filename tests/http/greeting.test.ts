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

test.each([
  [{}, 'the one-time code is shown on the page'],
  [{ SMTP_URL }, 'Open it, register, and make'],
  [{ TEST_MODE: '0' }, 'npm run driveqr -- user create'],
  [{ REGISTRATION: 'invite' }, 'npm run driveqr -- user create'],
  [{ REGISTRATION: 'closed', SMTP_URL }, 'npm run driveqr -- user create'],
  [{ PUBLIC_URL: 'https://keys.example.in', SMTP_URL }, 'Open it, register, and make'],
  [{ PUBLIC_URL: 'https://keys.example.in' }, 'npm run driveqr -- user create'],
  [{ HOST: '0.0.0.0' }, 'npm run driveqr -- user create'],
])('with %j the first step that is told is one that works', (env, step) => {
  const config = readConfig(env)
  const greeting = greetingFor(config)
  expect(greeting).toContain(`ready at ${config.publicUrl}\n`)
  expect(greeting).toContain(step)
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
  expect(greetingFor(readConfig(env)).includes(`\n  ${warning}\n`)).toBe(warns)
})

test('a worker, which serves no pages, sends nobody to one', () => {
  const DATABASE_URL = 'postgres://driveqr@127.0.0.1:5432/driveqr'
  const greeting = greetingFor(readConfig({ ROLE: 'worker', DATABASE_URL }))
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

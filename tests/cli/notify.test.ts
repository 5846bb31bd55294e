import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { addChannel } from '#db/alerts/channels.ts'
import { loadSecretKey } from '#db/secrets.ts'
import { NOW, openCommandLine } from '#tests/cli/support.ts'
import { openMailServer } from '#tests/support/mail-server.ts'

/** A server for ntfy on this machine, which notes titles. */
async function openTopic(status = 200) {
  const titles: string[] = []
  const server = createServer((request, response) => {
    titles.push(String(request.headers.title ?? request.headers['x-title']))
    request.resume().on('end', () => response.writeHead(status).end('{}'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { titles, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys` }
}

async function openInstallation() {
  const commandLine = openCommandLine()
  const asha = await commandLine.addAccount({
    email: 'asha@example.in',
    email_verified_at: NOW.toISOString(),
  })
  const key = loadSecretKey(commandLine.dataDir)
  const connect = (url: string) =>
    commandLine.withDatabase(({ db }) => {
      const target = { url, token: null }
      const channel = { kind: 'ntfy', name: 'keys', address: url, target } as const
      return addChannel(db, key, asha.id, channel, NOW)
    })
  const mail = await openMailServer({})
  const env = { SMTP_URL: mail.url, ALLOW_PRIVATE_TARGETS: '1' }
  const notify = (...args: string[]) =>
    commandLine.run(['notify', 'test', 'asha@example.in', ...args], { env })
  return { ...commandLine, connect, notify, mail }
}

test('a test goes to each channel of an account, and the answer lists the results', async () => {
  const { connect, notify, mail } = await openInstallation()
  const topic = await openTopic()
  await connect(topic.url)
  const { code, out } = await notify()
  expect(code).toBe(0)
  expect(out).toMatch(/Email +asha@example.in +arrived\n.*ntfy +keys +arrived\n/)
  expect(topic.titles).toEqual(['Test from DriveQR'])
  expect(mail.received).toHaveLength(1)
})

test('one that does not arrive is a failure with its reason, and the others go out', async () => {
  const { connect, notify } = await openInstallation()
  const [broken, well] = [await openTopic(500), await openTopic()]
  await connect(broken.url)
  await connect(well.url)
  const { code, out, err } = await notify('--json')
  expect(code).toBe(1)
  expect(err).toBe('driveqr: 1 test did not arrive\n')
  const problems = JSON.parse(out).channels.map((each: { problem: string | null }) => each.problem)
  expect(problems).toHaveLength(3)
  expect(problems.filter(Boolean)).toEqual(['The test did not arrive: Answered 500'])
  expect(well.titles).toHaveLength(1)
})

test('an account that is not there is refused', async () => {
  const { run } = openCommandLine()
  const { code, err } = await run(['notify', 'test', 'nobody@example.in'])
  expect([code, err]).toEqual([1, 'driveqr: No account signs in with nobody@example.in\n'])
})

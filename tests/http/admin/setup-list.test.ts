import { expect, test } from 'vitest'
import { writeRecord } from '#storage/backup/record.ts'
import { openAdmin } from '#tests/support/admin.ts'

const PRODUCTION = {
  PUBLIC_URL: 'https://keys.example.in',
  REQUIRE_SECOND_FACTOR: 'none',
}

async function openServer(env: Record<string, string> = {}) {
  const app = await openAdmin({ env: { ...PRODUCTION, ...env } })
  const cookie = app.root.cookie.replace('driveqr=', '__Host-driveqr=')
  async function list() {
    const { html } = await app.open('', { cookie })
    const [, found = ''] = /id="setup".*?<ul[^>]*>(.*?)<\/ul>/s.exec(html) ?? []
    return [...found.matchAll(/<li(.*?)<\/li>/gs)].map(([, line = '']) => ({
      name: /<b>(.*?)<\/b>/.exec(line)?.[1],
      isDone: line.includes('class="done"'),
      text: line.replaceAll(/<[^>]*>/g, ' '),
    }))
  }
  return { ...app, list }
}

test('the overview lists what the operator has still to set up, in the words of doctor', async () => {
  const { list } = await openServer()
  const lines = await list()
  expect(lines.map(({ name, isDone }) => [name, isDone])).toEqual([
    ['Address', true],
    ['Mail', false],
    ['Owners', false],
    ['Backups', false],
    ['Admins', false],
  ])
  const text = lines.map((line) => line.text).join('\n')
  for (const said of [
    'SMTP_URL is not set in production: nobody can register or reset a password',
    'UPI_ID or BANK_ACCOUNT_NUMBER is not set: owners ask for an upgrade',
    'none yet: the server makes one every night',
    'Open System',
    'each adds one under Settings, Security',
    'Open Security',
  ]) {
    expect(text).toContain(said)
  }
})

test('a family has to set up what doctor says that a family needs', async () => {
  const { list } = await openServer({ PLANS: 'off', REGISTRATION: 'invite' })
  expect((await list()).map(({ name, isDone }) => [name, isDone])).toEqual([
    ['Address', true],
    ['Registration', true],
    ['Backups', false],
    ['Admins', false],
  ])
})

test('the list goes once everything is set up', async () => {
  const { list, deps, db, root } = await openServer({
    SMTP_URL: 'smtp://127.0.0.1:25',
    UPI_ID: 'driveqr@upi',
    SUPPORT_EMAIL: 'help@example.in',
  })
  const { dataDir } = deps.config
  writeRecord(dataDir, {
    good: { made_at: deps.clock().toISOString(), file: '/mnt/usb/a.tar', bytes: 5_000_000 },
  })
  expect((await list()).filter(({ isDone }) => !isDone).map(({ name }) => name)).toEqual(['Admins'])
  const at = deps.clock().toISOString()
  const app = { account_id: root.id, secret: 'sealed', created_at: at, confirmed_at: at }
  await db
    .insertInto('authenticators')
    .values({ ...app, last_step: 0 })
    .execute()
  expect(await list()).toEqual([])
})

// @module-tag slow
import { rmSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { insertAccount } from '#db/accounts/accounts.ts'
import { addChannel } from '#db/alerts/channels.ts'
import { changeAlertSettings } from '#db/alerts/settings.ts'
import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Db } from '#db/client.ts'
import { noteRun } from '#db/papers/digests.ts'
import { loadSecretKey } from '#db/secrets.ts'
import { addDays, lastRunDay } from '#domain/papers/due.ts'
import { insertCode } from '#tests/support/codes.ts'
import { openTestDatabase } from '#tests/support/database.ts'
import { makeDataFolder } from '#tests/support/folders.ts'
import { openNtfyServer } from '#tests/support/ntfy-server.ts'
import { insertPaper } from '#tests/support/papers.ts'
import { findPrograms } from '#tests/support/programs.ts'
import { launch } from '#tests/support/server.ts'

const BROWSER = { 'User-Agent': 'Mozilla/5.0 (Linux; Android 15; Pixel 9) Mobile' }
/** The server looks for scans whose time is over each 5 seconds. */
const LONGER_THAN_A_LOOK_MS = 6_000
const TIMEZONE = 'Asia/Kolkata'
/** A server that has just started is busy, and then rests long between alerts. */
const PATIENT = { timeout: 100_000 }

type Prepare = (db: Db, accountId: string, qrId: string) => Promise<unknown>

/** The released server, an owner who wants to hear of an event by ntfy, and their code. */
async function openInstallation(event: 'scan' | 'due', prepare: Prepare = async () => {}) {
  const programs = await findPrograms()
  const dataDir = makeDataFolder()
  const { db, url, close } = await openTestDatabase(dataDir)
  onTestFinished(async () => {
    await close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const ntfy = await openNtfyServer()
  const now = new Date()
  const person = { name: 'Asha', email: 'asha@example.in', password_hash: null }
  const account = await insertAccount(db, person, now)
  const { qr_id } = await insertCode(db, account.id, { vehicle_registration: 'MH12QX4827' })
  const topic = `${ntfy.url}/keys`
  const target = { url: topic, token: null }
  const channel = { kind: 'ntfy', name: topic, address: topic, target } as const
  await addChannel(db, loadSecretKey(dataDir), account.id, channel, now)
  await changeAlertSettings(db, account.id, { choices: [{ event, kind: 'ntfy', isOn: true }] })
  await prepare(db, account.id, qr_id)
  const env = { ALLOW_PRIVATE_TARGETS: '1', TIMEZONE, ...(url && { DATABASE_URL: url }) }
  const server = await launch({ dataDir, env, program: programs.server })
  onTestFinished(async () => {
    server.child.kill('SIGKILL')
    await server.ended
  })
  if (!(await server.serves())) throw new Error(server.output())
  const scan = async () => (await fetch(`${server.url}/scan/${qr_id}`, { headers: BROWSER })).status
  const waiting = () =>
    db.selectFrom('scan_alerts').selectAll().where('qr_id', '=', qr_id).executeTakeFirst()
  /** Moves the clock forward. */
  async function pass(seconds: number) {
    const { since, due_at } = (await waiting()) ?? { since: '', due_at: '' }
    const earlier = (instant: string) => toInstant(secondsAfter(new Date(instant), -seconds))
    const moved = { since: earlier(since), due_at: earlier(due_at) }
    await db.updateTable('scan_alerts').set(moved).where('qr_id', '=', qr_id).execute()
  }
  const said = () => ntfy.messages.map(({ title, message }) => [title, message])
  return { scan, waiting, pass, said }
}

test('the running server alerts of a scan at once, and of those of 15 minutes once', {
  timeout: 600_000,
}, async () => {
  const { scan, waiting, pass, said } = await openInstallation('scan')
  expect(await scan()).toBe(200)
  await expect.poll(said, PATIENT).toMatchObject([['Scanned · MH 12 QX 4827', expect.any(String)]])
  for (let n = 1; n <= 3; n++) {
    await scan()
    await expect.poll(async () => (await waiting())?.scans, PATIENT).toBe(n)
  }
  // The real time that the test takes counts too.
  await pass(600)
  await new Promise((resolve) => setTimeout(resolve, LONGER_THAN_A_LOOK_MS))
  expect(said()).toHaveLength(1)
  await pass(300)
  await expect.poll(said, PATIENT).toHaveLength(2)
  expect(said()[1]).toEqual([
    'Scanned 3 times · MH 12 QX 4827',
    expect.stringMatching(/^MH 12 QX 4827: 3 scans in the last 1[56] minutes\.$/),
  ])
  await pass(900)
  await new Promise((resolve) => setTimeout(resolve, LONGER_THAN_A_LOOK_MS))
  expect(said()).toHaveLength(2)
})

test('a server that was off for days reminds of dues in that time, within a minute of its start', {
  timeout: 600_000,
}, async () => {
  const day = lastRunDay(new Date(), TIMEZONE)
  const { said } = await openInstallation('due', async (db, account_id, qr_id) => {
    await noteRun(db, addDays(day, -3))
    // A week before its end was the day before.
    await insertPaper(db, { qr_id, account_id }, { expires_on: addDays(day, 6) })
  })
  await expect.poll(said, { timeout: 60_000 }).toHaveLength(1)
  expect(said()).toEqual([
    [expect.stringMatching(/^PUC ends in [56] days · MH 12 QX 4827$/), expect.any(String)],
  ])
})

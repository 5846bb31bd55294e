// @module-tag slow
import { existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { insertAccount } from '#db/accounts/accounts.ts'
import { addChannel } from '#db/alerts/channels.ts'
import { toInstant } from '#db/cast.ts'
import { KEY_FILE } from '#db/data-folder.ts'
import { openEngine } from '#db/open-engine.ts'
import { openOutbox } from '#db/outbox.ts'
import { findLastRun } from '#db/papers/digests.ts'
import { loadSecretKey, randomId } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { addDays, lastRunDay } from '#domain/papers/due.ts'
import { DEFAULT_TIMEZONE } from '#domain/time.ts'
import { testAlert } from '#mail/alerts.ts'
import { insertCode } from '#tests/support/codes.ts'
import { testOnSqlite } from '#tests/support/database.ts'
import { makeDataFolder } from '#tests/support/folders.ts'
import { ask, isOnPostgres, takeDatabase } from '#tests/support/postgres.ts'
import { findPrograms } from '#tests/support/programs.ts'
import { openReceiver, type Received } from '#tests/support/receiver.ts'
import { type Launched, launch } from '#tests/support/server.ts'

/** A delivery that a busy machine answers too late is tried again after 20 seconds. */
const WITHIN = { timeout: 200_000 }
/** Longer than a worker takes to look, after its start. */
const LONGER_THAN_A_LOOK_MS = 3_000
const FIVE_MINUTES_MS = 300_000
const LONGEST_CLAIM_SECONDS = 56
const clock = () => new Date()

let programs: Awaited<ReturnType<typeof findPrograms>>
let running: Launched[] = []

/** Opens an installation of the engine of this run, with the receivers of its servers. */
async function openInstallation(answer?: (received: Received) => Promise<void>) {
  const dataDir = makeDataFolder()
  const database = isOnPostgres() ? await takeDatabase() : undefined
  const engine = await openEngine({ dataDir, databaseUrl: database?.url, databasePool: 2 })
  const db = await engine.queries()
  const key = loadSecretKey(dataDir)
  const outbox = openOutbox(db, key, clock, false)
  const hook = await openReceiver(async (response, received) => {
    await answer?.(received)
    response.end()
  })
  const { alert, mail } = testAlert({ site: 'x', publicUrl: 'http://localhost' })

  async function connect(): Promise<string> {
    const email = `person${Math.random()}@example.in`
    const person = { name: 'Asha', email, password_hash: null }
    const { id } = await insertAccount(db, person, clock())
    const target = { url: hook.url, token: null }
    const topic = { kind: 'ntfy', name: 'topic', address: `${hook.url}/${id}`, target } as const
    await addChannel(db, key, id, topic, clock())
    return id
  }

  /** An alert with a text of its own. */
  const tell = (accountId: string, body: string) =>
    inTransaction(db, (trx) => outbox.alert(trx, { accountId, alert: { ...alert, body }, mail }))

  async function serve(role: string, env: Record<string, string> = {}): Promise<Launched> {
    const server = await launch({
      dataDir,
      program: programs.server,
      env: {
        ROLE: role,
        ALLOW_PRIVATE_TARGETS: '1',
        ...(database && { DATABASE_URL: database.url }),
        ...env,
      },
    })
    running.push(server)
    if (!(await server.serves())) throw new Error(server.output())
    return server
  }

  onTestFinished(async () => {
    await engine.close()
    await database?.giveBack()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const said = () => hook.received.map(({ body }) => body)
  return { dataDir, db, url: database?.url ?? '', connect, tell, serve, said }
}

beforeAll(async () => {
  programs = await findPrograms()
})
afterEach(async () => {
  for (const { kill, child, ended } of running) {
    if (child.exitCode === null && child.signalCode === null) kill('SIGTERM')
    await ended
  }
  running = []
})

const skewedBy = (ms: number) => ({
  NODE_OPTIONS: `--import=${resolve('tests/support/skewed-clock.mjs')}`,
  CLOCK_SKEW_MS: String(ms),
})

/** The backend that has the duty to do what must be done once. */
const findDuty = async (url: string) =>
  (await ask(
    url,
    `select pid from pg_locks join pg_database on pg_database.oid = database
     where locktype = 'advisory' and granted and datname = current_database()`,
  )) as { pid: number }[]

// On PostgreSQL workers deliver, see below.
testOnSqlite.each([
  ['in the data folder', false],
  ['elsewhere', true],
])('a server of all roles delivers the whole outbox, with its key %s', async (_, isMoved) => {
  const { dataDir, connect, tell, serve, said } = await openInstallation()
  const inFolder = join(dataDir, KEY_FILE)
  const elsewhere = join(dataDir, 'elsewhere.key')
  // So many channels are delivered to by its thread.
  const people = await Promise.all(Array.from({ length: 40 }, connect))
  const bodies = people.map((_, n) => `hello ${n}`)
  for (const [n, id] of people.entries()) await tell(id, `hello ${n}`)
  if (isMoved) renameSync(inFolder, elsewhere)
  const server = await serve('all', isMoved ? { SECRET_KEY_FILE: elsewhere } : {})
  await expect.poll(() => said().length, WITHIN).toBeGreaterThanOrEqual(bodies.length)
  await tell(people[0] ?? '', 'one more')
  await expect.poll(() => said().includes('one more'), WITHIN).toBe(true)
  expect(said().toSorted()).toEqual([...bodies, 'one more'].toSorted())
  server.kill('SIGTERM')
  expect(await server.ended).toEqual({ code: 0, signal: null })
  expect(server.output()).toContain('stopped')
  expect(existsSync(inFolder)).toBe(!isMoved)
})

const maker = isOnPostgres() ? 'worker' : 'all'

test(`a server of role ${maker} makes the exports that wait`, async () => {
  const { dataDir, db, serve } = await openInstallation()
  const who = { name: 'Asha', email: 'asha@example.in', password_hash: null }
  const { id: account_id } = await insertAccount(db, who, clock())
  const at = toInstant(clock())
  const times = { created_at: at, claimed_until: at, done_at: null }
  const waiting = { id: randomId(), account_id, status: 'running', progress: 0, bytes: 0 } as const
  await db
    .insertInto('exports')
    .values({ ...waiting, ...times })
    .execute()
  await serve(maker)
  const stored = () => db.selectFrom('exports').select(['status', 'bytes']).executeTakeFirst()
  await expect.poll(stored, WITHIN).toMatchObject({ status: 'done' })
  const path = join(dataDir, 'exports', `${waiting.id}.zip`)
  expect(await stored()).toMatchObject({ bytes: statSync(path).size })
})

testOnSqlite('a server that a proxy asks says that it leaves, and answers meanwhile', async () => {
  const { serve } = await openInstallation()
  const server = await serve('all')
  const ready = async () => {
    const answer = await fetch(`${server.url}/readyz`)
    return [answer.status, await answer.json()]
  }
  expect(await ready()).toEqual([200, { status: 'ok' }])
  server.kill('SIGTERM')
  await expect.poll(ready, WITHIN).toEqual([503, { status: 'leaving' }])
  const page = await fetch(`${server.url}/healthz`)
  expect([page.status, page.headers.get('Connection')]).toEqual([200, 'close'])
  expect(await server.ended).toEqual({ code: 0, signal: null })
})

testOnSqlite('a server of all roles makes the digests of many accounts, each once', async () => {
  const { db, serve } = await openInstallation()
  const day = lastRunDay(clock(), DEFAULT_TIMEZONE)
  for (let n = 0; n < 30; n++) {
    const proven = { email: `due${n}@example.in`, email_verified_at: '2026-01-01T00:00:00.000Z' }
    const owner = await insertAccount(db, { name: 'Asha', password_hash: null, ...proven }, clock())
    await insertCode(db, owner.id, { insurance_expiry_date: addDays(day, 7) })
  }
  // Nobody answers there, so the mails stay in the outbox.
  const server = await serve('all', { SMTP_URL: 'smtp://127.0.0.1:9' })
  await expect.poll(() => findLastRun(db), WITHIN).toBe(day)
  const subjects = await db.selectFrom('outbox').select(['recipient', 'subject']).execute()
  expect(new Set(subjects.map(({ recipient }) => recipient)).size).toBe(30)
  expect(subjects).toHaveLength(30)
  server.kill('SIGTERM')
  expect(await server.ended).toEqual({ code: 0, signal: null })
  expect(server.output()).not.toContain('"level":50')
})

describe.skipIf(!isOnPostgres())('of several servers', () => {
  test('those of ROLE=web send nothing and have no duty, and a worker does both', async () => {
    const { url, connect, tell, serve, said } = await openInstallation()
    await Promise.all([serve('web'), serve('web')])
    await tell(await connect(), 'hello')
    await sleep(LONGER_THAN_A_LOOK_MS)
    expect(said()).toEqual([])
    expect(await findDuty(url)).toEqual([])
    const worker = await serve('worker')
    await expect.poll(said, WITHIN).toEqual(['hello'])
    await expect.poll(() => findDuty(url), WITHIN).toHaveLength(1)
    expect((await fetch(`${worker.url}/login`)).status).toBe(404)
    expect(await (await fetch(`${worker.url}/healthz`)).json()).toEqual({ status: 'ok' })
  })

  test('three workers whose clocks are minutes apart send everything once', async () => {
    const { connect, tell, serve, said } = await openInstallation(() => sleep(Math.random() * 50))
    await Promise.all([
      serve('web'),
      serve('worker', skewedBy(FIVE_MINUTES_MS)),
      serve('worker', skewedBy(-FIVE_MINUTES_MS)),
      serve('worker'),
    ])
    const bodies: string[] = []
    for (let person = 0; person < 20; person++) {
      const id = await connect()
      for (let n = 0; n < 10; n++) {
        bodies.push(`${person} ${n}`)
        await tell(id, `${person} ${n}`)
      }
    }
    await expect.poll(() => said().length, WITHIN).toBeGreaterThanOrEqual(bodies.length)
    // A repeated delivery would arrive now.
    await sleep(LONGER_THAN_A_LOOK_MS)
    expect(said().toSorted()).toEqual(bodies.toSorted())
  })

  test('another worker takes over within a minute from one that was killed', async () => {
    let isStuck = true
    const { db, url, connect, tell, serve, said } = await openInstallation(async () => {
      while (isStuck) await sleep(20)
    })
    const first = await serve('worker')
    await expect.poll(() => findDuty(url), WITHIN).toHaveLength(1)
    const [duty] = await findDuty(url)
    await tell(await connect(), 'hello')
    await expect.poll(said, WITHIN).toEqual(['hello'])
    const second = await serve('worker', skewedBy(FIVE_MINUTES_MS))
    expect(await findDuty(url)).toEqual([duty])
    first.kill('SIGKILL')
    await first.ended
    isStuck = false
    const others = async () => (await findDuty(url)).filter(({ pid }) => pid !== duty?.pid)
    await expect.poll(others, WITHIN).toHaveLength(1)
    const [claimed] = await db.selectFrom('alert_channels').select('rests_until').execute()
    const left = Date.parse(claimed?.rests_until ?? '') - Date.now()
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThan(LONGEST_CLAIM_SECONDS * 1_000)
    // Ends the claim of the killed one.
    await db.updateTable('alert_channels').set({ rests_until: null }).execute()
    await expect.poll(said, WITHIN).toEqual(['hello', 'hello'])
    expect(second.output()).not.toContain('"level":50')
  })
})

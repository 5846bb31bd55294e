import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { watchReadiness } from '#actions/operations/readiness.ts'
import type { Db } from '#db/client.ts'
import { SCHEMA_VERSION } from '#db/schema-version.ts'
import { inTransaction } from '#db/transaction.ts'
import { createFinderApp } from '#routes/scan/_finder-app.ts'
import { openTestApp, type TestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { isOnPostgres } from '#tests/support/postgres.ts'
import { takeStorageAway } from '#tests/support/storage.ts'

const TOKEN = 'a-token-of-monitoring'
/** Only of PostgreSQL, and only from the second scrape on. */
const POOLS = ['connections', 'max_connections', 'waiting'].map(
  (what) => `driveqr_database_pool_${what}`,
)
const LAGS = ['p50', 'p99', 'max'].map((what) => `nodejs_eventloop_lag_${what}_seconds`)
const STRANGER = { peer: '203.0.113.9', headers: { Host: 'keys.example.in' } }

async function setVersion(db: Db, version: number): Promise<void> {
  const change = isOnPostgres()
    ? sql`update schema_version set version = ${version}`
    : sql`pragma user_version = ${sql.lit(version)}`
  await change.execute(db)
}

describe('/readyz', () => {
  const ready = async ({ ask }: TestApp, from = {}) => {
    const answer = await ask('GET', '/readyz', from)
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    return [answer.status, await answer.json()]
  }
  const unavailable = (...failing: string[]) => [503, { status: 'unavailable', failing }]

  test('is 200 while database and storage answer, for everybody, and says nothing else', async () => {
    const app = await openTestApp()
    expect(await ready(app)).toEqual([200, { status: 'ok' }])
    expect(await ready(app, STRANGER)).toEqual([200, { status: 'ok' }])
  })

  test('is 503 while the storage fails, and 200 as soon as it is back', async () => {
    const app = await openTestApp()
    const bringBack = takeStorageAway(app.dataDir)
    expect(await ready(app)).toEqual(unavailable('storage'))
    bringBack()
    expect(await ready(app)).toEqual([200, { status: 'ok' }])
  })

  test('is 503 while the database fails, and the log has the cause once', async () => {
    const app = await openTestApp()
    app.deps.readiness = watchReadiness({
      ...app.deps,
      readVersion: () => Promise.reject(new Error('the disk is gone')),
    })
    expect(await ready(app)).toEqual(unavailable('database'))
    expect(await ready(app)).toEqual(unavailable('database'))
    const logged = app.logged.filter((line) => line.includes('not ready'))
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([
      { failing: ['database'], causes: ['the disk is gone'] },
    ])
  })

  test('is 503 on an older schema, and 200 on that of a newer program', async () => {
    const app = await openTestApp()
    onTestFinished(() => setVersion(app.db, SCHEMA_VERSION))
    await setVersion(app.db, SCHEMA_VERSION - 1)
    expect(await ready(app)).toEqual(unavailable('migrations'))
    await setVersion(app.db, SCHEMA_VERSION + 1)
    expect(await ready(app)).toEqual([200, { status: 'ok' }])
  })

  test('is 503 of a server that leaves, which waits for proxies only if one has asked', async () => {
    const app = await openTestApp()
    const readVersion = async () => SCHEMA_VERSION
    app.deps.readiness = watchReadiness({ ...app.deps, readVersion })
    expect(app.deps.readiness.leave()).toBe(false)
    expect(await ready(app)).toEqual([503, { status: 'leaving' }])
    expect(app.deps.readiness.leave()).toBe(true)
  })

  test('answers within two seconds, and asks what hangs only once', async () => {
    let asked = 0
    const hangs = () => {
      asked++
      return new Promise<never>(() => {})
    }
    const files = { probe: hangs }
    const log = pino({ level: 'silent' })
    const readiness = watchReadiness({ readVersion: hangs, files, log })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const looks = Promise.all([readiness.findFailing(), readiness.findFailing()])
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await looks).toEqual([
      ['database', 'storage'],
      ['database', 'storage'],
    ])
    const third = readiness.findFailing()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await third).toEqual(['database', 'storage'])
    expect(asked).toBe(2)
  })

  test.runIf(isOnPostgres())('is 503 while the database keeps it waiting', async () => {
    const app = await openTestApp()
    const startedAt = performance.now()
    await inTransaction(app.db, async (trx) => {
      await sql`lock table schema_version in access exclusive mode`.execute(trx)
      expect(await ready(app)).toEqual(unavailable('database'))
      expect(performance.now() - startedAt).toBeLessThan(5_000)
    })
    // A request that waited for the lock may not have ended yet.
    await expect.poll(() => ready(app)).toEqual([200, { status: 'ok' }])
  })
})

const read = async ({ ask }: TestApp, from = {}) => {
  const answer = await ask('GET', '/metrics', from)
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}

describe('/metrics', () => {
  test.each([
    ['a stranger', STRANGER],
    ['a neighbour', { peer: '192.168.1.30' }],
    ['a wrong token', { ...STRANGER, headers: { Authorization: `Bearer ${TOKEN}x` } }],
    ['a token without its word', { ...STRANGER, headers: { Authorization: TOKEN } }],
    [
      'somebody behind a proxy on this machine',
      { headers: { 'X-Forwarded-For': '203.0.113.9', Host: 'localhost' } },
    ],
    [
      'somebody who claims to be here',
      { ...STRANGER, headers: { 'X-Forwarded-For': '127.0.0.1' } },
    ],
  ])('is not there for %s', async (_, from) => {
    for (const TRUST_PROXY of ['0', '1']) {
      const app = await openTestApp({ env: { METRICS_TOKEN: TOKEN, TRUST_PROXY } })
      const { status, text } = await read(app, from)
      expect([status, text]).toEqual([404, 'Not found'])
    }
  })

  test('is not there for others without METRICS_TOKEN, with any token', async () => {
    const app = await openTestApp()
    for (const Authorization of ['Bearer undefined', 'Bearer ', `Bearer ${TOKEN}`]) {
      expect((await read(app, { ...STRANGER, headers: { Authorization } })).status).toBe(404)
    }
  })

  test('is there for this machine, and for the token from everywhere', async () => {
    const app = await openTestApp({ env: { METRICS_TOKEN: TOKEN, TRUST_PROXY: '1' } })
    const here = await read(app)
    expect(here.status).toBe(200)
    expect(here.headers.get('Content-Type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(here.headers.get('Cache-Control')).toBe('no-store')
    const headers = { Authorization: `Bearer ${TOKEN}`, 'X-Forwarded-For': '203.0.113.9' }
    expect((await read(app, { ...STRANGER, headers })).status).toBe(200)
  })

  test('counts requests by template, also refused ones, and unknown paths as one', async () => {
    const app = await openTestApp()
    const { qr_id } = await insertCode(app.db, (await app.signUp()).id)
    await app.ask('GET', `/scan/${qr_id}`)
    await app.ask('GET', '/api/qr/my-qrs')
    await app.ask('POST', '/api/auth/login', { body: 'x'.repeat(70_000) })
    await app.ask('GET', '/api/auth/login')
    for (const path of ['/nowhere', '/.env', '/api/nothing', `/wp/${qr_id}`]) {
      await app.ask('GET', path)
    }
    await app.ask('GET', '/assets/nothing.js')
    const { text } = await read(app)
    for (const series of [
      '{route="/scan/:qr_id",status="200"} 1',
      '{route="/api/qr/my-qrs",status="401"} 1',
      '{route="/api/auth/login",status="413"} 1',
      '{route="unmatched",status="302"} 3',
      '{route="unmatched",status="404"} 1',
      '{route="unmatched",status="405"} 1',
      '{route="/assets/*",status="404"} 1',
    ]) {
      expect(text).toContain(`\ndriveqr_requests_total${series}\n`)
      expect(text).toContain(`\nrequests_total${series}\n`)
    }
    expect(text).toContain('driveqr_request_duration_seconds_count{route="/scan/:qr_id"} 1\n')
    expect(text).not.toContain(qr_id)
  })

  test('counts scans that are on the disk, also those of the finder’s application', async () => {
    const app = await openTestApp()
    const { qr_id } = await insertCode(app.db, (await app.signUp()).id)
    const finder = createFinderApp(app.deps)
    const scan = () => finder.request(`/scan/${qr_id}`, { headers: { Host: 'localhost' } })
    await Promise.all(Array.from({ length: 7 }, scan))
    await app.ask('GET', `/scan/${qr_id}`)
    const { text } = await read(app)
    expect(text).toContain('\nscans_committed_total 8\n')
    expect(text).toContain('\ndriveqr_scans_committed_total 8\n')
    expect(text).toContain('\ndriveqr_scan_commit_scans_sum 8\n')
    expect(text).toContain('\ndriveqr_scans_failed_total 0\n')
    expect(text).toContain('\ndriveqr_requests_total{route="/scan/:qr_id",status="200"} 8\n')
  })

  test('counts a scan that is not on the disk as failed', async () => {
    const app = await openTestApp()
    const { qr_id } = await insertCode(app.db, (await app.signUp()).id)
    app.deps.scanPath.record = () => Promise.reject(new Error('the disk is gone'))
    expect((await app.ask('GET', `/scan/${qr_id}`)).status).toBe(200)
    const { text } = await read(app)
    expect(text).toContain('\ndriveqr_scans_failed_total 1\n')
    expect(text).toContain('\ndriveqr_scans_committed_total 0\n')
  })

  test('tells how many mails wait, and for how long', async () => {
    const app = await openTestApp({ env: { SMTP_URL: 'smtp://127.0.0.1:25' } })
    const { outbox, clock } = app.deps
    await app.sender.stop()
    const mail = { to: 'asha@example.in', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' }
    const later = new Date(clock().getTime() + 3_600_000).toISOString()
    await inTransaction(app.db, (trx) => outbox.put(trx, mail))
    await inTransaction(app.db, (trx) => outbox.put(trx, { ...mail, dueAt: later }))
    app.advance(90)
    const { text } = await read(app)
    expect(text).toContain('\ndriveqr_outbox_waiting{channel="email"} 2\n')
    expect(text).toContain('\ndriveqr_outbox_waiting{channel="webhook"} 0\n')
    expect(text).toContain('\ndriveqr_outbox_oldest_age_seconds{channel="email"} 90\n')
  })

  test('answers while database and storage fail, and says which', async () => {
    const app = await openTestApp()
    takeStorageAway(app.dataDir)
    const { status, text } = await read(app)
    expect(status).toBe(200)
    expect(text).toContain('\ndriveqr_ready{part="storage"} 0\n')
    expect(text).toContain('\ndriveqr_ready{part="database"} 1\n')
    await app.db.destroy()
    const down = await read(app)
    expect([down.status, down.text.includes('driveqr_outbox_waiting')]).toEqual([200, false])
    expect(down.text).toContain('\ndriveqr_requests_total{')
  })

  test('tells of streams, process and release, and of pools where there are any', async () => {
    const app = await openTestApp()
    await read(app)
    const { text } = await read(app)
    const engine = isOnPostgres() ? 'postgres' : 'sqlite'
    expect(text).toMatch(
      new RegExp(`\ndriveqr_build_info{version=".+",node="v.+",engine="${engine}"} 1\n`),
    )
    expect(text).toContain('\ndriveqr_open_streams 0\n')
    for (const name of ['process_cpu_seconds_total', 'process_resident_memory_bytes']) {
      expect(text).toMatch(new RegExp(`\n${name} [\\d.e+]+\n`))
    }
    expect(text).toMatch(/\nnodejs_eventloop_lag_p99_seconds [\d.e-]+\n/)
    expect(text.includes('driveqr_database_pool_waiting{pool="scans"} 0')).toBe(isOnPostgres())
  })

  test('has everything that the dashboard, the alerts and the manual name', async () => {
    const { text } = await read(await openTestApp())
    const exposed = new Set(Array.from(text.matchAll(/^# TYPE (\S+)/gm), ([, name]) => name))
    for (const name of POOLS) exposed.add(name)
    for (const name of LAGS) exposed.add(name)
    const asking = ['dashboard.json', 'alerts.yml'].map((file) =>
      readFileSync(`deploy/monitoring/${file}`, 'utf8'),
    )
    asking.push(readFileSync('docs/monitoring.md', 'utf8'))
    for (const each of asking) {
      const asked = each.matchAll(/\b(?:driveqr|process|nodejs)_[a-z0-9_]+/g)
      const names = Array.from(asked, ([name]) => name.replace(/_(?:bucket|sum|count)$/, ''))
      expect(names.length).toBeGreaterThan(5)
      expect(names.filter((name) => !exposed.has(name))).toEqual([])
    }
  })

  test('has each name once, and in the form of the conventions', async () => {
    const { text } = await read(await openTestApp())
    const names = [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)]
    expect(names.length).toBeGreaterThan(15)
    expect(new Set(names.map(([, name]) => name)).size).toBe(names.length)
    for (const [, name = '', type] of names) {
      expect(name).toMatch(
        /^(?:driveqr|process|nodejs)_[a-z0-9_]+$|^(?:requests|scans_committed)_total$/,
      )
      expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter'])
    }
  })
})

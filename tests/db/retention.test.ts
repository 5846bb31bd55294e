import { expect, test, vi } from 'vitest'
import { openRecentLog } from '#actions/operations/recent-log.ts'
import { sweepTables } from '#actions/retention.ts'
import { COMMAND_LINE, recordAct } from '#db/admin/audit-events.ts'
import { countOwnerScans, listOwnerScansPerDay } from '#db/scans/scan-days.ts'
import { findScanAnalytics } from '#db/scans/scans.ts'
import { keepSweeping } from '#server/after-start.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { RACERS } from '#tests/support/races.ts'

const DAY_MS = 86_400_000
const SETTINGS = {
  RETENTION_SCANS_DAYS: '400',
  RETENTION_VIEWS_DAYS: '10',
  RETENTION_AUDIT_DAYS: '20',
}

async function openAged(env: Record<string, string> = SETTINGS) {
  const app = await openTestApp({ env })
  const owner = await app.signUp()
  const { qr_id } = await insertCode(app.db, owner.id)
  const now = app.deps.clock().getTime()
  const ago = (days: number, ms = 0) => new Date(now - days * DAY_MS + ms)
  /** Scans of the code, each in a millisecond of its own. */
  async function scan(days: number, count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      vi.setSystemTime(ago(days, n))
      await app.deps.scanPath.record({ qr_id, device: 'phone', referrer: 'direct' })
    }
    vi.setSystemTime(now)
  }
  const totals = async () => ({
    owner: await countOwnerScans(app.db, owner.id),
    code: (await findScanAnalytics(app.db, owner, qr_id, 1))?.total_scans,
  })
  const times = async () => (await app.db.selectFrom('scans').select('n').execute()).length
  return { ...app, owner, qr_id, ago, scan, totals, times }
}

test('scans lose their times after so many days, and no total shrinks', async () => {
  const { db, deps, owner, scan, totals, times } = await openAged()
  await scan(401, 3)
  await scan(399, 2)
  await sweepTables(deps)
  expect(await times()).toBe(2)
  expect(await totals()).toEqual({ owner: 5, code: 5 })
  const span = { days: 402, now: deps.clock(), timezone: deps.config.timezone }
  const perDay = await listOwnerScansPerDay(db, owner.id, span)
  expect(perDay.reduce((sum, { scans }) => sum + scans, 0)).toBe(2)
})

test('more scans than go in one step all go, in this order of time', async () => {
  const { db, deps, qr_id, ago, scan, totals, times } = await openAged()
  const old = ago(500).toISOString()
  const rows = Array.from({ length: 1_203 }, (_, n) => ({
    qr_id,
    scanned_at: n < 700 ? old : ago(450, n).toISOString(),
    n,
    device: 'phone' as const,
    referrer: 'direct' as const,
  }))
  for (let at = 0; at < rows.length; at += 100) {
    await db
      .insertInto('scans')
      .values(rows.slice(at, at + 100))
      .execute()
  }
  await scan(1, 1)
  await sweepTables(deps)
  expect(await times()).toBe(1)
  expect((await totals()).code).toBe(1_204)
})

test('scans while a code was lost stay counted for that time', async () => {
  const { db, deps, owner, qr_id, ago, scan } = await openAged()
  await scan(411, 1)
  const lost = { since: ago(410).toISOString(), until: ago(404).toISOString() }
  await db
    .insertInto('lost_periods')
    .values({ qr_id, ...lost })
    .execute()
  await scan(405, 2)
  await scan(403, 4)
  await sweepTables(deps)
  const analytics = await findScanAnalytics(db, owner, qr_id, 1)
  expect(analytics).toMatchObject({ total_scans: 7, lost_periods: [{ total_scans: 2 }] })
})

test('a held code’s earlier scans are not its issuer’s', async () => {
  const { db, deps, qr_id, scan, totals } = await openAged()
  await scan(401, 3)
  const held = { claimed_at: deps.clock().toISOString() }
  await db.updateTable('qr_codes').set(held).where('qr_id', '=', qr_id).execute()
  const owner = async () => countOwnerScans(db, (await ownerOf()) ?? '')
  const ownerOf = async () =>
    (await db.selectFrom('qr_codes').select('owner_id').executeTakeFirst())?.owner_id
  expect(await owner()).toBe(0)
  await sweepTables(deps)
  expect(await owner()).toBe(0)
  await db.updateTable('qr_codes').set({ claimed_at: null }).execute()
  expect(await totals()).toEqual({ owner: 3, code: 3 })
})

test('views and the audit log go after their days', async () => {
  const { db, deps, qr_id, ago } = await openAged()
  for (const days of [11, 9]) {
    const viewed_at = ago(days).toISOString()
    await db
      .insertInto('document_views')
      .values({ id: `v${days}`, qr_id, viewed_at })
      .execute()
  }
  const act = { ...COMMAND_LINE, action: 'a', subject_type: 's', subject_id: null }
  for (const days of [21, 19]) await recordAct(db, act, ago(days))
  await sweepTables(deps)
  expect(await db.selectFrom('document_views').select('id').execute()).toEqual([{ id: 'v9' }])
  expect(await db.selectFrom('audit_events').select('happened_at').execute()).toEqual([
    { happened_at: ago(19).toISOString() },
  ])
})

test('wrong guesses go after half a year', async () => {
  const { db, deps, ago } = await openAged()
  const guess = {
    contact_hash: 'c',
    source_hash: 's',
    kind: 'code',
    is_known_device: 0,
    in_row: 1,
  } as const
  for (const days of [181, 179]) {
    const guessed_at = ago(days).toISOString()
    await db
      .insertInto('wrong_guesses')
      .values({ ...guess, guessed_at })
      .execute()
  }
  await sweepTables(deps)
  expect(await db.selectFrom('wrong_guesses').select('guessed_at').execute()).toEqual([
    { guessed_at: ago(179).toISOString() },
  ])
})

test('rows that cannot be swept do not stop the sweep of others', async () => {
  const { db, deps, ago, logged } = await openAged()
  await recordAct(
    db,
    { ...COMMAND_LINE, action: 'a', subject_type: 's', subject_id: null },
    ago(21),
  )
  let calls = 0
  // After the look for a leap conversations come first.
  const clock = () => {
    if (calls++ === 1) throw new Error('no time')
    return deps.clock()
  }
  const stop = keepSweeping({ ...deps, clock })
  await expect.poll(() => db.selectFrom('audit_events').select('id').execute()).toEqual([])
  await stop()
  expect(logged.join()).toContain('what is old could not be swept')
})

test('sessions that have ended go, and no others', async () => {
  const { db, deps, owner, ago, signUp } = await openAged()
  const ended = { expires_at: ago(0).toISOString() }
  await db.updateTable('sessions').set(ended).where('account_id', '=', owner.id).execute()
  const { id: other } = await signUp()
  const stop = keepSweeping(deps)
  const left = () => db.selectFrom('sessions').select('account_id').execute()
  await expect.poll(left).toEqual([{ account_id: other }])
  await stop()
})

test('a leap of the clock by years deletes nothing at first, at a start and later, but after six hours', async () => {
  const { db, deps, ago, advance, logged } = await openAged()
  const now = deps.clock()
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now })
  const act = { ...COMMAND_LINE, action: 'a', subject_type: 's', subject_id: null }
  const left = async () => (await db.selectFrom('audit_events').select('id').execute()).length
  const waited = () => logged.filter((line) => line.includes('the clock is years after')).length
  const years = 2 * 366 * 86_400
  await recordAct(db, act, ago(21))
  const stop = keepSweeping(deps)
  await expect.poll(left).toBe(0)
  await recordAct(db, act, ago(0))
  advance(years)
  vi.advanceTimersByTime(6 * 3_600_000)
  await expect.poll(waited).toBe(1)
  await stop()
  const stopAgain = keepSweeping(deps)
  await expect.poll(waited).toBe(2)
  expect(await left()).toBe(1)
  vi.advanceTimersByTime(6 * 3_600_000)
  await expect.poll(left).toBe(0)
  await stopAgain()
})

test('0 keeps everything', async () => {
  const env = { RETENTION_SCANS_DAYS: '0', RETENTION_VIEWS_DAYS: '0', RETENTION_AUDIT_DAYS: '0' }
  const { db, deps, qr_id, ago, scan, times } = await openAged(env)
  await scan(5_000, 1)
  const viewed_at = ago(5_000).toISOString()
  await db.insertInto('document_views').values({ id: 'v', qr_id, viewed_at }).execute()
  const act = { ...COMMAND_LINE, action: 'a', subject_type: 's', subject_id: null }
  await recordAct(db, act, ago(5_000))
  await sweepTables(deps)
  expect(await times()).toBe(1)
  for (const table of ['document_views', 'audit_events'] as const) {
    expect(await db.selectFrom(table).select('id').execute()).toHaveLength(1)
  }
})

test('a stop ends it, and the next run goes on', async () => {
  const { deps, scan, totals, times } = await openAged()
  await scan(401, 3)
  await sweepTables(deps, AbortSignal.abort())
  expect(await times()).toBe(3)
  await sweepTables(deps)
  expect(await times()).toBe(0)
  expect(await totals()).toEqual({ owner: 3, code: 3 })
})

test('several servers at once, and scans meanwhile, are counted once', async () => {
  const { deps, scan, totals } = await openAged()
  await scan(401, 20)
  const scanning = Array.from({ length: RACERS }, () => scan(0, 1))
  await Promise.all([...[1, 2, 3, 4].map(() => sweepTables(deps)), ...scanning])
  expect(await totals()).toEqual({ owner: 40, code: 40 })
})

test('the log that a super admin reads has no line that is too old', () => {
  let now = new Date('2026-11-20T10:00:00.000Z')
  const nowhere = { write: () => {} }
  const read = (days: number) => {
    const log = openRecentLog(nowhere, { days, clock: () => now })
    log.write('first\n')
    now = new Date(now.getTime() + 365 * DAY_MS)
    log.write('second\n')
    return log.read()
  }
  expect(read(365)).toBe('second\n')
  expect(read(0)).toBe('first\nsecond\n')
})

test('the log that a super admin reads has the last 2,000 lines, however many there were', () => {
  const clock = () => new Date('2026-11-20T10:00:00.000Z')
  for (const count of [3_999, 4_000, 4_001, 9_500]) {
    const log = openRecentLog({ write: () => {} }, { days: 0, clock })
    for (let n = 1; n <= count; n++) log.write(`${n}\n`)
    const lines = log.read().trimEnd().split('\n')
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([
      2_000,
      String(count - 1_999),
      String(count),
    ])
  }
})

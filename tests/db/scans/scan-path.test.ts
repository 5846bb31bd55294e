import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { insertAccount } from '#db/accounts/accounts.ts'
import type { NewScan } from '#db/scans/scan-path.ts'
import { openDatabase } from '#db/sqlite/database.ts'
import { openScanPath } from '#db/sqlite/scan-path.ts'
import { openTurns, type Turns } from '#db/sqlite/turns.ts'
import { insertCode } from '#tests/support/codes.ts'

const byPhone = { device: 'phone', referrer: 'direct' } as const

/** Replaces a flush, which would happen at once. */
const disk = vi.hoisted(() => ({ flush: undefined as ((go: () => void) => void) | undefined }))
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  const fdatasync: typeof fs.fdatasync = Object.assign(
    (log: number, done: (error: NodeJS.ErrnoException | null) => void) => {
      const go = () => fs.fdatasync(log, done)
      if (disk.flush) disk.flush(go)
      else go()
    },
    { __promisify__: fs.fdatasync.__promisify__ },
  )
  return { ...fs, fdatasync }
})

const opened: (() => Promise<void>)[] = []
afterEach(async () => {
  disk.flush = undefined
  for (const close of opened.splice(0)) await close()
})

async function openScans() {
  const dataDir = mkdtempSync(join(tmpdir(), 'driveqr-scans-'))
  const database = await openDatabase(dataDir)
  let now = new Date('2026-11-20T10:00:00.000Z')
  const { db, file } = database
  const owner = { name: 'Asha', email: 'asha@example.in', password_hash: null }
  const { qr_id } = await insertCode(db, (await insertAccount(db, owner, now)).id)
  const openAnother = (turns?: Turns) => openScanPath(file, () => now, undefined, turns)
  const scanPath = openAnother()
  const other = new Sqlite(file)
  opened.push(async () => {
    await scanPath.close()
    other.close()
    database.connection.close()
    rmSync(dataDir, { recursive: true })
  })
  const scan: NewScan = { qr_id, ...byPhone }
  /** A process of its own; `acknowledged` tells how many scans it was told are on the disk. */
  const startWriter = (count: number) => {
    const args = ['tests/support/scan-writer.ts', file, qr_id, String(count)]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let acknowledged = 0
    child.stdout.on('data', (dots: Buffer) => {
      acknowledged += dots.length
    })
    return { child, ended: once(child, 'close'), acknowledged: () => acknowledged }
  }
  return {
    scanPath,
    dataDir,
    file,
    startWriter,
    openAnother,
    other,
    scan,
    countRows: () => other.prepare('select count(*) from scans').pluck().get(),
    countSum: () => other.prepare('select sum(scans) from scan_quarters').pluck().get(),
    advance: (seconds: number) => {
      now = new Date(now.getTime() + seconds * 1000)
    },
  }
}

/** A machine with other work is late at times. */
const PATIENCE = { timeout: 15_000, interval: 5 }

const WAL_HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const PAGE_BYTES = 4096

/** The last frame of each transaction, and no other, says in its header how large the database is. */
function countCommits(file: string): number {
  const wal = readFileSync(`${file}-wal`)
  let commits = 0
  for (let at = WAL_HEADER_BYTES; at < wal.length; at += FRAME_HEADER_BYTES + PAGE_BYTES) {
    if (wal.readUInt32BE(at + 4) > 0) commits++
  }
  return commits
}

describe('a recorded scan', () => {
  test('is a row, and one more for its quarter of an hour', async () => {
    const { scanPath, other, scan, advance } = await openScans()
    await scanPath.record(scan)
    advance(9 * 3600)
    await scanPath.record(scan)
    expect(other.prepare('select scanned_at, device, referrer from scans').all()).toEqual([
      { scanned_at: '2026-11-20T10:00:00.000Z', ...byPhone },
      { scanned_at: '2026-11-20T19:00:00.000Z', ...byPhone },
    ])
    expect(other.prepare('select quarter, scans from scan_quarters').all()).toEqual([
      { quarter: '2026-11-20T10:00', scans: 1 },
      { quarter: '2026-11-20T19:00', scans: 1 },
    ])
  })

  test('is never lost among 200 of the same moment', async () => {
    const { scanPath, scan, countRows, countSum } = await openScans()
    await Promise.all(Array.from({ length: 200 }, () => scanPath.record(scan)))
    expect(countRows()).toBe(200)
    expect(countSum()).toBe(200)
  })

  test('shares one commit with the scans that arrived with it', async () => {
    const { scanPath, file, scan, countRows } = await openScans()
    const before = countCommits(file)
    await Promise.all(Array.from({ length: 10 }, () => scanPath.record(scan)))
    expect(countRows()).toBe(10)
    expect(countCommits(file) - before).toBe(1)
    await scanPath.record(scan)
    expect(countCommits(file) - before).toBe(2)
  })

  test('is acknowledged when it is flushed, together with those that came meanwhile', async () => {
    const { scanPath, file, scan, countRows } = await openScans()
    const before = countCommits(file)
    const flushes: (() => void)[] = []
    disk.flush = (go) => flushes.push(go)
    let acknowledged = 0
    const record = () => scanPath.record(scan).then(() => acknowledged++)
    const first = record()
    await vi.waitUntil(() => flushes.length === 1, PATIENCE)
    const others = Array.from({ length: 10 }, record)
    await sleep(20)
    expect(countRows()).toBe(1)
    expect(acknowledged).toBe(0)
    flushes.shift()?.()
    await first
    await vi.waitUntil(() => flushes.length === 1, PATIENCE)
    expect(countRows()).toBe(11)
    expect(acknowledged).toBe(1)
    flushes.shift()?.()
    await Promise.all(others)
    expect(countCommits(file) - before).toBe(2)
  })

  test('of a code that was deleted meanwhile takes no other scan with it', async () => {
    const { scanPath, scan, countRows, countSum } = await openScans()
    const gone = { ...scan, qr_id: '000000000000' }
    const outcomes = await Promise.allSettled([scan, gone, scan].map(scanPath.record))
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(countRows()).toBe(2)
    expect(countSum()).toBe(2)
  })
})

describe('when the disk refuses', () => {
  test('all scans of the batch fail, none is half written, and later ones work again', async () => {
    const { scanPath, other, scan, countRows, countSum } = await openScans()
    other.exec(`create trigger full before insert on scan_quarters
      begin select raise(abort, 'disk is full'); end`)
    const outcomes = await Promise.allSettled([scan, scan, scan].map(scanPath.record))
    expect(outcomes.map((one) => 'reason' in one && one.reason.message)).toEqual(
      Array(3).fill('disk is full'),
    )
    expect(countRows()).toBe(0)
    other.exec('drop trigger full')
    await scanPath.record(scan)
    expect(countRows()).toBe(1)
    expect(countSum()).toBe(1)
  })

  test('a scan whose flush fails is not acknowledged, and later ones work again', async () => {
    const { scanPath, scan } = await openScans()
    disk.flush = () => {
      throw new Error('input/output error')
    }
    await expect(scanPath.record(scan)).rejects.toThrow('input/output error')
    disk.flush = undefined
    await scanPath.record(scan)
  })
})

describe('while another program writes', () => {
  test('scans wait their turn and none is lost', async () => {
    const { scanPath, other, scan, countRows } = await openScans()
    other.exec('begin immediate')
    const startedAt = performance.now()
    const recorded = Promise.all(Array.from({ length: 20 }, () => scanPath.record(scan)))
    await sleep(300)
    other.exec('rollback')
    await recorded
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(295)
    expect(countRows()).toBe(20)
  })

  test('the thread stays free for other pages', async () => {
    const { scanPath, other, scan } = await openScans()
    other.exec('begin immediate')
    let isWaiting = true
    const recorded = scanPath.record(scan).finally(() => {
      isWaiting = false
    })
    // Were it the thread that waits, hardly a turn would come before the scan is given up.
    for (let turns = 0; turns < 60; turns++) await sleep(5)
    expect(isWaiting).toBe(true)
    other.exec('rollback')
    await recorded
  })

  test('a scan is given up after three seconds, and the next one is recorded', {
    tags: 'slow',
  }, async () => {
    const { scanPath, other, scan, countRows } = await openScans()
    other.exec('begin immediate')
    const startedAt = performance.now()
    await expect(scanPath.record(scan)).rejects.toThrow(/locked/)
    expect(performance.now() - startedAt).toBeLessThan(3_500)
    other.exec('rollback')
    await scanPath.record(scan)
    expect(countRows()).toBe(1)
  })

  test('two scan paths on one file lose nothing', async () => {
    const { scanPath, openAnother, scan, countRows, countSum } = await openScans()
    const second = openAnother()
    const paths = [scanPath, second]
    await Promise.all(Array.from({ length: 200 }, (_, i) => paths[i % 2]?.record(scan)))
    await second.close()
    expect(countRows()).toBe(200)
    expect(countSum()).toBe(200)
  })
})

describe('beside a thread of its server that has the database', () => {
  const HELD_MS = 3
  /** The thread can let go before the scan waits for it. */
  const TRIES = 30

  /** Whether a scan that found the database taken was woken by the thread that had it. */
  async function isWoken(): Promise<boolean> {
    const { openAnother, dataDir, scan, countRows } = await openScans()
    const turns = openTurns()
    const wait = vi.fn(turns.wait)
    const scanPath = openAnother({ ...turns, wait })
    const workerData = { dataDir, shared: turns.shared }
    const thread = new Worker('./tests/support/database-locker.ts', { workerData })
    opened.push(async () => void (await thread.terminate()))
    await once(thread, 'message')
    thread.postMessage(HELD_MS)
    await once(thread, 'message')
    await scanPath.record(scan)
    expect(countRows()).toBe(1)
    await scanPath.close()
    return wait.mock.results.some(({ value }) => value === true)
  }

  test('a scan sleeps until the database is let go, and leaves the processor to the thread', {
    tags: 'slow',
  }, async () => {
    let tries = 1
    while (tries < TRIES && !(await isWoken())) tries++
    expect(tries).toBeLessThan(TRIES)
  })
})

describe('beside other processes', () => {
  test('two that write at once lose nothing', { tags: 'slow' }, async () => {
    const { scanPath, scan, startWriter, countRows, countSum } = await openScans()
    const writer = startWriter(150)
    await once(writer.child.stdout, 'data')
    for (let i = 0; i < 150; i++) await scanPath.record(scan)
    await writer.ended
    expect(writer.acknowledged()).toBe(150)
    expect(countRows()).toBe(300)
    expect(countSum()).toBe(300)
  })

  test('scans that were acknowledged before a kill -9 are stored', { tags: 'slow' }, async () => {
    const { startWriter, countRows, countSum } = await openScans()
    const writer = startWriter(1_000_000)
    while (writer.acknowledged() < 50) await sleep(1)
    writer.child.kill('SIGKILL')
    await writer.ended
    expect(countRows()).toBeGreaterThanOrEqual(writer.acknowledged())
    expect(countSum()).toBe(countRows())
  })
})

describe('closing', () => {
  test('writes what is waiting', async () => {
    const { openAnother, scan, countRows } = await openScans()
    const second = openAnother()
    const recorded = second.record(scan)
    await second.close()
    await recorded
    expect(countRows()).toBe(1)
  })

  test('leaves nothing that would run later', async () => {
    const { openAnother, scan, countRows } = await openScans()
    const second = openAnother()
    await second.record(scan)
    const recorded = second.record(scan)
    await second.close()
    await recorded
    await sleep(20)
    expect(countRows()).toBe(2)
  })
})

import type Sqlite from 'better-sqlite3'
import { toInstant } from '#db/cast.ts'
import type { QrCode, Scan } from '#db/schema.ts'
import { isBusy, openSqlite } from '#db/sqlite.ts'
import { toDayIn } from '#domain/time.ts'

/** A code with what its scan page needs to know beside the code's own fields. */
export type ScannedCode = QrCode & { popup_images: number; admin_messages: number }
export type NewScan = Pick<Scan, 'qr_id' | 'device' | 'referrer'>
export type ScanPath = ReturnType<typeof openScanPath>

type Waiting = { scan: NewScan; resolve: () => void; reject: (error: unknown) => void }

const LONGEST_BUSY_MS = 10_000

/**
 * The statements behind the scan page, prepared once on a connection of their own: a scan must
 * never become part of, and be rolled back with, somebody else's transaction.
 */
export function openScanPath(file: string, clock: () => Date, timezone: string) {
  const connection = openSqlite(file, 0)
  const findCode = connection.prepare<[string], ScannedCode>(`
    select qr_codes.*,
      (select count(*) from popup_images
        where account_id = qr_codes.owner_id and is_active = 1) as popup_images,
      (select count(*) from admin_messages where is_active = 1) as admin_messages
    from qr_codes where qr_id = ?`)
  const commit = prepareCommit(connection, clock, timezone)
  let waiting: Waiting[] = []
  let scheduled: NodeJS.Timeout | NodeJS.Immediate | undefined
  let restUntil = 0
  let busySince: number | undefined

  /**
   * Scans that arrive together are committed together, and the disk rests as long as its last
   * flush took: on an SD card, where a flush takes 50 ms of this thread, every other page still
   * gets its turn between two commits.
   */
  function schedule(): void {
    if (scheduled) return
    const rest = restUntil - performance.now()
    scheduled = rest > 0 ? setTimeout(flush, rest) : setImmediate(flush)
  }

  function flush(): void {
    scheduled = undefined
    const startedAt = performance.now()
    const batch = waiting
    try {
      commit(batch.map(({ scan }) => scan))
    } catch (error) {
      busySince ??= startedAt
      if (isBusy(error) && startedAt - busySince < LONGEST_BUSY_MS) {
        scheduled = setTimeout(flush, 5 + Math.random() * 20)
        return
      }
      finish(batch, ({ reject }) => reject(error))
      return
    }
    restUntil = performance.now() + (performance.now() - startedAt)
    finish(batch, ({ resolve }) => resolve())
  }

  function finish(batch: Waiting[], settle: (one: Waiting) => void): void {
    waiting = waiting.slice(batch.length)
    busySince = undefined
    batch.forEach(settle)
  }

  return {
    /** The code of a well-formed id, also when it is inactive. */
    find: (qrId: string): ScannedCode | undefined => findCode.get(qrId),
    /** Resolves when the scan is on the disk. */
    record(scan: NewScan): Promise<void> {
      return new Promise((resolve, reject) => {
        waiting.push({ scan, resolve, reject })
        schedule()
      })
    },
    close(): void {
      if (scheduled) flush()
      connection.close()
    },
  }
}

function prepareCommit(connection: Sqlite.Database, clock: () => Date, timezone: string) {
  const insert = connection.prepare(
    'insert into scans (qr_id, scanned_at, n, device, referrer) values (?, ?, ?, ?, ?)',
  )
  const count = connection.prepare(`
    insert into scan_days (day, scans) values (?, ?)
    on conflict (day) do update set scans = scans + excluded.scans`)
  let n = Math.floor(Math.random() * 2 ** 31)
  return connection.transaction((scans: NewScan[]) => {
    const now = clock()
    const scannedAt = toInstant(now)
    for (const { qr_id, device, referrer } of scans) {
      n = (n + 1) % 2 ** 31
      insert.run(qr_id, scannedAt, n, device, referrer)
    }
    count.run(toDayIn(timezone, now), scans.length)
  }).immediate
}

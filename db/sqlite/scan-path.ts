import type Sqlite from 'better-sqlite3'
import { BRAND_BY_HOST, BRAND_COLUMNS } from '#db/brands/resolve-brand.ts'
import { toInstant } from '#db/cast.ts'
import { type ActiveImage, createPopups, type MessageRow } from '#db/scans/popups.ts'
import {
  asReplaced,
  type BrandOwnerRow,
  LONGEST_BUSY_MS,
  type NewScan,
  type NoteCommit,
  type ScannedCode,
  SELECT_CODE,
  SELECT_MESSAGES,
  selectImages,
  settleScans,
  type WaitingScan,
} from '#db/scans/scan-path.ts'
import { openLog } from '#db/sqlite/flushed-log.ts'
import { prepareScanSums } from '#db/sqlite/scan-sums.ts'
import { isBusy, openSqlite } from '#db/sqlite/sqlite.ts'
import { openTurns, type Turns } from '#db/sqlite/turns.ts'

/**
 * A scan that found the database busy tries again in the next turn, because most transactions are short, and
 * another program that writes many of them leaves little time in between; later each millisecond, and after a
 * tenth of a second at random times.
 */
const AT_ONCE_MS = 10

/**
 * A bound value in a statement with joins. A bare `?` there makes SQLite plan the statement again
 * for each value, which takes ten times as long as the lookup.
 */
const VALUE = '(select ?)'

/**
 * Opens the database access of the scan page on a separate connection: a scan must not become part
 * of another transaction and be rolled back with it.
 */
export function openScanPath(
  file: string,
  clock: () => Date,
  noteCommit?: NoteCommit,
  turns = openTurns(),
) {
  const connection = openSqlite(file, 0)
  connection.pragma('synchronous = NORMAL')
  // A commit looks up the code and its owner itself.
  connection.pragma('foreign_keys = OFF')
  const queries = prepareQueries(connection)
  const commit = inTurn(prepareCommit(connection, clock), turns)
  return { ...queries, ...openWriter(connection, openLog(file), commit, noteCommit) }
}

/** Prepares the queries once, because that takes longer than a query. */
function prepareQueries(connection: Sqlite.Database) {
  const findCode = connection.prepare<[string], ScannedCode>(
    `${SELECT_CODE} where qr_codes.qr_id = ${VALUE}`,
  )
  const findReplaced = connection.prepare<[string], ScannedCode>(
    `${SELECT_CODE} where qr_codes.id = (select code_id from replaced_ids where qr_id = ${VALUE})`,
  )
  const findHost = connection.prepare<[string], BrandOwnerRow>(
    `select ${BRAND_COLUMNS} ${BRAND_BY_HOST} ${VALUE}`,
  )
  const findPrint = connection
    .prepare<[string, string], number>(
      'select 1 from domain_prints where account_id = ? and qr_id = ?',
    )
    .pluck()
  const listImages = connection.prepare<[string], ActiveImage>(selectImages('?'))
  const listMessages = connection.prepare<[], MessageRow>(SELECT_MESSAGES)
  return {
    find: (qrId: string): ScannedCode | undefined => findCode.get(qrId),
    findReplaced(qrId: string): ScannedCode | undefined {
      const code = findReplaced.get(qrId)
      return code && asReplaced(code, qrId)
    },
    findHost: (host: string): BrandOwnerRow | undefined => findHost.get(host),
    isPrinted: (qrId: string, accountId: string): boolean =>
      findPrint.get(accountId, qrId) !== undefined,
    ...createPopups({
      images: (ownerId) => listImages.all(ownerId),
      messages: () => listMessages.all(),
    }),
  }
}

type Commit = (scans: NewScan[]) => boolean[]

/**
 * Commits the scans that arrive together, and acknowledges them when they are on the disk.
 *
 * With `synchronous = NORMAL` a commit is written but not flushed. The flush of the write-ahead log
 * follows on another thread, and only then is a scan acknowledged. That is as durable as `FULL`, and
 * other pages are answered meanwhile: on an SD card a flush takes 50 ms.
 */
function openWriter(
  connection: Sqlite.Database,
  log: ReturnType<typeof openLog>,
  commit: Commit,
  noteCommit?: NoteCommit,
) {
  let waiting: WaitingScan[] = []
  let scheduled: (() => void) | undefined
  let flushing: Promise<void> | undefined
  let busySince: number | undefined

  /**
   * Scans that arrive together, or while others are flushed, are committed together. A turn more is waited,
   * because those who are answered after a flush send their next request a turn later.
   */
  function schedule(): void {
    if (scheduled || flushing) return
    scheduled = inNextTurn(() => {
      scheduled = inNextTurn(write)
    })
  }

  function write(): void {
    scheduled = undefined
    const startedAt = performance.now()
    busySince ??= startedAt
    try {
      const counted = commit(waiting.map(({ scan }) => scan))
      flushing = flush(take(), counted)
    } catch (error) {
      const waited = startedAt - busySince
      if (!isBusy(error) || waited >= LONGEST_BUSY_MS) {
        for (const { reject } of take()) reject(error)
      } else if (waited < AT_ONCE_MS) schedule()
      else scheduled = afterTime(waited < 100 ? 1 : 5 + Math.random() * 20, write)
    }
  }

  /** Never rejects: the scans of the batch do, if the disk refuses. */
  async function flush(batch: WaitingScan[], counted: boolean[]): Promise<void> {
    try {
      await log.flush()
      settleScans(batch, counted, noteCommit)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
    flushing = undefined
    if (waiting.length > 0) schedule()
  }

  function take(): WaitingScan[] {
    const batch = waiting
    waiting = []
    busySince = undefined
    return batch
  }

  return {
    record(scan: NewScan): Promise<void> {
      return new Promise((resolve, reject) => {
        waiting.push({ scan, resolve, reject })
        schedule()
      })
    },
    async close(): Promise<void> {
      await flushing
      scheduled?.()
      if (waiting.length > 0) {
        // The write blocks if the database is busy, because there is no later try.
        connection.pragma(`busy_timeout = ${LONGEST_BUSY_MS}`)
        busySince = -Infinity
        write()
        await flushing
      }
      connection.close()
      log.close()
    },
  }
}

/** Schedules work, and returns a function that cancels it. */
function inNextTurn(work: () => void): () => void {
  const immediate = setImmediate(work)
  return () => clearImmediate(immediate)
}

function afterTime(milliseconds: number, work: () => void): () => void {
  const timeout = setTimeout(work, milliseconds)
  return () => clearTimeout(timeout)
}

/** Repeats a commit after a thread of this server has given up the lock. */
function inTurn(commit: Commit, turns: Turns): Commit {
  return (scans) => {
    try {
      return commit(scans)
    } catch (error) {
      if (!isBusy(error) || !turns.wait()) throw error
      return commit(scans)
    }
  }
}

function prepareCommit(connection: Sqlite.Database, clock: () => Date) {
  const insert = connection.prepare(
    'insert into scans (qr_id, scanned_at, n, device, referrer, replaced_id) values (?, ?, ?, ?, ?, ?)',
  )
  const sums = prepareScanSums(connection)
  let n = Math.floor(Math.random() * 2 ** 31)
  return connection.transaction((scans: NewScan[]): boolean[] => {
    const scanned_at = toInstant(clock())
    const owned: { owner_id: string; scanned_at: string }[] = []
    const counted = scans.map(({ qr_id, device, referrer, replaced_id }) => {
      // A code that was deleted meanwhile must not make the other scans of its batch fail.
      const owner_id = sums.ownerOf(qr_id)
      if (!owner_id) return false
      n = (n + 1) % 2 ** 31
      insert.run(qr_id, scanned_at, n, device, referrer, replaced_id ?? null)
      owned.push({ owner_id, scanned_at })
      return true
    })
    sums.add(owned)
    return counted
  }).immediate
}

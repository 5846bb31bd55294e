import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { BRAND_BY_HOST, BRAND_COLUMNS } from '#db/brands/resolve-brand.ts'
import { toInstant } from '#db/cast.ts'
import { isCollision, UNREACHABLE } from '#db/errors.ts'
import { isOutdated, openPool, withClient } from '#db/postgres/pool.ts'
import { type ActiveImage, createPopups, type MessageRow } from '#db/scans/popups.ts'
import {
  asReplaced,
  type BrandOwnerRow,
  LONGEST_BUSY_MS,
  type NewScan,
  type NoteCommit,
  type ScannedCode,
  type ScanPath,
  SELECT_CODE,
  SELECT_MESSAGES,
  selectImages,
  settleScans,
  type WaitingScan,
} from '#db/scans/scan-path.ts'
import { quarterOf } from '#db/scans/scan-sums.ts'

/** One connection commits scans while the others look up codes. */
const CONNECTIONS = 3

/**
 * Ends a statement after the longest time for which a scan waits for a lock. It is then unknown whether a scan was
 * committed; a repeated scan is counted once.
 */
const TIMEOUT = { query_timeout: 10_000 }

const FIND = {
  ...TIMEOUT,
  name: 'find scanned codes',
  text: `${SELECT_CODE} where qr_codes.qr_id = any ($1::text[])`,
}
const FIND_REPLACED = {
  ...TIMEOUT,
  name: 'find the code of a replaced id',
  text: `${SELECT_CODE} where qr_codes.id = (select code_id from replaced_ids where qr_id = $1)`,
}
const FIND_HOST = {
  ...TIMEOUT,
  name: 'find the account of a host',
  text: `select ${BRAND_COLUMNS} ${BRAND_BY_HOST} $1`,
}
const FIND_PRINT = {
  ...TIMEOUT,
  name: 'find a print of a code',
  text: 'select 1 from domain_prints where account_id = $1 and qr_id = $2',
}
const LIST_IMAGES = {
  ...TIMEOUT,
  name: 'list popup images',
  text: selectImages('$1'),
}
const LIST_MESSAGES = {
  ...TIMEOUT,
  name: 'list admin messages',
  text: SELECT_MESSAGES,
}

/**
 * Inserts a batch, adds it to the sums, and returns which of its scans count: those of codes that
 * still exist. When the outcome is unknown, a batch may be sent twice: committed scans are not
 * counted again. The lock keeps the codes and their owners unchanged until the commit. All servers
 * take it in the same order.
 */
const COMMIT = {
  ...TIMEOUT,
  name: 'commit scans',
  text: `with batch as (
      select * from unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $7::text[])
        as scan (qr_id, n, device, referrer, replaced_id)
    ), codes as (
      select qr_id, owner_id from qr_codes
      where qr_id in (select qr_id from batch) order by id for share
    ), inserted as (
      insert into scans (qr_id, scanned_at, n, device, referrer, replaced_id)
      select qr_id, $5, n, device, referrer, replaced_id from batch join codes using (qr_id)
      on conflict do nothing
      returning qr_id
    ), of_all as (
      insert into scan_quarters (quarter, scans)
      select $6, count(*) from inserted having count(*) > 0
      on conflict (quarter) do update set scans = scan_quarters.scans + excluded.scans
    ), of_owners as (
      insert into owner_scans (owner_id, quarter, scans)
      select owner_id, $6, count(*) from inserted join codes using (qr_id)
      group by owner_id order by owner_id
      on conflict (owner_id, quarter) do update set scans = owner_scans.scans + excluded.scans
    )
    select qr_id from codes`,
}

/**
 * Makes PostgreSQL find each row of a scan by its key. Its estimate for the walk to the top of an
 * account's parents is so high that it would read all accounts for 32 scans at once, and it would
 * plan each lookup again, which takes ten times as long as the lookup.
 */
const BY_KEY = {
  plan_cache_mode: 'force_generic_plan',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
}

/** Opens the connections for scans. `close` of the scan path ends them. */
export function openScanPool(url: string): pg.Pool {
  return openPool(url, CONNECTIONS, BY_KEY)
}

/**
 * Opens the database access of scans. They use their own connections, so that slow pages do not
 * delay finders. Scans that arrive together are looked up, and committed, by one statement. While
 * the server restarts, a finder waits for it as long as for a busy disk.
 */
export function openScanPath(pool: pg.Pool, clock: () => Date, noteCommit?: NoteCommit): ScanPath {
  const find = batchLookups(async (ids) => {
    const codes = await ask<ScannedCode>(pool, FIND, [ids])
    return new Map(codes.map((code) => [code.qr_id, code]))
  })
  const commit = prepareCommit(pool, clock)
  let waiting: WaitingScan[] = []
  let flushing: Promise<void> | undefined

  /** Starts a flush unless one is running. Scans that arrive during a flush form the next batch. */
  function schedule(): void {
    flushing ??= new Promise<void>((resolve) => setImmediate(resolve)).then(flush)
  }

  async function flush(): Promise<void> {
    const batch = waiting
    waiting = []
    try {
      settleScans(batch, await commit(batch.map(({ scan }) => scan)), noteCommit)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
    flushing = undefined
    if (waiting.length > 0) schedule()
  }

  return {
    find,
    async findReplaced(qrId) {
      const [code] = await ask<ScannedCode>(pool, FIND_REPLACED, [qrId])
      return code && asReplaced(code, qrId)
    },
    findHost: async (host) => (await ask<BrandOwnerRow>(pool, FIND_HOST, [host]))[0],
    isPrinted: async (qrId, accountId) =>
      (await ask(pool, FIND_PRINT, [accountId, qrId])).length > 0,
    ...createPopups({
      images: (ownerId) => ask<ActiveImage>(pool, LIST_IMAGES, [ownerId]),
      messages: () => ask<MessageRow>(pool, LIST_MESSAGES, []),
    }),
    record: (scan) =>
      new Promise((resolve, reject) => {
        waiting.push({ scan, resolve, reject })
        schedule()
      }),
    async close() {
      while (flushing) await flushing
      await pool.end()
    },
  }
}

function prepareCommit(pool: pg.Pool, clock: () => Date) {
  let n = Math.floor(Math.random() * 2 ** 31)
  return async (scans: NewScan[]): Promise<boolean[]> => {
    const numbers = scans.map(() => {
      n = (n + 1) % 2 ** 31
      return n
    })
    const at = toInstant(clock())
    const rows = await ask<{ qr_id: string }>(pool, COMMIT, [
      scans.map(({ qr_id }) => qr_id),
      numbers,
      scans.map(({ device }) => device),
      scans.map(({ referrer }) => referrer),
      at,
      quarterOf(at),
      scans.map(({ replaced_id }) => replaced_id),
    ])
    const there = new Set(rows.map(({ qr_id }) => qr_id))
    return scans.map(({ qr_id }) => there.has(qr_id))
  }
}

/**
 * Returns the rows of a statement. Repeats it while the server is unreachable, or a concurrent
 * transaction or a migration interfered.
 */
async function ask<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  statement: pg.QueryConfig,
  values: unknown[],
): Promise<Row[]> {
  const giveUpAt = performance.now() + LONGEST_BUSY_MS
  for (;;) {
    try {
      return (await withClient(pool, (client) => client.query<Row>({ ...statement, values }))).rows
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      const isTransient = code === UNREACHABLE || isCollision(error) || isOutdated(error)
      if (!isTransient || performance.now() > giveUpAt) throw error
      await sleep(20 + Math.random() * 30)
    }
  }
}

/** Combines the lookups of one turn of the event loop into one statement. */
function batchLookups<T>(ask: (keys: string[]) => Promise<Map<string, T>>) {
  let asking: { keys: Set<string>; answer: Promise<Map<string, T>> } | undefined
  return async function find(key: string): Promise<T | undefined> {
    if (!asking) {
      const keys = new Set<string>()
      const answer = new Promise((resolve) => setImmediate(resolve)).then(() => {
        asking = undefined
        return ask([...keys])
      })
      asking = { keys, answer }
    }
    asking.keys.add(key)
    return (await asking.answer).get(key)
  }
}

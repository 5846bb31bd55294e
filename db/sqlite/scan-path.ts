import type Sqlite from 'better-sqlite3'
import { topOf, WORN_BY_CODE, WORN_BY_HOST, WORN_COLUMNS } from '#db/brands/worn.ts'
import { toInstant } from '#db/cast.ts'
import {
  asReplaced,
  LONGEST_BUSY_MS,
  type NewScan,
  type ScannedCode,
  settleScans,
  type WaitingScan,
  type WearerRow,
} from '#db/scans/scan-path.ts'
import type { AdminMessagesTable, PopupImagesTable } from '#db/schema.ts'
import { prepareScanSums } from '#db/sqlite/scan-sums.ts'
import { isBusy, openSqlite } from '#db/sqlite/sqlite.ts'
import { isHeldByClaimer } from '#domain/codes/claim.ts'

type ActiveImage = Pick<PopupImagesTable, 'id' | 'stored_name' | 'width' | 'height'>
type ActiveMessage = Pick<AdminMessagesTable, 'id' | 'title' | 'content'>

const SLOW_FLUSH_MS = 10

/**
 * A bound value in a statement with joins. A bare `?` there makes SQLite plan the statement anew for
 * each value, which takes ten times as long as the lookup.
 */
const VALUE = '(select ?)'

/**
 * The statements of the scan page, prepared once on a separate connection: a scan must not become
 * part of another transaction and be rolled back with it.
 */
export function openScanPath(file: string, clock: () => Date) {
  const connection = openSqlite(file, 0)
  const select = `
    select qr_codes.*,
      (select count(*) from popup_images
        where account_id = qr_codes.owner_id and is_active = 1
          and qr_codes.claimed_at is null) as popup_images,
      (select count(*) from admin_messages where is_active = 1) as admin_messages,
      (select is_active from accounts
        where id = coalesce(qr_codes.child_account_id, qr_codes.owner_id)) as user_is_active,
      case when lost_since is not null or exists (select 1 from alert_choices
        where account_id = coalesce(qr_codes.child_account_id, qr_codes.owner_id)
          and event = 'scan' and is_on = 1) then 1 else 0 end as alerts_of_scans,
      (select ${topOf('issuer')} from accounts as issuer
        where issuer.id = qr_codes.created_by) as issuer_id,
      ${WORN_COLUMNS}
    from qr_codes ${WORN_BY_CODE}`
  const findCode = connection.prepare<[string], ScannedCode>(
    `${select} where qr_codes.qr_id = ${VALUE}`,
  )
  const findReplaced = connection.prepare<[string], ScannedCode>(
    `${select} where qr_codes.id = (select code_id from replaced_ids where qr_id = ${VALUE})`,
  )
  const findHost = connection.prepare<[string], WearerRow>(
    `select ${WORN_COLUMNS} ${WORN_BY_HOST} ${VALUE}`,
  )
  const findPrint = connection
    .prepare<[string, string], number>(
      'select 1 from domain_prints where account_id = ? and qr_id = ?',
    )
    .pluck()
  const listImages = connection.prepare<[string], ActiveImage>(`
    select id, stored_name, width, height from popup_images
    where account_id = ? and is_active = 1
      and exists (select * from accounts where accounts.id = account_id and accounts.is_active = 1)
    order by uploaded_at desc, id`)
  const listMessages = connection.prepare<[], ActiveMessage>(`
    select id, title, content from admin_messages
    where is_active = 1 order by created_at desc, id`)
  const commit = prepareCommit(connection, clock)
  let waiting: WaitingScan[] = []
  let scheduled: (() => void) | undefined
  let restUntil = 0
  let busySince: number | undefined

  /**
   * Scans that arrive together are committed together. After a slow flush the next one waits as
   * long as that took: on an SD card a flush blocks this thread for 50 ms, and other pages are
   * served in between.
   */
  function schedule(): void {
    if (scheduled) return
    const rest = restUntil - performance.now()
    if (rest > 0) flushAfter(rest)
    else {
      const immediate = setImmediate(flush)
      scheduled = () => clearImmediate(immediate)
    }
  }

  function flushAfter(milliseconds: number): void {
    const timeout = setTimeout(flush, milliseconds)
    scheduled = () => clearTimeout(timeout)
  }

  function flush(): void {
    scheduled = undefined
    const startedAt = performance.now()
    busySince ??= startedAt
    try {
      const counted = commit(waiting.map(({ scan }) => scan))
      const now = performance.now()
      if (now - startedAt > SLOW_FLUSH_MS) restUntil = now + (now - startedAt)
      settleScans(take(), counted)
    } catch (error) {
      if (isBusy(error) && startedAt - busySince < LONGEST_BUSY_MS) {
        flushAfter(5 + Math.random() * 20)
      } else for (const { reject } of take()) reject(error)
    }
  }

  function take(): WaitingScan[] {
    const batch = waiting
    waiting = []
    busySince = undefined
    return batch
  }

  return {
    /** The code of a well-formed id, also when it is inactive. */
    find: (qrId: string): ScannedCode | undefined => findCode.get(qrId),
    findReplaced(qrId: string): ScannedCode | undefined {
      const code = findReplaced.get(qrId)
      return code && asReplaced(code, qrId)
    },
    findHost: (host: string): WearerRow | undefined => findHost.get(host),
    /** Whether a picture or label of a code was made with an account's own address. */
    isPrinted: (qrId: string, accountId: string): boolean =>
      findPrint.get(accountId, qrId) !== undefined,
    /** What is shown before the contact page: the owner's active images and the active messages. */
    listPopup: (code: ScannedCode) => ({
      // An issuer must not show another number to call on a claimer's page.
      images: isHeldByClaimer(code) ? [] : listImages.all(code.owner_id),
      messages: listMessages.all(),
    }),
    /** Resolves when the scan is on the disk; rejects when it is not counted. */
    record(scan: NewScan): Promise<void> {
      return new Promise((resolve, reject) => {
        waiting.push({ scan, resolve, reject })
        schedule()
      })
    },
    /**
     * Writes the waiting scans. If the database is busy it blocks, because there is no later try.
     */
    close(): void {
      scheduled?.()
      if (waiting.length > 0) {
        connection.pragma(`busy_timeout = ${LONGEST_BUSY_MS}`)
        busySince = -Infinity
        flush()
      }
      connection.close()
    },
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

import type { Db } from '#db/client.ts'
import { NO_DETAILS } from '#db/codes/qr-columns.ts'
import { type Filling, filledCode } from '#db/codes/qr-creation.ts'
import { differencesOf } from '#db/engine.ts'
import { matchVehicle, newestAfter, updateVehicle, type Vehicles } from '#db/fleets/imports.ts'
import { countRows, inPages, PAGE_ROWS } from '#db/pages.ts'
import type { Instant, QrCode } from '#db/schema.ts'
import { inTransaction } from '#db/transaction.ts'
import { DomainError } from '#domain/error.ts'
import type { OnDuplicate } from '#domain/fleets/import.ts'
import type { ImportRow } from '#domain/fleets/import-rows.ts'

/**
 * Codes per transaction. A transaction holds the database for two or three milliseconds, which delays a scan
 * that a server records meanwhile. Half as many codes would write 1.5 times as many pages to the disk per code.
 */
export const CODES_AT_ONCE = 50

/** Plates that are looked up by one statement. */
const PLATES_AT_ONCE = CODES_AT_ONCE

const FIND_VEHICLES = `
  select id, claimed_at, vehicle_registration from qr_codes
  where owner_id = $1 and vehicle_registration in
    (${Array.from({ length: PLATES_AT_ONCE }, (_, n) => `$${n + 2}`).join(', ')})`

/**
 * Opens a lookup that finds vehicles like `findVehicles`, by one prepared statement: separate statements for
 * 100,000 rows would take 100 MB until the garbage collector frees them. The caller closes it.
 */
export async function openVehicles(db: Db, ownerId: string) {
  const reader = await differencesOf(db).openReader()
  async function find(rows: readonly ImportRow[]): Promise<Vehicles> {
    const vehicles: Vehicles = new Map()
    const plates = rows.flatMap(({ fields }) => fields.vehicle_registration ?? [])
    for (let from = 0; from < plates.length; from += PLATES_AT_ONCE) {
      const batch = plates.slice(from, from + PLATES_AT_ONCE)
      // Fills up with empty plates, which match no vehicle.
      while (batch.length < PLATES_AT_ONCE) batch.push('')
      for (const [id, claimed_at, plate] of await reader.read(FIND_VEHICLES, [ownerId, ...batch])) {
        const code = { id: String(id), claimed_at: claimed_at as Instant | null }
        vehicles.set(String(plate), [...(vehicles.get(String(plate)) ?? []), code])
      }
    }
    return vehicles
  }
  return { find, close: () => reader.close() }
}

/** The progress of an import: the last row of its table, and the creation time of its codes. */
export type Progress = { row: number; created_at: Instant }

/** An import of the command line: the owner of its codes, and the hash of the table. */
export type Importing = { ownerId: string; tableHash: string }

function keyOf({ ownerId, tableHash }: Importing): string {
  return `import ${ownerId} ${tableHash}`
}

/** Finds the progress of an interrupted import; undefined when there was none. */
export async function findProgress(db: Db, importing: Importing): Promise<Progress | undefined> {
  const row = await db
    .selectFrom('meta')
    .select('value')
    .where('key', '=', keyOf(importing))
    .executeTakeFirst()
  return row && (JSON.parse(row.value) as Progress)
}

/** Saves the start of an import. Its codes get a creation time that no other code of the account has. */
export async function beginProgress(db: Db, importing: Importing, now: Date): Promise<Progress> {
  return inTransaction(db, async (trx) => {
    const created_at = await newestAfter(trx, importing.ownerId, now)
    const progress: Progress = { row: 1, created_at }
    await trx
      .insertInto('meta')
      .values({ key: keyOf(importing), value: JSON.stringify(progress) })
      .execute()
    return progress
  })
}

/** Deletes the progress of a complete import, so that the same table can be imported again. */
export async function endProgress(db: Db, importing: Importing): Promise<void> {
  await differencesOf(db).finishLoad?.()
  await db.deleteFrom('meta').where('key', '=', keyOf(importing)).execute()
}

/** The numbers of rows that this run of the command has imported. */
export type Done = { count: number; updated: number; skipped: number }

export type Step = { progress: Progress; done: Done }

type Stepping = { rows: readonly ImportRow[]; vehicles: Vehicles; act: string }

/**
 * Imports the next checked rows in small transactions. Each transaction saves the progress, from which an
 * interrupted import continues without importing a row twice, and updates the entry `act` of the audit
 * log. Throws conflict when the same import runs twice, and for a vehicle that was added to the account after
 * the check.
 */
export async function* importRows(
  db: Db,
  importing: Importing,
  { rows, vehicles, act, ...before }: Step & Stepping,
  { onDuplicate, ...making }: Filling & { onDuplicate: OnDuplicate },
): AsyncGenerator<Step, void> {
  let { progress, done } = before
  for (let n = 0; n < rows.length; n += CODES_AT_ONCE) {
    const batch = rows.slice(n, n + CODES_AT_ONCE)
    const known = batch.filter((row) => matchVehicle(row, vehicles).isThere)
    const [first] = known
    if (first && onDuplicate === 'error') throw addedSinceCheck(first)
    if (first && onDuplicate === 'update') {
      // Repeating this after a crash changes nothing, so it need not be in the transaction below.
      await inTransaction(db, async (trx) => {
        for (const row of known) {
          const { codes } = matchVehicle(row, vehicles)
          await updateVehicle(trx, importing.ownerId, { row, codes }, making)
        }
      })
    }
    const fresh = batch.filter((row) => !known.includes(row))
    const from = JSON.stringify(progress)
    progress = { ...progress, row: batch.at(-1)?.row ?? progress.row }
    const [updated, skipped] = onDuplicate === 'update' ? [known.length, 0] : [0, known.length]
    done = {
      count: done.count + fresh.length,
      updated: done.updated + updated,
      skipped: done.skipped + skipped,
    }
    await differencesOf(db).load(
      { qr_codes: fresh.map((row) => newRow(importing.ownerId, row, making)) },
      {
        key: keyOf(importing),
        from,
        to: JSON.stringify(progress),
        act: { id: act, after: JSON.stringify(done) },
      },
    )
    yield { progress, done }
  }
}

/**
 * Makes a row with all columns, because rows that are loaded together must have the same columns. Its id sorts
 * after the id of the previous row: inserting at random places of the five indexes on it took twice as long.
 */
function newRow(ownerId: string, { row, fields }: ImportRow, making: Filling) {
  const code = filledCode(ownerId, fields, making)
  const start = making.now.getTime().toString(36) + row.toString(36).padStart(5, '0')
  return { ...NO_DETAILS, ...code, id: start + code.id.slice(start.length) }
}

function addedSinceCheck({ row }: ImportRow): DomainError {
  return new DomainError({ code: 'conflict.row_has_code', values: { row } })
}

/** Returns how many codes an import has made. */
export function countImported(db: Db, ownerId: string, { created_at }: Progress): Promise<number> {
  return countRows(
    db.selectFrom('qr_codes').where('owner_id', '=', ownerId).where('created_at', '=', created_at),
  )
}

export type ImportedCode = Pick<
  QrCode,
  'id' | 'qr_id' | 'qr_type' | 'created_at' | 'vehicle_registration'
>

/** Returns the codes that an import made, in the order of its table, in pages. */
export function eachImportedCode(
  db: Db,
  ownerId: string,
  { created_at }: Progress,
): AsyncGenerator<ImportedCode[], void> {
  return inPages((last) =>
    db
      .selectFrom('qr_codes')
      .select(['id', 'qr_id', 'qr_type', 'created_at', 'vehicle_registration'])
      .where('owner_id', '=', ownerId)
      .where('created_at', '=', created_at)
      .$if(last !== undefined, (query) => query.where('id', '>', (last as ImportedCode).id))
      .orderBy('id')
      .limit(PAGE_ROWS)
      .execute(),
  )
}

import { toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import { changedColumns, laterThan } from '#db/codes/qr-changes.ts'
import type { OwnQrCode } from '#db/codes/qr-codes.ts'
import {
  type Filling,
  filledCode,
  findMade,
  insertCodes,
  readQrQuota,
} from '#db/codes/qr-creation.ts'
import { inTurns } from '#db/fleets/bulk.ts'
import { assertShared } from '#db/people/held-shares.ts'
import { assertHelps } from '#db/people/help.ts'
import type { Instant, QrCode } from '#db/schema.ts'
import { keyedId, randomId } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { isHeldByClaimer } from '#domain/codes/claim.ts'
import type { OnDuplicate } from '#domain/fleets/import.ts'
import { beginCheck, type Fate, type ImportCheck } from '#domain/fleets/import-check.ts'
import type { ImportRow, ImportTable } from '#domain/fleets/import-rows.ts'
import { type Acting, companyOf } from '#domain/people/acting.ts'
import { assertQrQuota, UNLIMITED } from '#domain/plans/plan.ts'

const ROWS_AT_ONCE = 100
const UPDATES_AT_ONCE = 25
const PLATES_AT_ONCE = 500

/** The codes of a vehicle: by its registration in the form in which it is stored. */
export type Vehicles = Map<string, Pick<QrCode, 'id' | 'claimed_at'>[]>

/** Finds the account's codes of these vehicles, in one company for those who see no other. */
export async function findVehicles(
  db: DbOrTrx,
  { ownerId, help }: Acting,
  rows: readonly ImportRow[],
): Promise<Vehicles> {
  const { company_fleet_name } = companyOf(help)
  const vehicles: Vehicles = new Map()
  const plates = rows.flatMap(({ fields }) => fields.vehicle_registration ?? [])
  for await (const some of inTurns(plates, PLATES_AT_ONCE)) {
    const codes = await db
      .selectFrom('qr_codes')
      .select(['id', 'claimed_at', 'vehicle_registration'])
      .where('owner_id', '=', ownerId)
      .where('vehicle_registration', 'in', some)
      .$if(company_fleet_name !== undefined, (query) =>
        query.where('company_fleet_name', '=', company_fleet_name as string),
      )
      .execute()
    for (const { vehicle_registration, ...code } of codes) {
      const plate = vehicle_registration ?? ''
      vehicles.set(plate, [...(vehicles.get(plate) ?? []), code])
    }
  }
  return vehicles
}

/** Returns the codes of a row's vehicle, and the outcome of the row. */
export function matchVehicle({ fields }: ImportRow, vehicles: Vehicles) {
  const codes = vehicles.get(fields.vehicle_registration ?? '') ?? []
  return { codes, isThere: codes.length > 0, isHeld: codes.some(isHeldByClaimer) }
}

type Decided = { row: ImportRow; fate: Fate; codes: { id: string }[] }

async function decideRows(
  db: DbOrTrx,
  acting: Acting,
  { rows, problems }: ImportTable,
  onDuplicate: OnDuplicate,
): Promise<{ check: ImportCheck; decided: Decided[] }> {
  const vehicles = await findVehicles(db, acting, rows)
  const { check, decide } = beginCheck(onDuplicate, problems)
  const decided = rows.map((row) => {
    const { codes, ...standing } = matchVehicle(row, vehicles)
    return { row, codes, fate: decide(row, standing) }
  })
  return { check, decided }
}

/** The effect of an import. `allowed` is the number of further codes that the plan allows; null: any number. */
export type CheckedImport = { check: ImportCheck; allowed: number | null }

/** Checks a table without changing anything. Throws not_found when the share of a helper has ended. */
export async function checkImport(
  db: Db,
  acting: Acting,
  table: ImportTable,
  onDuplicate: OnDuplicate,
  now: Date,
): Promise<CheckedImport> {
  if (acting.help) await assertShared(db, acting.help.share)
  const { check } = await decideRows(db, acting, table, onDuplicate)
  const { count, limit } = await readQrQuota(db, acting.ownerId, now)
  return { check, allowed: limit === UNLIMITED ? null : Math.max(0, limit - count) }
}

/** The form that sends a table: sent again because its answer was lost, it makes no more codes. */
type Importing = Filling & { formKey?: string | undefined }

/**
 * Makes and changes the codes of a table in one transaction, or nothing when the check has errors. Throws
 * plan_limit.
 */
export async function importQrCodes(
  db: Db,
  ownerId: string,
  sent: ImportTable,
  onDuplicate: OnDuplicate,
  { formKey, ...making }: Importing,
): Promise<{ check: ImportCheck; made: OwnQrCode[] }> {
  const { help } = making
  const table = { ...sent, rows: sent.rows.map((row) => ofCompany(row, help)) }
  const ids = idsOf(ownerId, table, { ...making, formKey })
  return inTransaction(db, async (trx) => {
    await assertHelps(trx, help, IMPORTED, making.now)
    const { check, decided } = await decideRows(trx, { ownerId, help }, table, onDuplicate)
    const earlier = formKey ? (await findMade(trx, [...ids.values()], help)).reverse() : []
    if (earlier.length > 0) {
      const made = new Set(earlier.map(({ id }) => id))
      const isUpdate = ({ row, fate }: Decided) =>
        fate === 'update' && !made.has(ids.get(row) ?? '')
      const updated = decided.filter(isUpdate).length
      return { check: { ...check, errors: [], created: earlier.length, updated }, made: earlier }
    }
    if (check.errors.length > 0) return { check, made: [] }
    if (check.created > 0) {
      assertQrQuota({ ...(await readQrQuota(trx, ownerId, making.now)), adding: check.created })
    }
    const now = new Date(await newestAfter(trx, ownerId, making.now))
    const made: OwnQrCode[] = []
    const fresh = decided.filter(({ fate }) => fate === 'create')
    for await (const some of inTurns(fresh, ROWS_AT_ONCE)) {
      const codes = some.map(({ row }) => {
        const code = filledCode(ownerId, row.fields, { ...making, now })
        return { ...code, id: ids.get(row) ?? code.id }
      })
      made.push(...(await insertCodes(trx, codes, { help })))
    }
    const known = decided.filter(({ fate }) => fate === 'update')
    for await (const some of inTurns(known, UPDATES_AT_ONCE)) {
      for (const each of some) await updateVehicle(trx, ownerId, each, making)
    }
    return { check, made }
  })
}

/** The entry of the audit log where somebody imports codes for another account. */
const IMPORTED = { action: 'qr.imported', subject_type: 'account', subject_id: null } as const

function ofCompany({ fields, ...row }: ImportRow, help: Acting['help']): ImportRow {
  return { ...row, fields: { ...fields, ...companyOf(help) } }
}

/**
 * The internal ids of the codes that are made of these rows, the same for the same form. Lists have the larger id of
 * one time first, so that they follow the table.
 */
function idsOf(
  ownerId: string,
  { rows }: ImportTable,
  { secretKey, formKey }: Importing,
): Map<ImportRow, string> {
  const idOf = ({ fields }: ImportRow, n: number) =>
    formKey
      ? keyedId(secretKey, 'imported code', formKey, JSON.stringify([ownerId, n, fields]))
      : randomId()
  const ids = rows.map(idOf).sort().reverse()
  return new Map(rows.map((row, n) => [row, ids[n] ?? randomId()]))
}

/** Returns a time for new codes that no other code of the account has, so that it tells them from the others. */
export async function newestAfter(db: DbOrTrx, ownerId: string, now: Date): Promise<Instant> {
  const { newest } = await db
    .selectFrom('qr_codes')
    .select(({ fn }) => fn.max<Instant | null>('created_at').as('newest'))
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow()
  return newest ? laterThan(newest, now) : toInstant(now)
}

/**
 * Updates every code of the vehicle that the account still has, unless a claimer holds it. An empty
 * cell changes nothing.
 */
export async function updateVehicle(
  trx: Trx,
  ownerId: string,
  { row, codes }: Pick<Decided, 'row' | 'codes'>,
  { secretKey, now }: Pick<Filling, 'secretKey' | 'now'>,
): Promise<void> {
  const ids = codes.map(({ id }) => id)
  const stored = await trx
    .selectFrom('qr_codes')
    .selectAll()
    .where('id', 'in', ids)
    .where('owner_id', '=', ownerId)
    .where('claimed_at', 'is', null)
    .execute()
  for (const code of stored) {
    await trx
      .updateTable('qr_codes')
      .set(changedColumns(code, { fields: row.fields }, secretKey))
      .set({ updated_at: laterThan(code.updated_at, now) })
      .where('id', '=', code.id)
      .execute()
  }
}

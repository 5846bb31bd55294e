import { setImmediate as nextTurn } from 'node:timers/promises'
import { toFlag } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import { deleteOwned, laterThan } from '#db/codes/qr-changes.ts'
import { type ChangedCode, type QrSelection, selectToChange } from '#db/codes/qr-selection.ts'
import type { Viewer } from '#db/codes/seen-by.ts'
import { assertHelps } from '#db/people/help.ts'
import { inTransaction } from '#db/transaction.ts'
import { changedMeanwhile } from '#domain/codes/qr.ts'
import {
  assertTypedCount,
  type BulkAct,
  type BulkAction,
  bulkRefusal,
} from '#domain/fleets/bulk.ts'
import { shareOf } from '#domain/people/share.ts'

/** Rows per statement: other requests get a turn in between. */
const CHANGES_AT_ONCE = 250
const DELETIONS_AT_ONCE = 100

type Changed = { changed: number; stored_names: string[] }

/**
 * Changes or deletes many codes in one transaction. Of codes named by their ids, one that is missing, of
 * another account or cannot be changed so refuses the act: not_found, conflict, forbidden. Of a list,
 * those that cannot be changed are left out. Throws invalid for a wrong count and for more than 10,000.
 * Returns the stored files without a row.
 */
export async function changeQrCodes(
  db: Db,
  viewer: Viewer,
  selection: QrSelection,
  act: BulkAct,
  now: Date,
): Promise<Changed> {
  return inTransaction(db, async (trx) => {
    const codes = await selectChangeable(trx, viewer, selection, act.action)
    assertTypedCount(act, codes.length)
    await assertStillHelps(trx, viewer, codes, act, now)
    const stored_names =
      act.action === 'delete'
        ? await deleteAll(trx, viewer, codes, now)
        : await setAll(trx, codes, act, now)
    return { changed: codes.length, stored_names }
  })
}

/** Checks the shares that give these codes again, and notes the act for each of their owners. */
async function assertStillHelps(
  trx: Trx,
  viewer: Viewer,
  codes: ChangedCode[],
  { action }: BulkAct,
  now: Date,
): Promise<void> {
  const shares = new Set(codes.flatMap((code) => shareOf(viewer, code) ?? []))
  for (const share of shares) {
    const act = { action: `qr.bulk.${action}`, subject_type: 'account', subject_id: null } as const
    await assertHelps(trx, { helper: viewer, share }, act, now)
  }
}

async function selectChangeable(
  db: DbOrTrx,
  viewer: Viewer,
  selection: QrSelection,
  action: BulkAction,
): Promise<ChangedCode[]> {
  const { able, unable } = await sortByAct(db, viewer, selection, action)
  const [refused] = unable
  if (refused && (selection.ids || able.length === 0)) throw refused.refusal
  return able
}

/** Returns the codes of a selection that an act can change, and why it cannot change the others. */
export async function sortByAct(
  db: DbOrTrx,
  viewer: Viewer,
  selection: QrSelection,
  action: BulkAction,
) {
  const codes = await selectToChange(db, viewer, selection)
  const refused = codes.map((code) => ({ code, refusal: bulkRefusal(action, code, viewer) }))
  return {
    able: refused.flatMap(({ code, refusal }) => (refusal ? [] : [code])),
    unable: refused.flatMap(({ code, refusal }) => (refusal ? [{ code, refusal }] : [])),
  }
}

type Change = Exclude<BulkAct, { action: 'delete' }>

function columnsOf(act: Change) {
  switch (act.action) {
    case 'activate':
    case 'deactivate':
      return { is_active: toFlag(act.action === 'activate') }
    case 'set_company_fleet_name':
      return { company_fleet_name: act.value }
    case 'set_contact_mode':
      return { contact_mode: act.value }
  }
}

/** One time for all, later than that of each. */
async function setAll(trx: Trx, codes: ChangedCode[], act: Change, now: Date): Promise<string[]> {
  const latest = codes.map(({ updated_at }) => updated_at).reduce((a, b) => (a > b ? a : b))
  const columns = { ...columnsOf(act), updated_at: laterThan(latest, now) }
  for await (const some of inTurns(codes, CHANGES_AT_ONCE)) {
    const { numUpdatedRows } = await trx
      .updateTable('qr_codes')
      .set(columns)
      .where(
        'id',
        'in',
        some.map(({ id }) => id),
      )
      .where('claimed_at', 'is', null)
      .executeTakeFirst()
    if (Number(numUpdatedRows) !== some.length) throw changedMeanwhile()
  }
  return []
}

async function deleteAll(
  trx: Trx,
  viewer: Viewer,
  codes: ChangedCode[],
  now: Date,
): Promise<string[]> {
  const stored: string[] = []
  for await (const some of inTurns(codes, DELETIONS_AT_ONCE)) {
    const ids = some.map(({ qr_id }) => qr_id)
    const { count, stored_names } = await deleteOwned(trx, viewer, ids, now)
    if (count !== some.length) throw changedMeanwhile()
    stored.push(...stored_names)
  }
  return stored
}

/** Pieces of a list, between which other requests are served. */
export async function* inTurns<T>(all: readonly T[], atOnce: number): AsyncGenerator<T[], void> {
  for (let from = 0; from < all.length; from += atOnce) {
    yield all.slice(from, from + atOnce)
    await nextTurn()
  }
}

import type { ExpressionBuilder, SqlBool } from 'kysely'
import type { DbOrTrx } from '#db/client.ts'
import { isBehind, isFound, type QrFilter } from '#db/codes/qr-search.ts'
import { seenCodes, type Viewer } from '#db/codes/seen-by.ts'
import { isUserLeaving } from '#db/deletions/leaving.ts'
import { inPages, PAGE_ROWS } from '#db/pages.ts'
import type { QrCode, Tables } from '#db/schema.ts'
import { isHeldByClaimer } from '#domain/codes/claim.ts'
import { LABELS_MAX } from '#domain/codes/labels.ts'
import { qrNotFound } from '#domain/codes/qr-id.ts'
import { DomainError } from '#domain/error.ts'
import { BULK_MAX } from '#domain/fleets/bulk.ts'
import { type Access, accessWith, has, type Right } from '#domain/people/roles.ts'
import { accessTo } from '#domain/people/share.ts'

/** Codes by their well-formed ids, else those that a list shows. */
export type QrSelection = { ids?: string[] | undefined } & QrFilter

const LISTED = [
  'id',
  'qr_id',
  'owner_id',
  'child_account_id',
  'company_fleet_name',
  'qr_type',
  'owner_name',
  'vehicle_registration',
  'is_active',
  'is_claimed',
  'created_at',
] as const

/** The fields of a code in a printed list, and those that say with which brand it is printed. */
export type SelectedCode = Pick<QrCode, (typeof LISTED)[number] | 'owner_id'> & { access: Access }

/**
 * Returns the account's codes, in the order of the ids, else newest first and only those on which it has the right.
 * Throws not_found when one of them is missing or not theirs, or when there is none, forbidden for an id on which a
 * role lacks the right, and invalid for more than 10,000.
 */
export async function selectOwnCodes(
  db: DbOrTrx,
  viewer: Viewer,
  selection: QrSelection,
  right: Right,
): Promise<SelectedCode[]> {
  const codes: SelectedRow[] = []
  for await (const rows of pagesOf(db, viewer, selection)) {
    const isAble = (code: SelectedRow) => has(accessTo(viewer, code), right)
    codes.push(...(selection.ids ? rows : rows.filter(isAble)))
    if (codes.length > LABELS_MAX) {
      throw new DomainError('invalid.file_too_many_codes')
    }
  }
  return inOrder(codes, selection).map((row) =>
    toSelected(row, accessWith(accessTo(viewer, row), right)),
  )
}

/** The columns that decide how the account has a code. */
const HELD_BY = ['id', 'owner_id', 'child_account_id', 'company_fleet_name', 'claimed_at'] as const
type SelectedRow = Pick<QrCode, (typeof LISTED)[number] | (typeof HELD_BY)[number]>

function pagesOf(db: DbOrTrx, viewer: Viewer, { ids, ...filter }: QrSelection) {
  let rest = ids ?? []
  return inPages<SelectedRow>((last) => {
    const named = ids && { ids: rest.slice(0, PAGE_ROWS) }
    rest = rest.slice(PAGE_ROWS)
    return selectRows(db, viewer, named ?? filter)
      .$if(!ids && last !== undefined, (query) => query.where(isBehind(last as SelectedRow)))
      .select([...LISTED, ...HELD_BY])
      .limit(PAGE_ROWS)
      .execute()
  })
}

/** A code, with the columns that decide whether it can be changed. */
export type ChangedCode = Pick<QrCode, (typeof DECISIVE)[number]> & { is_ending: SqlBool }

const DECISIVE = [
  'id',
  'qr_id',
  'qr_type',
  'owner_id',
  'child_account_id',
  'company_fleet_name',
  'claimed_at',
  'stopped_by_report',
  'is_active',
  'is_child_registered',
  'updated_at',
] as const

/** Selects codes like `selectOwnCodes`, for an act that changes them. */
export async function selectToChange(
  db: DbOrTrx,
  viewer: Viewer,
  selection: QrSelection,
): Promise<ChangedCode[]> {
  const codes = await selectRows(db, viewer, selection)
    .select(DECISIVE)
    .select((eb) => isUserLeaving(eb).as('is_ending'))
    // One more, to be noticed.
    .limit(BULK_MAX + 1)
    .execute()
  if (codes.length > BULK_MAX) {
    throw new DomainError('invalid.too_many_codes')
  }
  return inOrder(codes, selection)
}

function selectRows(db: DbOrTrx, viewer: Viewer, { ids, ...filter }: QrSelection) {
  const isSelected = (eb: ExpressionBuilder<Tables, 'qr_codes'>) =>
    ids ? eb('qr_id', 'in', ids) : isFound(viewer, filter)(eb)
  return db
    .selectFrom(seenCodes(db, viewer, filter.shared))
    .where(isSelected)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
}

/** An issuer must not print what a claimer wrote. */
function toSelected(row: SelectedRow, access: Access): SelectedCode {
  const listed = Object.fromEntries(LISTED.map((name) => [name, row[name]]))
  const code = { ...listed, owner_id: row.owner_id, access } as SelectedCode
  if (!isHeldByClaimer(row)) return code
  return { ...code, owner_name: null, vehicle_registration: null }
}

function inOrder<C extends Pick<QrCode, 'qr_id'>>(codes: C[], { ids }: QrSelection): C[] {
  if (!ids && codes.length === 0) throw new DomainError('not_found.qr_codes')
  if (!ids) return codes
  const byId = new Map(codes.map((code) => [code.qr_id, code]))
  return ids.map((id) => {
    const code = byId.get(id)
    if (!code) throw qrNotFound()
    return code
  })
}

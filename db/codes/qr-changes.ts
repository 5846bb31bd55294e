import { sql } from 'kysely'
import { toFlag, toInstant } from '#db/cast.ts'
import type { Db, Trx } from '#db/client.ts'
import { giveBackChildSlots } from '#db/codes/child-slots.ts'
import { hashPin } from '#db/codes/pins.ts'
import { findOwnQrCode, getOwnQrCode, getOwnRow, type OwnQrCode } from '#db/codes/qr-codes.ts'
import { toColumns } from '#db/codes/qr-columns.ts'
import type { Viewer } from '#db/codes/seen-by.ts'
import { leaveConversationsOf } from '#db/conversations/endings.ts'
import { assertUserStays } from '#db/deletions/leaving.ts'
import { removeWards } from '#db/families/guardians.ts'
import { countRows } from '#db/pages.ts'
import { recordHelp } from '#db/people/help.ts'
import type { Instant, QrCode } from '#db/schema.ts'
import type { SecretKey } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { assertNotHeld } from '#domain/codes/claim.ts'
import { changedMeanwhile, type QrInput } from '#domain/codes/qr.ts'
import { qrNotFound } from '#domain/codes/qr-id.ts'
import { assertNotStopped } from '#domain/codes/replacement.ts'
import { DomainError } from '#domain/error.ts'
import { type Access, ownersOnly } from '#domain/people/roles.ts'
import { actsFor, isBoundToCompany } from '#domain/people/share.ts'

/** The new values. With `updated_at`, the change is refused if the code has changed since that time. */
export type QrChange = {
  fields: Partial<QrInput>
  is_active?: boolean | undefined
  updated_at?: Instant | undefined
}

/**
 * Changes the given fields. Throws not_found, forbidden, and conflict when the code has changed since
 * `updated_at` and has other values, is held by a claimer, or is to be switched on after a moderator switched it off or while the account
 * of its user is being deleted.
 */
export async function updateQrCode(
  db: Db,
  viewer: Viewer,
  qrId: string,
  change: QrChange,
  { secretKey, now }: { secretKey: SecretKey; now: Date },
): Promise<OwnQrCode> {
  return inTransaction(db, async (trx) => {
    const code = await getOwnRow(trx, viewer, qrId, 'edit')
    const columns = changedColumns(code, change, secretKey)
    assertMayChange(viewer, code, change, columns)
    if (change.is_active) await assertUserStays(trx, code)
    const { numUpdatedRows } = await trx
      .updateTable('qr_codes')
      .set(columns)
      .set({ updated_at: laterThan(code.updated_at, now) })
      .where('id', '=', code.id)
      .where('updated_at', '=', code.updated_at)
      .where('claimed_at', 'is', null)
      .executeTakeFirst()
    if (!numUpdatedRows) throw changedMeanwhile()
    await recordHelp(trx, viewer, helpOn(viewer, 'changed', code), now)
    return getOwnQrCode(trx, viewer, qrId)
  })
}

/** Returns the entry of the audit log about a code that somebody handles for its owner; a child user acts for itself. */
export function helpOn(
  viewer: Viewer,
  act: 'changed' | 'replaced' | 'lost' | 'found' | 'claim_undone',
  code: Pick<QrCode, 'id' | 'owner_id'> & { access: Access },
) {
  const subject = { subject_type: 'qr_code', subject_id: code.id } as const
  return { owner_id: actsFor(viewer, code), action: `qr.${act}`, ...subject }
}

function assertMayChange(
  viewer: Viewer,
  code: QrCode,
  { updated_at, is_active }: QrChange,
  columns: ReturnType<typeof changedColumns>,
): void {
  const isStale = updated_at !== undefined && updated_at !== code.updated_at
  if (isStale && !hasAll(code, columns)) throw changedMeanwhile()
  const isMoved = (columns.company_fleet_name ?? null) !== code.company_fleet_name
  if ('company_fleet_name' in columns && isMoved && isBoundToCompany(viewer, code)) {
    throw new DomainError('forbidden.role')
  }
  assertNotHeld(code)
  if (is_active) assertNotStopped(code)
}

/** Checks whether a change was made before, such as by the same form, whose answer was lost. */
function hasAll(code: QrCode, columns: Partial<QrCode>): boolean {
  const names = Object.keys(columns) as (keyof QrCode)[]
  return names.every((name) => code[name] === columns[name])
}

/** Returns the columns that a change sets. */
export function changedColumns(code: QrCode, { fields, is_active }: QrChange, key: SecretKey) {
  const { optional_pin: pin, ...columns } = fields
  const { qr_type, owner_name, contact_phone } = { ...code, ...columns }
  return {
    ...toColumns(columns, code),
    ...(is_active !== undefined && { is_active: toFlag(is_active) }),
    ...(pin !== undefined && { pin_hash: pin && hashPin(key, code.qr_id, pin) }),
    // An owner who fills in an unclaimed code claims it.
    ...(qr_type === 'normal' && owner_name && contact_phone && { is_claimed: toFlag(true) }),
  }
}

/** Returns a later time for each change, so that two changes in one millisecond differ. */
export function laterThan(before: Instant, now: Date): Instant {
  return toInstant(new Date(Math.max(now.getTime(), Date.parse(before) + 1)))
}

/**
 * Deletes a code with its scans, documents, links and conversations. Returns the stored files
 * without a row. Throws not_found, forbidden for the code's child user, and conflict for a held code.
 */
export async function deleteQrCode(
  db: Db,
  viewer: Viewer,
  qrId: string,
  now: Date,
): Promise<{ stored_names: string[] }> {
  return inTransaction(db, async (trx) => {
    const { count, stored_names } = await deleteOwned(trx, viewer, [qrId], now)
    if (count > 0) return { stored_names }
    const seen = await findOwnQrCode(trx, viewer, qrId)
    if (!seen) throw qrNotFound()
    if (seen.is_claimed_away) throw new DomainError('conflict.claimed')
    throw ownersOnly(seen.access, 'forbidden.delete_code')
  })
}

/**
 * Deletes those of the codes that the account owns and no claimer holds, as a step of a transaction. Child codes
 * give their slots back. The caller makes sure that it is all of them, or undoes it.
 */
export async function deleteOwned(
  trx: Trx,
  viewer: Viewer,
  qrIds: string[],
  now: Date,
): Promise<{ count: number; stored_names: string[] }> {
  const stored_names = await leaveCodes(trx, qrIds, now)
  const children = await countRows(
    trx
      .selectFrom('qr_codes')
      .where('qr_id', 'in', qrIds)
      .where('qr_type', '=', 'child')
      .where(sql`created_by || ''`, '=', viewer.id),
  )
  const { numDeletedRows } = await trx
    .deleteFrom('qr_codes')
    .where('qr_id', 'in', qrIds)
    // An expression: by the index of owners SQLite would read all codes of the account.
    .where(sql`owner_id || ''`, '=', viewer.id)
    .where('claimed_at', 'is', null)
    .executeTakeFirst()
  if (children > 0) await giveBackChildSlots(trx, viewer.id, children)
  return { count: Number(numDeletedRows), stored_names }
}

/**
 * Prepares the deletion of codes, with their documents and conversations: names their stored files.
 * Accounts that nobody confirmed as a guardian are deleted with them.
 */
export async function leaveCodes(trx: Trx, qrIds: string[], now: Date): Promise<string[]> {
  const documents = await trx
    .selectFrom('documents')
    .select(['stored_name', 'thumbnail_name'])
    .where('qr_id', 'in', qrIds)
    .execute()
  const photos = await leaveConversationsOf(trx, qrIds, now)
  await removeWards(trx, qrIds)
  const names = documents.flatMap((each) => [each.stored_name, each.thumbnail_name])
  return [...names.filter((name) => name !== null), ...photos]
}

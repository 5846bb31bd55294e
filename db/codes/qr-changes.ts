import { toFlag, toInstant } from '#db/cast.ts'
import type { Db } from '#db/client.ts'
import { hashPin } from '#db/codes/pins.ts'
import {
  findOwnQrCode,
  getOwnQrCode,
  type OwnQrCode,
  seenBy,
  type Viewer,
} from '#db/codes/qr-codes.ts'
import { toColumns } from '#db/codes/qr-columns.ts'
import { leaveConversationsOf } from '#db/conversations/endings.ts'
import type { Instant, QrCode } from '#db/schema.ts'
import type { SecretKey } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { assertNotHeld, CLAIM_REFUSALS } from '#domain/codes/claim.ts'
import type { QrInput } from '#domain/codes/qr.ts'
import { qrNotFound } from '#domain/codes/qr-id.ts'
import { DomainError } from '#domain/error.ts'

/** What is to change. With the `updated_at` last seen, only if nobody was faster. */
export type QrChange = {
  fields: Partial<QrInput>
  is_active?: boolean | undefined
  updated_at?: Instant | undefined
}

/**
 * Changes what it is given. Throws not_found, and conflict when the code has changed since
 * `updated_at`, is held by a claimer, whose details nobody else edits, or is to be active although a
 * moderator switched it off.
 */
export async function updateQrCode(
  db: Db,
  viewer: Viewer,
  qrId: string,
  change: QrChange,
  { secretKey, now }: { secretKey: SecretKey; now: Date },
): Promise<OwnQrCode> {
  return inTransaction(db, async (trx) => {
    const code = await trx
      .selectFrom('qr_codes')
      .selectAll()
      .where('qr_id', '=', qrId)
      .where(seenBy(viewer))
      .executeTakeFirst()
    if (!code) throw qrNotFound()
    assertMayChange(code, change)
    const { numUpdatedRows } = await trx
      .updateTable('qr_codes')
      .set(changedColumns(code, change, secretKey))
      .set({ updated_at: laterThan(code.updated_at, now) })
      .where('id', '=', code.id)
      .where('updated_at', '=', code.updated_at)
      .where('claimed_at', 'is', null)
      .executeTakeFirst()
    if (!numUpdatedRows) throw changedMeanwhile()
    return getOwnQrCode(trx, viewer, qrId)
  })
}

function assertMayChange(code: QrCode, { updated_at, is_active }: QrChange): void {
  if (updated_at !== undefined && updated_at !== code.updated_at) throw changedMeanwhile()
  assertNotHeld(code)
  if (is_active && code.stopped_by_report) {
    throw new DomainError('conflict', 'This QR code was deactivated by a moderator')
  }
}

function changedMeanwhile(): DomainError {
  return new DomainError('conflict', 'This QR code was changed meanwhile')
}

function changedColumns(code: QrCode, { fields, is_active }: QrChange, key: SecretKey) {
  const { optional_pin: pin, ...columns } = fields
  const { qr_type, owner_name, contact_phone } = { ...code, ...columns }
  return {
    ...toColumns(columns),
    ...(is_active !== undefined && { is_active: toFlag(is_active) }),
    // A new PIN is not locked by the tries at the old one.
    ...(pin !== undefined && {
      pin_hash: pin && hashPin(key, code.qr_id, pin),
      pin_tries: 0,
      pin_locked_until: null,
    }),
    // Putting one's details on an unclaimed code is what claiming is.
    ...(qr_type === 'normal' && owner_name && contact_phone && { is_claimed: toFlag(true) }),
  }
}

/** Every change has a time of its own, so that two in one millisecond are told apart. */
export function laterThan(before: Instant, now: Date): Instant {
  return toInstant(new Date(Math.max(now.getTime(), Date.parse(before) + 1)))
}

/**
 * Removes a code with its scans, documents, links and conversations. The answer names the stored
 * files that nothing refers to any more. Throws not_found, forbidden for the child user of the code, and
 * conflict for a code that a claimer holds.
 */
export async function deleteQrCode(
  db: Db,
  viewer: Viewer,
  qrId: string,
  now: Date,
): Promise<{ stored_names: string[] }> {
  return inTransaction(db, async (trx) => {
    const documents = await trx
      .selectFrom('documents')
      .select(['stored_name', 'thumbnail_name'])
      .where('qr_id', '=', qrId)
      .execute()
    const photos = await leaveConversationsOf(trx, qrId, now)
    const { numDeletedRows } = await trx
      .deleteFrom('qr_codes')
      .where('qr_id', '=', qrId)
      .where('owner_id', '=', viewer.id)
      .where('claimed_at', 'is', null)
      .executeTakeFirst()
    if (numDeletedRows === 0n) {
      const seen = await findOwnQrCode(trx, viewer, qrId)
      if (!seen) throw qrNotFound()
      if (seen.is_claimed_away) throw new DomainError('conflict', CLAIM_REFUSALS.claimed)
      throw new DomainError('forbidden', 'Only its owner can delete this code')
    }
    const names = documents.flatMap((each) => [each.stored_name, each.thumbnail_name])
    return { stored_names: [...names.filter((name) => name !== null), ...photos] }
  })
}

import { randomBytes } from 'node:crypto'
import { toInstant } from '#db/cast.ts'
import type { Db } from '#db/client.ts'
import { helpOn, laterThan } from '#db/codes/qr-changes.ts'
import { getOwnQrCode, getOwnRow, type OwnQrCode } from '#db/codes/qr-codes.ts'
import type { Viewer } from '#db/codes/seen-by.ts'
import { recordHelp } from '#db/people/help.ts'
import { inTransaction } from '#db/transaction.ts'
import { makeQrId, qrNotFound } from '#domain/codes/qr-id.ts'
import { assertMayReplace } from '#domain/codes/replacement.ts'

/**
 * Gives a code a new id. All that belongs to it follows: triggers, and on PostgreSQL references that
 * cascade, change the id in every table. Throws not_found, and conflict for a code without a page, a
 * held one, and one that a moderator switched off.
 */
export async function replaceQrCode(
  db: Db,
  viewer: Viewer,
  qrId: string,
  now: Date,
): Promise<OwnQrCode> {
  return inTransaction(db, async (trx) => {
    const code = await getOwnRow(trx, viewer, qrId, 'tend')
    assertMayReplace(code, now)
    const qr_id = makeQrId(randomBytes)
    const { numUpdatedRows } = await trx
      .updateTable('qr_codes')
      .set({ qr_id, updated_at: laterThan(code.updated_at, now) })
      // Its new tag is still to be printed and tried.
      .set({ printed_at: null, own_scan_at: null })
      .where('id', '=', code.id)
      .where('qr_id', '=', qrId)
      .where('updated_at', '=', code.updated_at)
      .executeTakeFirst()
    if (!numUpdatedRows) throw qrNotFound()
    const replaced = { qr_id: qrId, code_id: code.id, replaced_at: toInstant(now) }
    await trx.insertInto('replaced_ids').values(replaced).execute()
    // Finders who wrote from the page of the old id must not learn the new one from their page.
    await trx
      .updateTable('conversations')
      .set({ replaced_id: qrId })
      .where('qr_id', '=', qr_id)
      .where('replaced_id', 'is', null)
      .execute()
    await recordHelp(trx, viewer, helpOn(viewer, 'replaced', code), now)
    return getOwnQrCode(trx, viewer, qr_id)
  })
}

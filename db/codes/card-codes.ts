import type { DbOrTrx } from '#db/client.ts'
import {
  type Builder,
  inOrder,
  type OwnQrCode,
  type QrWanted,
  selectOpenDocuments,
  toOwnQrCode,
  wantedCodes,
} from '#db/codes/qr-codes.ts'
import type { Viewer } from '#db/codes/seen-by.ts'
import { pageOf } from '#db/pages.ts'

/** A code as its card shows it, with its number as it is dialled and the file of a small picture of the vehicle. */
export type CardCode = OwnQrCode & { contact_number: string | null; photo_name: string | null }

/** Returns a page of the account's codes for their cards, and the total number. */
export async function listCardCodes(
  db: DbOrTrx,
  viewer: Viewer,
  { limit, offset, ...wanted }: QrWanted & { limit: number; offset: number },
): Promise<{ qr_codes: CardCode[]; total: number }> {
  const query = inOrder(db, viewer, wanted).select((eb) => selectPhoto(eb, viewer))
  const { rows, total } = await pageOf(query, { limit, offset }, wantedCodes(db, viewer, wanted))
  return {
    qr_codes: rows.map((row) => {
      const { contact_number, photo_name } = row
      return { ...toOwnQrCode(row, viewer), contact_number, photo_name }
    }),
    total,
  }
}

/** The newest photo of the vehicle that the account may open, and that has a small picture. */
function selectPhoto(eb: Builder, viewer: Viewer) {
  return selectOpenDocuments(eb, viewer)
    .select('thumbnail_name')
    .where('document_type', '=', 'vehicle_photo')
    .where('thumbnail_name', 'is not', null)
    .where('is_locked', '=', 0)
    .orderBy('uploaded_at', 'desc')
    .limit(1)
    .as('photo_name')
}

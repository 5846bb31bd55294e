import { toFlag } from '#db/cast.ts'
import type { Trx } from '#db/client.ts'
import type { QrCode } from '#db/schema.ts'

type Code = Pick<QrCode, 'qr_id' | 'owner_id'>

/**
 * Gives the documents of a code's owner to another account, as private ones without shared links, and
 * deletes all others of the code: those that are not to go along, those of its child user, and those that
 * a reset locked. Names the files of the deleted ones. A step of a transaction.
 */
export async function handOverDocuments(
  trx: Trx,
  { qr_id, owner_id }: Code,
  { to, include }: { to: string; include: boolean },
): Promise<string[]> {
  const deleted = await trx
    .deleteFrom('documents')
    .where('qr_id', '=', qr_id)
    .$if(include, (query) =>
      query.where(({ eb, or }) =>
        or([eb('account_id', '!=', owner_id), eb('is_locked', '=', toFlag(true))]),
      ),
    )
    .returning(['stored_name', 'thumbnail_name'])
    .execute()
  await trx
    .deleteFrom('share_links')
    .where('document_id', 'in', ({ selectFrom }) =>
      selectFrom('documents').select('documents.id').where('documents.qr_id', '=', qr_id),
    )
    .execute()
  await trx
    .updateTable('documents')
    .set({ account_id: to, is_public: toFlag(false) })
    .where('qr_id', '=', qr_id)
    .execute()
  const names = deleted.flatMap((each) => [each.stored_name, each.thumbnail_name])
  return names.filter((name) => name !== null)
}

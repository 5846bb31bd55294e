import { sql } from 'kysely'
import { fromFlag, toFlag, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import { countRows } from '#db/pages.ts'
import { assertHelps } from '#db/people/help.ts'
import type { RowOf } from '#db/schema.ts'
import { randomId } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { DomainError } from '#domain/error.ts'
import { assertFileQuota } from '#domain/papers/file-quota.ts'
import type { Acting } from '#domain/people/acting.ts'

type Row = RowOf<'popup_images'>
type FileColumns = 'file_name' | 'stored_name' | 'file_size' | 'width' | 'height'

export type PopupImage = Omit<Row, 'is_active'> & { is_active: boolean }

/** Returns the images of an account, newest first. */
export async function listPopupImages(db: DbOrTrx, accountId: string): Promise<PopupImage[]> {
  const rows = await db
    .selectFrom('popup_images')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('uploaded_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(toPopupImage)
}

/** Returns one image of the account. Throws not_found. */
export async function getPopupImage(
  db: DbOrTrx,
  accountId: string,
  id: string,
): Promise<PopupImage> {
  const image = await findPopupImage(db, accountId, id)
  if (!image) throw noImage()
  return image
}

async function findPopupImage(
  db: DbOrTrx,
  accountId: string,
  id: string,
): Promise<PopupImage | undefined> {
  const row = await db
    .selectFrom('popup_images')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row && toPopupImage(row)
}

/** Throws plan_limit when the account has the maximum number of images. */
export async function assertMayUploadImage(db: DbOrTrx, accountId: string): Promise<void> {
  const count = await countRows(db.selectFrom('popup_images').where('account_id', '=', accountId))
  assertFileQuota('Popup image', count)
}

/**
 * Inserts the row of a stored file, or answers the account's row with this `id`: the same form, sent again
 * because its answer was lost, has stored it. The image is active from the start. Throws plan_limit.
 */
export async function insertPopupImage(
  db: Db,
  { ownerId, help }: Acting,
  image: Pick<Row, FileColumns>,
  now: Date,
  id = randomId(),
): Promise<PopupImage> {
  return inTransaction(db, async (trx) => {
    await assertHelps(trx, help, actOn('uploaded', id), now)
    const earlier = await findPopupImage(trx, ownerId, id)
    if (earlier) return earlier
    await assertMayUploadImage(trx, ownerId)
    const row: Row = {
      id,
      account_id: ownerId,
      is_active: toFlag(true),
      hidden_by_report: null,
      uploaded_at: toInstant(now),
      ...image,
    }
    await trx.insertInto('popup_images').values(row).execute()
    return toPopupImage(row)
  })
}

/**
 * Shows a hidden image of the account to finders, or hides a visible one; `to` names the new state
 * explicitly. Throws not_found, and conflict for one that a moderator hid.
 */
export async function togglePopupImage(
  db: Db,
  { ownerId, help }: Acting,
  id: string,
  { to, now }: { to?: boolean | undefined; now: Date },
): Promise<PopupImage> {
  return inTransaction(db, async (trx) => {
    await assertHelps(trx, help, actOn('changed', id), now)
    const found = await getPopupImage(trx, ownerId, id)
    if (found.is_active === to) return found
    const row = await trx
      .updateTable('popup_images')
      .set({ is_active: sql`1 - is_active` })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    if (row.is_active && row.hidden_by_report) {
      throw new DomainError('conflict.image_hidden')
    }
    return toPopupImage(row)
  })
}

/** Deletes an image of the account, and returns its file. Throws not_found. */
export async function deletePopupImage(
  db: Db,
  { ownerId, help }: Acting,
  id: string,
  now: Date,
): Promise<{ stored_names: string[] }> {
  return inTransaction(db, async (trx) => {
    await assertHelps(trx, help, actOn('deleted', id), now)
    const row = await trx
      .deleteFrom('popup_images')
      .where('id', '=', id)
      .where('account_id', '=', ownerId)
      .returning('stored_name')
      .executeTakeFirstOrThrow(noImage)
    return { stored_names: [row.stored_name] }
  })
}

function actOn(act: 'uploaded' | 'changed' | 'deleted', id: string) {
  return { action: `popup_image.${act}`, subject_type: 'popup_image', subject_id: id } as const
}

function toPopupImage({ is_active, ...row }: Row): PopupImage {
  return { ...row, is_active: fromFlag(is_active) }
}

function noImage(): DomainError {
  return new DomainError('not_found.image')
}

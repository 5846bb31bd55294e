import type { ExpressionBuilder } from 'kysely'
import type { DbOrTrx } from '#db/client.ts'
import type { QrCode, Tables } from '#db/schema.ts'
import { DomainError } from '#domain/error.ts'

export async function isBeingDeleted(db: DbOrTrx, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('account_deletions')
    .select('account_id')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row !== undefined
}

/** Throws conflict for an account that is being deleted: a code that it gets now would be on. */
export async function assertKept(db: DbOrTrx, accountId: string): Promise<void> {
  if (await isBeingDeleted(db, accountId)) throw new DomainError('conflict.account_leaving')
}

type User = Pick<QrCode, 'child_account_id' | 'owner_id'>

/** Throws conflict for a code whose user is being deleted, which is to stay off. */
export async function assertUserStays(
  db: DbOrTrx,
  { child_account_id, owner_id }: User,
): Promise<void> {
  if (await isBeingDeleted(db, child_account_id ?? owner_id))
    throw new DomainError('conflict.user_leaving')
}

/** Returns whether the account of a code's user is being deleted: of its child user, or else of its owner. */
export function isUserLeaving({ exists, selectFrom }: ExpressionBuilder<Tables, 'qr_codes'>) {
  return exists(
    selectFrom('account_deletions')
      .select('account_id')
      .where(({ eb, fn }) =>
        eb('account_id', '=', fn.coalesce('qr_codes.child_account_id', 'qr_codes.owner_id')),
      ),
  )
}

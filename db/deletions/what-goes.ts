import type { DbOrTrx } from '#db/client.ts'
import type { WhatGoes } from '#domain/accounts/deletion.ts'

/** Counts what the deletion of an account removes, in one statement. */
export async function countWhatGoes(
  db: DbOrTrx,
  accountId: string,
): Promise<Omit<WhatGoes, 'plan'>> {
  const count = db.fn.countAll<number>().as('count')
  const owned = db.selectFrom('qr_codes').select(count).where('owner_id', '=', accountId)
  const { brands, ...counts } = await db
    .selectNoFrom([
      owned.where('child_account_id', 'is', null).as('codes'),
      owned.where('child_account_id', 'is not', null).as('child_codes'),
      owned.where('claimed_at', 'is not', null).as('claimed_codes'),
      db
        .selectFrom('qr_codes')
        .select(count)
        .where('child_account_id', '=', accountId)
        .as('used_codes'),
      db.selectFrom('accounts').select(count).where('parent_id', '=', accountId).as('child_users'),
      db.selectFrom('documents').select(count).where('account_id', '=', accountId).as('documents'),
      db
        .selectFrom('conversations')
        .select(count)
        .where('account_id', '=', accountId)
        .where('is_deleted', '=', 0)
        .as('conversations'),
      db
        .selectFrom('popup_images')
        .select(count)
        .where('account_id', '=', accountId)
        .as('popup_images'),
      db
        .selectFrom('share_links')
        .select(count)
        .where('account_id', '=', accountId)
        .as('shared_links'),
      db.selectFrom('api_keys').select(count).where('account_id', '=', accountId).as('api_keys'),
      db
        .selectFrom('alert_channels')
        .select(count)
        .where('account_id', '=', accountId)
        .where('kind', '!=', 'email')
        .as('channels'),
      db.selectFrom('brands').select(count).where('account_id', '=', accountId).as('brands'),
      db.selectFrom('receipts').select(count).where('account_id', '=', accountId).as('receipts'),
    ])
    .executeTakeFirstOrThrow()
  const numbers = Object.fromEntries(
    Object.entries(counts).map(([name, number]) => [name, number ?? 0]),
  ) as Record<keyof typeof counts, number>
  return { ...numbers, has_brand: Number(brands) > 0 }
}

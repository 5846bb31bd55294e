import type { DbOrTrx, Trx } from '#db/client.ts'

/**
 * Returns the largest discount in percent that no approved upgrade used. Pending and rejected requests do
 * not use it up.
 */
export async function findDiscount(
  db: DbOrTrx,
  accountId: string,
): Promise<{ id: string; discount_value: number } | undefined> {
  return db
    .selectFrom('promo_redemptions')
    .leftJoin('upgrade_requests', 'upgrade_requests.id', 'discount_used_by')
    .select(['promo_redemptions.id', 'discount_value'])
    .where('promo_redemptions.account_id', '=', accountId)
    .where('promo_redemptions.status', '=', 'approved')
    .where('discount_value', '>', 0)
    .where((eb) =>
      eb.or([eb('discount_used_by', 'is', null), eb('upgrade_requests.status', '!=', 'approved')]),
    )
    .orderBy('discount_value', 'desc')
    .orderBy('redeemed_at')
    .limit(1)
    .executeTakeFirst()
}

/** Links a discount to a request, in place of any other. */
export async function useDiscount(trx: Trx, requestId: string, redemptionId: string | undefined) {
  await trx
    .updateTable('promo_redemptions')
    .set({ discount_used_by: null })
    .where('discount_used_by', '=', requestId)
    .execute()
  if (!redemptionId) return
  await trx
    .updateTable('promo_redemptions')
    .set({ discount_used_by: requestId })
    .where('id', '=', redemptionId)
    .execute()
}

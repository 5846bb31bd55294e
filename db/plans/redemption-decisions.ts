import { type Actor, recordAdminAct } from '#db/admin/audit-events.ts'
import { toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import { containsText } from '#db/codes/qr-search.ts'
import type { Notify } from '#db/outbox.ts'
import { pageOf } from '#db/pages.ts'
import { giveBenefit } from '#db/plans/benefits.ts'
import {
  type AccountAndDecider,
  type Decision,
  type DecisionPage,
  isAboutAccount,
  isWaiting,
} from '#db/plans/decisions.ts'
import type { Redemption } from '#db/plans/promo-redemptions.ts'
import { inTransaction } from '#db/transaction.ts'
import { assertNotOwn, DECIDED } from '#domain/decision.ts'
import { DomainError } from '#domain/error.ts'
import { DEFAULT_TIMEZONE } from '#domain/time.ts'

/** A redemption as an admin sees it. */
export type ListedRedemption = Redemption & AccountAndDecider

/** Returns a page of redemptions, pending ones first, then the newest, and the total number. */
export async function listRedemptions(
  db: DbOrTrx,
  { status, search, kept, ...page }: DecisionPage = {},
): Promise<{ redemptions: ListedRedemption[]; total: number }> {
  let found = selectRedemptions(db)
  const waits = isWaiting('promo_redemptions', kept)
  if (status === 'pending') found = found.where(waits)
  else if (status) found = found.where('status', '=', status)
  if (search) {
    found = found.where((eb) =>
      eb.or([containsText(eb.ref('code'), search), isAboutAccount(eb, search)]),
    )
  }
  const inOrder = found
    .orderBy(waits, 'desc')
    .orderBy('redeemed_at', 'desc')
    .orderBy('promo_redemptions.id')
  const { rows, total } = await pageOf(inOrder, page)
  return { redemptions: rows, total }
}

function selectRedemptions(db: DbOrTrx) {
  return db
    .selectFrom('promo_redemptions')
    .innerJoin('accounts', 'accounts.id', 'promo_redemptions.account_id')
    .leftJoin('accounts as decider', 'decider.id', 'decided_by')
    .selectAll('promo_redemptions')
    .select(['accounts.name as user_name', 'accounts.email as user_email'])
    .select(['accounts.mobile as user_mobile', 'decider.name as decider_name'])
}

/**
 * Decides a pending redemption, once. Approval gives its benefit, rejection gives the use back.
 * Throws not_found, forbidden for the actor's own, and conflict when it is decided.
 */
export async function decideRedemption(
  db: Db,
  { id, action }: Decision,
  actor: Actor,
  now: Date,
  notify: Notify<ListedRedemption>,
  timezone = DEFAULT_TIMEZONE,
): Promise<ListedRedemption> {
  return inTransaction(db, async (trx) => {
    const { account_id } = await getRedemption(trx, id)
    assertNotOwn(actor.actor_id, account_id)
    const status = DECIDED[action]
    const { numUpdatedRows } = await trx
      .updateTable('promo_redemptions')
      .set({ status, decided_by: actor.actor_id, decided_at: toInstant(now) })
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .executeTakeFirst()
    const redemption = await getRedemption(trx, id)
    if (!numUpdatedRows) {
      throw new DomainError('conflict.redemption_decided')
    }
    const change =
      status === 'approved'
        ? await giveBenefit(trx, redemption.account_id, redemption, { now, timezone })
        : await giveUseBack(trx, redemption)
    const subject = { subject_type: 'redemption', subject_id: id }
    await recordAdminAct(
      trx,
      { ...actor, ...subject, action: `redemption.${status}`, ...change },
      now,
    )
    await notify(trx, redemption)
    return redemption
  })
}

/** Throws not_found. */
export async function getRedemption(db: DbOrTrx, id: string): Promise<ListedRedemption> {
  return selectRedemptions(db)
    .where('promo_redemptions.id', '=', id)
    .executeTakeFirstOrThrow(() => new DomainError('not_found.redemption'))
}

async function giveUseBack(trx: Trx, { promo_code_id }: Redemption) {
  await trx
    .updateTable('promo_codes')
    .set((eb) => ({ usage_count: eb('usage_count', '-', 1) }))
    .where('id', '=', promo_code_id)
    .execute()
  return { before: { status: 'pending' }, after: { status: 'rejected' } }
}

import type { Entitlements } from '#db/accounts/entitlements.ts'
import { toInstant } from '#db/cast.ts'
import type { Trx } from '#db/client.ts'
import { type PaidPlan, PLANS } from '#domain/plans/plan.ts'

/**
 * Gives an account a plan until a time, in place of its earlier term. One of the same plan finds the child
 * codes that were left, so that stepping down and up again changes nothing.
 */
export async function setTerm(
  trx: Trx,
  { account, history }: Entitlements,
  { plan, until }: { plan: PaidPlan; until: Date },
): Promise<void> {
  const left = Math.max(0, PLANS[plan].child_qr_limit - history.childCodes)
  await trx
    .updateTable('accounts')
    .set({
      term_plan: plan,
      term_ends_at: toInstant(until),
      term_child_quota: plan === account.term_plan ? account.term_child_quota : left,
      term_reminded: 0,
    })
    .where('id', '=', account.id)
    .execute()
}

/** Ends an account's term, or forgets one that has ended. Its plan without end stays. */
export async function clearTerm(trx: Trx, accountId: string): Promise<void> {
  await trx
    .updateTable('accounts')
    .set({ term_plan: null, term_ends_at: null, term_child_quota: 0, term_reminded: 0 })
    .where('id', '=', accountId)
    .execute()
}

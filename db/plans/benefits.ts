import { getAccount } from '#db/accounts/accounts.ts'
import { changeForGood, type Entitlements, readEntitlements } from '#db/accounts/entitlements.ts'
import type { Trx } from '#db/client.ts'
import { findPermittedPlan } from '#db/plans/plan-now.ts'
import { clearTerm, setTerm } from '#db/plans/terms.ts'
import type { Account } from '#db/schema.ts'
import { withoutRole, withPlan } from '#domain/accounts/permission.ts'
import { isAbove, type PaidPlan } from '#domain/plans/plan.ts'
import { nextTerm, type PermittedPlan, planNow, withPlanNow } from '#domain/plans/term.ts'

/** When a plan begins, and where its days and months are counted. */
export type Moment = { now: Date; timezone: string }

/** A plan for a number of months; `null` is without end. */
export type GivenPlan = { plan: PaidPlan; months: number | null }

type Benefit = {
  subscription_plan: PaidPlan | null
  plan_months: number | null
  child_qr_quantity: number
}

/** The plan of an account before and after, for the audit log. */
export type PlanChange = { before: Record<string, unknown>; after: Record<string, unknown> }

/**
 * Gives an account the benefit of a promo code: child slots, and a plan, which never lowers the
 * present one. Call it in the transaction of the approval, after the row of the redemption.
 */
export async function giveBenefit(
  trx: Trx,
  accountId: string,
  { subscription_plan: plan, plan_months: months, child_qr_quantity: slots }: Benefit,
  moment: Moment,
): Promise<PlanChange> {
  return changed(trx, accountId, moment.now, async (entitlements) => {
    if (slots > 0) await giveSlots(trx, entitlements, slots)
    if (!plan) return
    // Read again, because it has the slots now.
    const now = await readEntitlements(trx, await getAccount(trx, accountId))
    const isHigher = isAbove(planNow(now.account, moment.now), plan)
    if (months === null) return giveForGood(trx, now, plan, { keepsTerm: isHigher })
    // Months beside the same plan without end would only make it look as if that ended.
    const addsToIt = isAbove(plan, withoutRole(now.lasting, now.history).subscription_plan)
    if (!isHigher && addsToIt) await givePlan(trx, now, { plan, months }, moment)
  })
}

/** From when an upgrade is, and until when; null without end. */
export type GivenTerm = { from: Date; until: Date | null }

/**
 * Gives an account the plan of an approved upgrade. Months of its present plan add to its end, also
 * to the end of a permission; a different plan with an end loses its rest.
 */
export async function giveUpgrade(
  trx: Trx,
  accountId: string,
  given: GivenPlan,
  moment: Moment,
): Promise<PlanChange & GivenTerm> {
  let term: GivenTerm = { from: moment.now, until: null }
  const change = await changed(trx, accountId, moment.now, async (entitlements) => {
    const permitted = await findPermittedPlan(trx, entitlements.account)
    term = await givePlan(trx, entitlements, given, { ...moment, permitted })
  })
  return { ...change, ...term }
}

async function givePlan(
  trx: Trx,
  entitlements: Entitlements,
  { plan, months }: GivenPlan,
  { permitted, ...moment }: Moment & { permitted?: PermittedPlan | undefined },
): Promise<GivenTerm> {
  if (months === null) {
    await giveForGood(trx, entitlements, plan, { keepsTerm: false })
    return { from: moment.now, until: null }
  }
  const term = nextTerm(entitlements.account, { plan, months }, moment, permitted)
  await setTerm(trx, entitlements, { plan, until: term.until })
  return term
}

async function giveForGood(
  trx: Trx,
  entitlements: Entitlements,
  plan: PaidPlan,
  { keepsTerm }: { keepsTerm: boolean },
): Promise<void> {
  const { account, history } = entitlements
  await changeForGood(trx, entitlements, (each) => withPlan(each, plan, history))
  if (account.term_plan && !keepsTerm) await clearTerm(trx, account.id)
}

async function giveSlots(trx: Trx, entitlements: Entitlements, slots: number): Promise<void> {
  const { id, term_plan } = entitlements.account
  await changeForGood(trx, entitlements, (each) => ({
    ...each,
    child_qr_quota: each.child_qr_quota + slots,
  }))
  if (!term_plan) return
  await trx
    .updateTable('accounts')
    .set((eb) => ({ term_child_quota: eb('term_child_quota', '+', slots) }))
    .where('id', '=', id)
    .execute()
}

async function changed(
  trx: Trx,
  accountId: string,
  now: Date,
  change: (entitlements: Entitlements) => Promise<void>,
): Promise<PlanChange> {
  const entitlements = await readEntitlements(trx, await getAccount(trx, accountId))
  await change(entitlements)
  const after = await getAccount(trx, accountId)
  return { before: planOf(entitlements.account, now), after: planOf(after, now) }
}

/** Returns the plan and quotas of an account, as the audit log records them. */
export function planOf(account: Account, now: Date) {
  const { role } = account
  const { subscription_plan, qr_limit, child_qr_quota, subscription_ends_at } = withPlanNow(
    account,
    now,
  )
  return { role, subscription_plan, qr_limit, child_qr_quota, subscription_ends_at }
}

import { type Role, roleNow } from '#domain/accounts/roles.ts'
import { DomainError } from '#domain/error.ts'
import { counted } from '#domain/number.ts'
import { hasPlans } from '#domain/plans/offer.ts'
import { isAbove, type PaidPlan, PLANS, type PlanId, UNLIMITED } from '#domain/plans/plan.ts'
import { addMonths, isDay, momentIn } from '#domain/time.ts'
import type { Refusal } from '#locales/refusal.ts'

export const MOST_MONTHS = 36
/** The numbers of months that admins choose from when they approve. */
export const MONTHS_OFFERED = [1, 3, 6, 12, 24, MOST_MONTHS] as const

/** The plan that an account has until a time, or had: null without one. Instants are ISO 8601 UTC. */
export type Term = { term_plan: PaidPlan | null; term_ends_at: string | null }

/** The plans of an account: one without end, and beside it a term. */
export type Plans = Term & { subscription_plan: PlanId }

export type Quotas = { qr_limit: number; child_qr_quota: number; term_child_quota: number }

/** The present plan of an account, as the API shows it. */
export type PlanState = {
  subscription_plan: PlanId
  /** the plan without end beneath it, which may be the same */
  lasting_plan: PlanId
  /** -1 means unlimited */
  qr_limit: number
  /** how many child codes are left to create */
  child_qr_quota: number
  /** null: no end */
  subscription_ends_at: string | null
  /** the plan that ended, until it is renewed */
  subscription_ended: { plan: PaidPlan; at: string } | null
}

function isRunning({ term_ends_at }: Term, now: Date): boolean {
  return term_ends_at !== null && Date.parse(term_ends_at) > now.getTime()
}

/**
 * Returns the account's plan at this instant. Everything that depends on a plan calls it, so that a
 * plan sleeps and wakes without a job. `planNowSql` is the same rule in SQL.
 */
export function planNow(plans: Plans, now: Date): PlanId {
  const { subscription_plan: lasting, term_plan } = plans
  if (!hasPlans()) return 'enterprise'
  return term_plan && isRunning(plans, now) && isAbove(term_plan, lasting) ? term_plan : lasting
}

/**
 * Returns the account with the plan and quotas of this instant in place of the stored ones. Use it
 * for decisions and views, never to write it back. It is idempotent.
 */
export function withPlanNow<A extends Plans & Quotas & { lasting_plan?: PlanId; role?: Role }>(
  account: A,
  now: Date,
): Omit<A, keyof PlanState> & PlanState {
  if (!hasPlans()) return withoutLimits(account)
  const { term_plan, term_ends_at, qr_limit, child_qr_quota, term_child_quota } = account
  const lasting = account.subscription_plan
  const plan = planNow(account, now)
  const isOfTerm = term_plan !== null && isRunning(account, now) && !isAbove(lasting, term_plan)
  const hasEnded = term_plan !== null && !isRunning(account, now) && isAbove(term_plan, plan)
  return {
    ...account,
    subscription_plan: plan,
    lasting_plan: account.lasting_plan ?? lasting,
    qr_limit: plan === lasting ? qr_limit : PLANS[plan].qr_limit,
    child_qr_quota: isOfTerm ? Math.max(child_qr_quota, term_child_quota) : child_qr_quota,
    subscription_ends_at: isOfTerm ? term_ends_at : null,
    subscription_ended:
      hasEnded && term_plan && term_ends_at ? { plan: term_plan, at: term_ends_at } : null,
  }
}

/** Without plans every account has the highest one for good, and child codes that are never used up. */
function withoutLimits<A extends { role?: Role }>(account: A): A & PlanState {
  return {
    ...account,
    ...(account.role && { role: roleNow(account.role) }),
    subscription_plan: 'enterprise',
    lasting_plan: 'enterprise',
    qr_limit: UNLIMITED,
    child_qr_quota: PLANS.enterprise.child_qr_limit,
    subscription_ends_at: null,
    subscription_ended: null,
  }
}

/** The plan that a permission gives until a time, after which a lower one follows. */
export type PermittedPlan = { plan: PlanId; ends_at: string }

/**
 * Returns the next period of a plan for a number of months. Months of the same plan extend its end. Paid months begin
 * at the end of a permission for the plan.
 */
export function nextTerm(
  term: Term,
  { plan, months }: { plan: PaidPlan; months: number },
  { now, timezone }: { now: Date; timezone: string },
  permitted?: PermittedPlan,
): { from: Date; until: Date } {
  const ends = [
    term.term_plan === plan ? term.term_ends_at : null,
    permitted?.plan === plan ? permitted.ends_at : null,
  ]
  const later = ends.filter((end) => end !== null).map((end) => Date.parse(end))
  const from = new Date(Math.max(now.getTime(), ...later))
  return { from, until: addMonths(from, months, timezone) }
}

/**
 * Returns the end of a plan on a typed day, which it includes, or at a typed time. Throws invalid
 * unless it is in the future.
 */
export function endOfPlan(typed: string, timezone: string, now: Date): Date {
  const end = momentIn(timezone, typed)
  if (!end) throw new DomainError('invalid.plan_end')
  const last = isDay(typed) ? new Date(end.getTime() - 1) : end
  if (last <= now) throw new DomainError('invalid.plan_end_past')
  return last
}

/** Returns the reason why a number of months is refused. */
export function monthsProblem(
  months: number | null,
  field: 'months' | 'plan_months' = 'months',
): Refusal | undefined {
  if (months === null) return undefined
  const fits = Number.isInteger(months) && months >= 1 && months <= MOST_MONTHS
  if (fits) return undefined
  return { code: 'invalid.range', values: { field, least: 1, most: MOST_MONTHS } }
}

/** Throws invalid. */
export function assertMonths(months: number | null): void {
  const problem = monthsProblem(months)
  if (problem) throw new DomainError(problem)
}

/** Returns `1 month`, `3 months`, `no end`. */
export function monthsText(months: number | null): string {
  if (months === null) return 'no end'
  return counted(months, 'month')
}

/** Returns the effect of a plan with an end on the one that runs until the day `until`. */
export function effectOf(plan: PaidPlan, current: PlanId, until: string): string {
  const { name } = PLANS[current]
  return plan === current
    ? `Added to your ${name} plan, which runs until ${until}`
    : `Starts at once. What is left of ${name}, until ${until}, is lost`
}

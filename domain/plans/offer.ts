/** Where a list names a thing by an id, these are about plans. */
const ABOUT_PLANS = new Set([
  // pages and tabs
  ...['plan', 'promo-codes', 'upgrade-requests'],
  // work that waits for admins
  ...['upgrade', 'redemption'],
  // the permission, which gives a plan
  'premium',
  // calls of the API
  'Plans',
  // what acts of admins change
  ...['subscription_plan', 'subscription_ends_at', 'qr_limit', 'child_qr_quota'],
])

let areOn = true

/** Says whether this process has plans, as the setting `PLANS` does. A browser always has them. */
export function switchPlans(on: boolean): void {
  areOn = on
}

/** Returns whether there are plans. Without them every account has what Enterprise has, without limits. */
export function hasPlans(): boolean {
  return areOn
}

/** Returns the entries of a list; without plans only those that are not about plans. */
export function onOffer<T extends string | { id: string }>(entries: readonly T[]): readonly T[] {
  if (areOn) return entries
  return entries.filter((entry) => !ABOUT_PLANS.has(typeof entry === 'string' ? entry : entry.id))
}

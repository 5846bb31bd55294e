import { onOffer } from '#domain/plans/offer.ts'
import { PLAN_IDS, type PlanId } from '#domain/plans/plan.ts'

/** The tabs of the super admin's page in display order; the first is the default. */
export const ADMIN_TABS = [
  { id: 'overview', label: 'Overview', icon: 'home' },
  { id: 'users', label: 'Users', icon: 'users' },
  { id: 'qr-codes', label: 'QR Codes', icon: 'qr' },
  { id: 'promo-codes', label: 'Promo Codes', icon: 'ticket' },
  { id: 'support', label: 'Support', icon: 'headset' },
  { id: 'analytics', label: 'Analytics', icon: 'chart' },
  { id: 'system', label: 'System', icon: 'gear' },
] as const
export type AdminTab = (typeof ADMIN_TABS)[number]['id']

/** The filters of the list of users. */
export const PLAN_FILTERS = [
  { id: '', label: 'All' },
  { id: 'free', label: 'Free' },
  { id: 'premium', label: 'Premium' },
  { id: 'enterprise', label: 'Enterprise' },
] as const

export function readPlan(value: string | undefined): PlanId | undefined {
  return PLAN_IDS.find((id) => id === value)
}

export function readAdminTab(value: string | undefined): AdminTab {
  return onOffer(ADMIN_TABS).find(({ id }) => id === value)?.id ?? ADMIN_TABS[0].id
}

/** Returns the address of a tab with query parameters. Empty ones are left out. */
export function adminHref(tab: AdminTab, rest: Record<string, string> = {}): string {
  const params = Object.entries(rest).filter(([, value]) => value !== '')
  return `/admin?${new URLSearchParams([['tab', tab], ...params])}`
}

/** Returns the action of a form on the Promo Codes tab. */
export function promoAction(path = ''): string {
  return `/admin/promo-codes${path}`
}

/** Returns the address of a page of a tab's list. */
export function adminPageHref(
  tab: AdminTab,
  page: number,
  rest: Record<string, string> = {},
): string {
  return adminHref(tab, { ...rest, page: page > 1 ? String(page) : '' })
}

import type { Role } from '#domain/accounts/roles.ts'
import { readPageNumber, readSearch } from '#domain/dashboard.ts'
import { onOffer } from '#domain/plans/offer.ts'

/** The tabs of the admin management page in display order; the first is the default. */
export const MANAGEMENT_TABS = [
  { id: 'users', label: 'User Management', icon: 'users' },
  { id: 'permissions', label: 'Permissions', icon: 'lock' },
  { id: 'promo-codes', label: 'Promo Codes', icon: 'ticket' },
  { id: 'upgrade-requests', label: 'Upgrade Requests', icon: 'crown' },
  { id: 'hierarchy', label: 'User Hierarchy', icon: 'tree' },
  { id: 'reports', label: 'Reports', icon: 'flag' },
  { id: 'support', label: 'Support', icon: 'headset' },
] as const
export type ManagementTab = (typeof MANAGEMENT_TABS)[number]['id']

/** The filters of the list of users. */
export const ROLE_FILTERS = [
  { id: 'all', label: 'All' },
  { id: 'client', label: 'Client' },
  { id: 'admin', label: 'Admin' },
  { id: 'moderator', label: 'Moderator' },
  { id: 'super_admin', label: 'Super Admin' },
] as const
export type RoleFilter = (typeof ROLE_FILTERS)[number]['id']

export const USERS_PAGE_SIZE = 20

/** The search, filter and page of the list of users, as in the page's address. */
export type UserPlace = { q: string; role: RoleFilter; page: number }

export function readManagementTab(value: string | undefined): ManagementTab {
  return onOffer(MANAGEMENT_TABS).find(({ id }) => id === value)?.id ?? MANAGEMENT_TABS[0].id
}

/** Returns the address of a tab with query parameters. Empty ones are left out. */
export function managementHref(tab: ManagementTab, rest: Record<string, string> = {}): string {
  const params = Object.entries(rest).filter(([, value]) => value !== '')
  return `/admin-dashboard?${new URLSearchParams([['tab', tab], ...params])}`
}

/** Returns the action of a form on a tab. */
export function managementAction(tab: ManagementTab, path = ''): string {
  return `/admin-dashboard/${tab}${path}`
}

/** Returns the action of the permissions dialog. Its answer redirects back to the same place. */
export function permissionAction(userId: string, tab: ManagementTab, place: UserPlace): string {
  const query = new URLSearchParams({ tab, ...userPlaceFields(place) })
  return `/admin-dashboard/users/${userId}/permissions?${query}`
}

/** Returns the role of a filter; undefined for all roles. */
export function filteredRole(filter: 'all' | Role): Role | undefined {
  return filter === 'all' ? undefined : filter
}

export function readUserPlace(query: Record<string, string | undefined>): UserPlace {
  return {
    q: readSearch(query.q),
    role: ROLE_FILTERS.find(({ id }) => id === query.role)?.id ?? 'all',
    page: readPageNumber(query.page),
  }
}

export function userPlaceFields({ q, role, page }: UserPlace): Record<string, string> {
  return {
    ...(q && { q }),
    ...(role !== 'all' && { role }),
    ...(page > 1 && { page: String(page) }),
  }
}

import type { Role } from '#domain/accounts/roles.ts'
import type { QrDialog } from '#domain/dialogs.ts'
import { toNumber } from '#domain/number.ts'
import { WHOSE, type Whose } from '#domain/people/share.ts'
import type { PaidPlan } from '#domain/plans/plan.ts'
import { cleanLine, LENGTHS } from '#domain/text.ts'

/** The tabs in display order; the first is the default. */
const DASHBOARD_TABS = [
  { id: 'my-qrs', label: 'My QR Codes', icon: 'qr' },
  { id: 'messages', label: 'Messages', icon: 'chat' },
  { id: 'popup-images', label: 'Popup Images', icon: 'image' },
  { id: 'documents', label: 'Documents', icon: 'doc' },
  { id: 'gallery', label: 'Gallery', icon: 'gallery' },
  { id: 'password-requests', label: 'Reset Requests', icon: 'reset' },
  { id: 'analytics', label: 'Analytics', icon: 'chart' },
  { id: 'reports', label: 'Reports', icon: 'flag' },
] as const
export type DashboardTab = (typeof DASHBOARD_TABS)[number]['id']

export const QR_LAYOUTS = ['grid-small', 'grid-medium', 'grid-large', 'list'] as const
export type QrLayout = (typeof QR_LAYOUTS)[number]

/** The search, company, filter, order and page of the list of codes, as in the page's address. */
export type QrPlace = {
  q: string
  page: number
  company_fleet_name?: string
  filter?: QrFilter
  sort?: QrSort
  shared?: Whose
}

/** The filters of the list, and its orders besides the newest first. */
export const QR_FILTERS = { due: 'Due soon', lost: 'Lost' } as const
export type QrFilter = keyof typeof QR_FILTERS
export const QR_SORTS = { due: 'Due first', scans: 'Most scans', title: 'A to Z' } as const
export type QrSort = keyof typeof QR_SORTS

export const FIRST_PLACE: QrPlace = { q: '', page: 1 }

/** Returns whether a place shows only some of the codes. */
export function isNarrowed({ q, company_fleet_name, filter, shared }: QrPlace): boolean {
  return Boolean(q || company_fleet_name || filter || shared)
}

/** Returns the tabs of an account. Admins have the reports on the management page. */
export function tabsOf(role: Role) {
  return DASHBOARD_TABS.filter(({ id }) => id !== 'reports' || role === 'moderator')
}

export function readTab(value: string | undefined, role: Role): DashboardTab {
  return tabsOf(role).find(({ id }) => id === value)?.id ?? DASHBOARD_TABS[0].id
}

/** Returns the address of a tab at a place in its list of codes, with further query parameters. */
export function tabHref(
  tab: DashboardTab,
  place: QrPlace = FIRST_PLACE,
  rest: Record<string, string> = {},
): string {
  return `/dashboard?${new URLSearchParams({ tab, ...placeFields(place), ...rest })}`
}

/** Returns the action of a form on a tab, with further query parameters. Its answer redirects back to the same place. */
export function tabAction(
  tab: DashboardTab,
  path: string,
  place: QrPlace = FIRST_PLACE,
  rest: Record<string, string> = {},
): string {
  const query = String(new URLSearchParams({ ...placeFields(place), ...rest }))
  return `/dashboard/${tab}${path}${query && `?${query}`}`
}

/** Returns the action of the form that decides a reset request. */
export function resetRequestAction(requestId: string): string {
  return `/dashboard/password-requests/${requestId}`
}

export function readLayout(value: string | undefined): QrLayout | undefined {
  return QR_LAYOUTS.find((layout) => layout === value)
}

/** Codes per page: small layouts show twice as many. */
export function pageSize(layout: QrLayout): number {
  return layout === 'grid-small' || layout === 'list' ? 24 : 12
}

const LAST_PAGE = 1_000_000

export function readPlace(query: Record<string, string | undefined>): QrPlace {
  const filter = ownKey(QR_FILTERS, query.filter)
  const sort = ownKey(QR_SORTS, query.sort)
  const shared = ownKey(WHOSE, query.shared)
  const company_fleet_name = readSearch(query.company_fleet_name)
  const chosen = {
    ...(company_fleet_name && { company_fleet_name }),
    ...(filter && { filter }),
    ...(sort && { sort }),
    ...(shared && { shared }),
  }
  return { q: readSearch(query.q), page: readPageNumber(query.page), ...chosen }
}

function ownKey<T extends object>(of: T, key = ''): keyof T | undefined {
  return Object.hasOwn(of, key) ? (key as keyof T) : undefined
}

/** Returns the search text without hidden characters, which stored names do not have either. */
export function readSearch(value: string | undefined): string {
  return cleanLine(value?.slice(0, LENGTHS.other)) ?? ''
}

/** Returns the page number in a query string; 1 when it is missing or invalid. */
export function readPageNumber(value: string | undefined): number {
  const page = toNumber(value)
  return Number.isInteger(page) && page > 0 ? Math.min(page, LAST_PAGE) : 1
}

/** Returns the address of a place in the list of codes, with further query parameters. */
export function placeHref(place: QrPlace, rest: Record<string, string> = {}): string {
  return `/dashboard?${new URLSearchParams({ tab: 'my-qrs', ...placeFields(place), ...rest })}`
}

/** The purpose of a selection: any act, or labels alone. */
export type SelectFor = '1' | 'labels'

export function readSelectFor(value: string | undefined): SelectFor | undefined {
  return value === '1' || value === 'labels' ? value : undefined
}

/** Returns the address at which codes of the list can be selected. */
export function selectHref(
  { filter: _, sort: __, ...place }: QrPlace,
  purpose: SelectFor = '1',
): string {
  return placeHref(place, { select: purpose })
}

/** Returns the address that opens the list with a dialog over it. */
export function dialogHref(dialog: QrDialog, place: QrPlace, qrId = '1'): string {
  return placeHref(place, { [dialog]: qrId })
}

/** Returns the action of a form in the list of codes. Its answer redirects back to the same place. */
export function formAction(path: string, place: QrPlace): string {
  const query = String(new URLSearchParams(placeFields(place)))
  return `/dashboard/qr${path}${query && `?${query}`}`
}

/** Returns the image of a code as a file. `size` is pixels per module. */
export function imageHref(
  qrId: string,
  format: 'png' | 'svg',
  size: number,
  hasFrame = false,
): string {
  const query = { format, size: String(size), ...(hasFrame && { frame: '1' }) }
  return `/dashboard/qr/${qrId}/image?${new URLSearchParams(query)}`
}

/** Returns the address of the page that making a code leads to. */
export function madeHref(qrId: string): string {
  return `/dashboard/qr/${qrId}/made`
}

/**
 * Returns the address that opens the Upgrade dialog, for `promo` at its promo codes. `limit` says
 * that a plan limit was reached.
 */
export function upgradeHref(why: '1' | 'limit' | 'promo' = '1'): string {
  return `/dashboard?upgrade=${why}`
}

/** Returns the address that opens the Upgrade dialog with a plan chosen. */
export function renewHref(plan: PaidPlan): string {
  return `${upgradeHref()}&plan=${plan}`
}

/** Returns the action of a form in the Upgrade dialog. */
export function upgradeAction(path = ''): string {
  return `/dashboard/upgrade${path}`
}

/** Returns the query parameters of a place. */
export function placeFields(place: QrPlace): Record<string, string> {
  const { q, page, company_fleet_name, filter, sort, shared } = place
  return {
    ...(q && { q }),
    ...(company_fleet_name && { company_fleet_name }),
    ...(filter && { filter }),
    ...(sort && { sort }),
    ...(shared && { shared }),
    ...(page > 1 && { page: String(page) }),
  }
}

/** The papers and services of all codes with a date, the nearest first. */
export const DUE_HREF = tabHref('documents', { ...FIRST_PLACE, sort: 'due' })

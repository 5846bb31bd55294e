import { cleanLine, LENGTHS } from '#domain/text.ts'

/** The tabs that are there, in the order of the bar; the first is the dashboard's front page. */
export const DASHBOARD_TABS = [
  { id: 'my-qrs', label: 'My QR Codes', icon: 'qr' },
  { id: 'popup-images', label: 'Popup Images', icon: 'image' },
  { id: 'documents', label: 'Documents', icon: 'doc' },
  { id: 'gallery', label: 'Gallery', icon: 'gallery' },
  { id: 'password-requests', label: 'Reset Requests', icon: 'reset' },
  { id: 'analytics', label: 'Analytics', icon: 'chart' },
] as const
export type DashboardTab = (typeof DASHBOARD_TABS)[number]['id']

export const QR_DIALOGS = [
  'create',
  'edit',
  'delete',
  'undo-claim',
  'show',
  'bulk',
  'child',
  'made',
  'labels',
  'api-keys',
] as const
export type QrDialog = (typeof QR_DIALOGS)[number]

/** Over the tabs of documents and images; what they are about is named by its id. */
export const FILE_DIALOGS = ['upload', 'delete', 'show', 'share'] as const
export type FileDialog = (typeof FILE_DIALOGS)[number]

export const QR_LAYOUTS = ['grid-small', 'grid-medium', 'grid-large', 'list'] as const
export type QrLayout = (typeof QR_LAYOUTS)[number]

/** Where in the list of codes somebody is, as the page's address says it. */
export type QrPlace = { q: string; page: number }

export const FIRST_PLACE: QrPlace = { q: '', page: 1 }

export function readTab(value: string | undefined): DashboardTab {
  return DASHBOARD_TABS.find(({ id }) => id === value)?.id ?? DASHBOARD_TABS[0].id
}

/** The address of a tab, at a place in the codes that it lists, with what else it is to say. */
export function tabHref(
  tab: DashboardTab,
  place: QrPlace = FIRST_PLACE,
  rest: Record<string, string> = {},
): string {
  return `/dashboard?${new URLSearchParams({ tab, ...placeFields(place), ...rest })}`
}

/** Where a form of a tab is posted; the answer leads back to the same place. */
export function tabAction(tab: DashboardTab, path: string, place: QrPlace = FIRST_PLACE): string {
  const query = String(new URLSearchParams(placeFields(place)))
  return `/dashboard/${tab}${path}${query && `?${query}`}`
}

/** Where a request is decided for whoever has no script. */
export function resetRequestAction(requestId: string): string {
  return `/dashboard/password-requests/${requestId}`
}

export function readLayout(value: string | undefined): QrLayout | undefined {
  return QR_LAYOUTS.find((layout) => layout === value)
}

/** How many codes a page holds: what is small fits twice. */
export function pageSize(layout: QrLayout): number {
  return layout === 'grid-small' || layout === 'list' ? 24 : 12
}

const LAST_PAGE = 1_000_000

export function readPlace(query: Record<string, string | undefined>): QrPlace {
  return { q: readSearch(query.q), page: readPageNumber(query.page) }
}

/** What is looked for, without what is not seen: names are kept without it too. */
export function readSearch(value: string | undefined): string {
  return cleanLine(value?.slice(0, LENGTHS.other)) ?? ''
}

/** The number of a page as an address says it; what is none is the first. */
export function readPageNumber(value: string | undefined): number {
  const page = Number(value)
  return Number.isInteger(page) && page > 0 ? Math.min(page, LAST_PAGE) : 1
}

/** The address of a place in the list, with what else it is to say. */
export function placeHref(place: QrPlace, rest: Record<string, string> = {}): string {
  return `/dashboard?${new URLSearchParams({ tab: 'my-qrs', ...placeFields(place), ...rest })}`
}

/** A page that opens with a dialog over its list, for whoever has no script to open it on the spot. */
export function dialogHref(dialog: QrDialog, place: QrPlace, qrId = '1'): string {
  return placeHref(place, { [dialog]: qrId })
}

/** The dialog of the account's API keys, or the one that asks before a key is revoked. */
export function apiKeyHref(keyId?: string): string {
  return dialogHref('api-keys', FIRST_PLACE, keyId)
}

/** Where the forms of that dialog are posted by whoever has no script. */
export function apiKeyAction(path = ''): string {
  return `/dashboard/api-keys${path}`
}

/** Where a form of the list is posted; the answer leads back to the same place. */
export function formAction(path: string, place: QrPlace): string {
  const query = String(new URLSearchParams(placeFields(place)))
  return `/dashboard/qr${path}${query && `?${query}`}`
}

/** The image of a code as a file. `size` is pixels per module. */
export function imageHref(qrId: string, format: 'png' | 'svg', size: number): string {
  return `/dashboard/qr/${qrId}/image?${new URLSearchParams({ format, size: String(size) })}`
}

/** The Upgrade dialog over the front page; `limit` is why it opens. */
export function upgradeHref(why: '1' | 'limit' = '1'): string {
  return `/dashboard?upgrade=${why}`
}

/** Where the forms of the Upgrade dialog are posted by whoever has no script. */
export function upgradeAction(path = ''): string {
  return `/dashboard/upgrade${path}`
}

function placeFields({ q, page }: QrPlace): Record<string, string> {
  return { ...(q && { q }), ...(page > 1 && { page: String(page) }) }
}

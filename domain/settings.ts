/** The pages of Settings in display order. */
export const SETTINGS_PAGES = [
  { id: 'profile', label: 'Profile', icon: 'user' },
  { id: 'people', label: 'People', icon: 'users' },
  { id: 'security', label: 'Security', icon: 'lock' },
  { id: 'notifications', label: 'Notifications', icon: 'bell' },
  { id: 'branding', label: 'Branding', icon: 'palette' },
  { id: 'calendar', label: 'Calendar', icon: 'calendar' },
  { id: 'plan', label: 'Plan and receipts', icon: 'card' },
  { id: 'support', label: 'Support', icon: 'headset' },
  { id: 'api-keys', label: 'API keys', icon: 'bolt' },
  { id: 'data', label: 'Your data', icon: 'database' },
] as const
export type SettingsPage = (typeof SETTINGS_PAGES)[number]['id']

export const SETTINGS_HREF = '/settings'

/** Returns the URL path of a page of Settings, with query parameters. The paths of its forms begin with it. */
export function settingsHref(
  page: SettingsPage | `${SettingsPage}/${string}`,
  query: Record<string, string> = {},
): string {
  const search = String(new URLSearchParams(query))
  return `${SETTINGS_HREF}/${page}${search && `?${search}`}`
}

/** The page of the people who are told if nobody answers. */
export const ESCALATION_PAGE = 'notifications/if-nobody-answers'

/** Returns the URL path of a webhook's page, with query parameters. */
export function webhookHref(id: string, query: Record<string, string> = {}): string {
  return settingsHref(`notifications/webhooks/${id}`, query)
}

/** Returns the URL path of a form on a page of Settings. */
export function settingsAction(page: SettingsPage, path = ''): string {
  return `${settingsHref(page)}${path}`
}

/** Returns the URL path of the PDF of a receipt. */
export function receiptHref(number: string): string {
  return `${settingsHref('plan')}/receipts/${number}.pdf`
}

/** Returns the URL path of a ticket's page, with query parameters. */
export function ticketHref(id: string, query: Record<string, string> = {}): string {
  return settingsHref(`support/${id}`, query)
}

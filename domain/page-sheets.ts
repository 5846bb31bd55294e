/** The style sheets of some signed-in pages, beside the shared sheet. */
export type PagePart =
  | 'admin'
  | 'branding'
  | 'codes'
  | 'made'
  | 'messages'
  | 'security'
  | 'selection'
  | 'settings'
  | 'tabs'
  | 'tickets'

/** The style sheets of `components/css`, by their names. */
export const SHEETS = [
  'app',
  'app-auto',
  'app-dark',
  'part-admin',
  'part-branding',
  'part-codes',
  'part-made',
  'part-messages',
  'part-security',
  'part-selection',
  'part-settings',
  'part-tabs',
  'part-tickets',
  'public',
] as const satisfies (`part-${PagePart}` | 'app' | 'app-auto' | 'app-dark' | 'public')[]
export type Sheet = (typeof SHEETS)[number]

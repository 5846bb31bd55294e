import type { Scope } from '#domain/accounts/api-key.ts'

/** The groups of calls, in the order of the documentation. */
export const SUBJECTS = {
  Accounts: 'Registering, signing in and out, and ways back in.',
  'QR codes': 'The codes of an account, their images and labels.',
  'Claims and child users': 'Claiming and registering codes made by others.',
  Transfers: 'Handing a code over to another account.',
  People: 'The people who help with the codes of an account, and the owners that it helps.',
  Scans: 'What a finder sees of a code, and the scans that its owner sees.',
  Messages: 'What finders and the users of codes write to each other.',
  Support: 'Tickets of customers (Enterprise), and the answers to them.',
  Alerts: 'What reaches an account, and by which channels.',
  Documents: 'The documents of a code, and those that authorities see.',
  Calendar: 'The address at which calendar programs read what ends.',
  Gallery: 'Viewing documents and sharing them by temporary links (Premium and Enterprise).',
  'Popup images': 'Images that finders see before the contact details.',
  Branding: 'The name, colour and logo of your pages, and an address of your own.',
  Plans: 'Plans, upgrades and promo codes.',
  'API keys': 'Keys with which programs act for an account (Enterprise).',
  Moderation: 'For moderators and admins: what finders and owners reported.',
  Administration: 'For admins and super admins.',
  'This description': 'For documentation viewers and client generators.',
} as const

export type Subject = keyof typeof SUBJECTS

/** The scope that an API key needs to read by the calls of a subject, and to change. Keys make no other calls. */
export const KEY_SCOPES = {
  'QR codes': { read: 'codes:read', write: 'codes:write' },
  'Claims and child users': { read: 'codes:read', write: 'codes:write' },
  Transfers: { read: 'codes:read', write: 'codes:write' },
  Scans: { read: 'codes:read', write: 'codes:write' },
  'Popup images': { read: 'codes:read', write: 'codes:write' },
  Documents: { read: 'papers', write: 'papers' },
  Gallery: { read: 'papers', write: 'papers' },
  Messages: { read: 'messages', write: 'messages' },
} as const satisfies { [subject in Subject]?: { read: Scope; write: Scope } }
export type KeySubject = keyof typeof KEY_SCOPES

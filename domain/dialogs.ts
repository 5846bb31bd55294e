/**
 * The dialogs over a page. Each is a query parameter of the page's address. The script of all pages takes
 * them out of it, so nothing else that it would have to load is in this file.
 */
import type { ReportAct } from '#domain/conversations/report.ts'

/** The dialogs of the list of codes. */
export const QR_DIALOGS = [
  'create',
  'edit',
  'delete',
  'undo-claim',
  'lost',
  'replace',
  'activation',
  'transfer',
  'show',
  'bulk',
  'child',
  'made',
  'labels',
  'import',
  'chosen',
] as const
export type QrDialog = (typeof QR_DIALOGS)[number]

/** The dialogs of the document and image tabs. The value is an id. */
export const FILE_DIALOGS = [
  'upload',
  'replace',
  'ends',
  'delete',
  'publish',
  'show',
  'ways',
  'share',
  'unshare',
] as const

/** The dialogs of a conversation. */
export const CONVERSATION_DIALOGS = ['number', 'report', 'block', 'delete'] as const

/** Those that ask before an act on a report. The value is the report's id. */
export const REPORT_DIALOGS = {
  dismiss: 'dismiss',
  block_sender: 'block-sender',
  hide_popup_image: 'hide-image',
  deactivate_code: 'deactivate-code',
  block_account: 'block-account',
  hold_code: 'hold-code',
  answer: 'answer',
} as const satisfies Record<ReportAct, string>

/** The dialogs of the admin pages. The value is an id. */
export const MANAGEMENT_DIALOGS = [
  'permissions',
  'request',
  'approve',
  'reject',
  'invite',
  'withdraw',
] as const

/** The dialogs of the pages of Settings. The value is an id or a kind. */
export const SETTINGS_DIALOGS = [
  'revoke',
  'connect',
  'disconnect',
  'secret',
  'remove',
  'rename',
  'renew',
  'leave',
  'change',
] as const

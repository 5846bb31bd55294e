import { UNDO_TEXTS } from '#domain/codes/claim.ts'
import { formatCount } from '#domain/number.ts'
import { uploadText, visibilityText } from '#domain/papers/document.ts'
import { REDEMPTION_TEXTS } from '#domain/plans/promo-notice.ts'
import { TRANSFER_TEXTS } from '#domain/transfers/transfer.ts'

const DONE = {
  updated: 'QR code updated successfully!',
  deleted: 'QR code deleted successfully!',
  'claim-undone': UNDO_TEXTS.done,
  lost: 'QR code marked as lost',
  'found-again': 'QR code found again',
  replaced: 'QR code replaced. Print its new label.',
  'claims-taken': 'The QR codes are in your account now.',
  'claim-refused': 'The QR code stays with its issuer.',
  'claims-refused': 'The QR codes stay with their issuers.',
  taken: 'The QR code is in your account now.',
  'transfer-started': TRANSFER_TEXTS.started,
  'transfer-cancelled': TRANSFER_TEXTS.cancelled,
  'transfer-declined': TRANSFER_TEXTS.declined,
  helping: 'You help now.',
  transferred: TRANSFER_TEXTS.accepted,
  bulk: 'QR codes created successfully!',
  child: 'child QR codes created successfully!',
  imported: 'QR codes imported',
  'import-updated': 'QR codes updated',
  'bulk-activate': 'QR codes activated',
  'bulk-deactivate': 'QR codes deactivated',
  'bulk-set_company_fleet_name': 'QR codes updated',
  'bulk-set_contact_mode': 'QR codes updated',
  'bulk-delete': 'QR codes deleted',
  'document-uploaded': uploadText(null),
  'document-with-password': uploadText('password'),
  'document-without-page': uploadText('no_page'),
  'document-deleted': 'Document deleted successfully!',
  'document-end': 'Date saved',
  'document-shown': visibilityText(true),
  'document-hidden': visibilityText(false),
  'documents-shown': visibilityText(true, true),
  'documents-hidden': visibilityText(false, true),
  'documents-undone': 'Undone. Each document is again as you chose it.',
  'promo-approved': REDEMPTION_TEXTS.approved,
  'promo-pending': REDEMPTION_TEXTS.pending,
  'payment-sent': 'Payment details sent',
  'upgrade-taken-back': 'Upgrade request taken back',
  'screenshot-sent': 'Screenshot sent',
  'image-uploaded': 'Popup image uploaded successfully!',
  'image-deleted': 'Popup image deleted successfully!',
  'image-activated': 'Image activated!',
  'image-deactivated': 'Image deactivated!',
  mailed: 'Document sent',
  'link-ended': 'Link ended',
  'guardian-confirmed': 'Thank you. The account works now.',
  'reset-confirmed': 'Thank you. Your private documents and messages are open again.',
  'reset-thanks': 'Thank you.',
  'reset-denied': 'Every other device is signed out.',
  answered: 'Answer sent',
  'number-shared': 'Your number is shared',
  muted: 'Muted. You get no more mails about this conversation.',
  unmuted: 'Unmuted. You get mails about this conversation again.',
  closed: 'Conversation closed',
  open: 'Conversation reopened',
  returned: 'Closed. The finder was thanked.',
  blocked: 'Sender blocked. The conversation has ended.',
  unblocked: 'Sender unblocked. You can write to each other again.',
  reported: 'Report sent',
  'conversation-deleted': 'Conversation deleted',
} as const

export type Done = keyof typeof DONE

/** Returns the outcome of a form from the query, which the bar says. */
export function doneText(query: Record<string, string>): string | undefined {
  const { done = '', count = '', updated = '' } = query
  if (!Object.hasOwn(DONE, done)) return undefined
  const text = DONE[done as Done]
  if (!COUNT.test(count)) return text
  const counted = `${formatCount(Number(count))} ${count === '1' ? text.replace('codes', 'code') : text}`
  return COUNT.test(updated) ? `${counted}, ${formatCount(Number(updated))} updated` : counted
}

const COUNT = /^\d{1,5}$/

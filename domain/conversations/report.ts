export type ReportKind = 'page' | 'conversation'

export const REPORT_REASONS = ['threat', 'spam', 'offensive', 'fraud', 'other'] as const
export type ReportReason = (typeof REPORT_REASONS)[number]

/** The most UTF-16 units of a report's text. */
export const REPORT_TEXT_LENGTH = 500

export const REPORT_ACTIONS = [
  'dismiss',
  'block_sender',
  'hide_popup_image',
  'deactivate_code',
  'block_account',
] as const
/** The acts of moderators on a report; only admins block accounts. */
export type ReportAction = (typeof REPORT_ACTIONS)[number]

/** The acts with those that leave a report open. */
export const REPORT_ACTS = [...REPORT_ACTIONS, 'hold_code', 'answer'] as const
export type ReportAct = (typeof REPORT_ACTS)[number]

export type Report = { reason: ReportReason; text: string | null }

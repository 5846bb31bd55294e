import { cleanText } from '#domain/text.ts'

export type ReportKind = 'page' | 'conversation'

export const REPORT_REASONS = ['threat', 'spam', 'offensive', 'fraud', 'other'] as const
export type ReportReason = (typeof REPORT_REASONS)[number]

/** The most UTF-16 units of a report's text. */
export const REPORT_TEXT_LENGTH = 500

export const REPORT_ACTIONS = [
  'dismiss',
  'hide_popup_image',
  'deactivate_code',
  'block_account',
] as const
/** What moderators do about a report; only admins block accounts. */
export type ReportAction = (typeof REPORT_ACTIONS)[number]

export type Report = { reason: ReportReason; text: string | null }

export const REPORT_PROBLEMS = {
  reason: 'Please choose what is wrong',
  text: `Text must be at most ${REPORT_TEXT_LENGTH} characters`,
} as const

type Read =
  | { report: Report; problem?: undefined }
  | { problem: keyof typeof REPORT_PROBLEMS; report?: undefined }

/** Reads the fields of the form, or of the call, and names the first that is wrong. */
export function readReport(sent: Record<string, unknown>): Read {
  const reason = REPORT_REASONS.find((each) => each === sent.reason)
  if (!reason) return { problem: 'reason' }
  const text = cleanText(sent.text)
  if (text && text.length > REPORT_TEXT_LENGTH) return { problem: 'text' }
  return { report: { reason, text } }
}

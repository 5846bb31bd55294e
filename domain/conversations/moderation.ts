import { isAdmin, isOfStaff, type Role } from '#domain/accounts/roles.ts'
import {
  REPORT_ACTS,
  type ReportAct,
  type ReportKind,
  type ReportReason,
} from '#domain/conversations/report.ts'
import { DomainError } from '#domain/error.ts'
import { DAY } from '#domain/rate-limits.ts'

export const REPORT_STATUSES = ['open', 'decided'] as const
export type ReportStatus = (typeof REPORT_STATUSES)[number]

/** The lifetime of a decided report, in seconds. */
export const DECIDED_LIFETIME = 90 * DAY

/**
 * The present state of the reported code. `moved`: it is another account's. `held`: its account
 * issued it, and a person without an account claimed it.
 */
export type ReportedCode = 'there' | 'held' | 'moved' | 'deleted'

/** A report as it is now. */
export type Reported = {
  kind: ReportKind
  status: ReportStatus
  /** the user and the owner of the page; of a conversation, the reporting account */
  holders: { id: string; role: Role }[]
  code: ReportedCode
  /** a claimer without an account wrote the page */
  is_claimers: boolean
  /** how many of the images that it shows are still there */
  images_left: number
  /** whether it is still known who wrote the conversation */
  is_sender_known: boolean
  /** whether the account that reported a conversation has a verified address */
  has_address: boolean
  is_answered: boolean
}

/** `id` is null for the command line, which may do all that a super admin may. */
export type Decider = { id: string | null; role: Role }

/** Throws forbidden, conflict and invalid when the decider may not do this about a report, or not now. */
export function assertMayDecide(action: ReportAct, report: Reported, decider: Decider): void {
  const problem =
    problemOfDecider(action, report, decider) ??
    (report.status === 'decided' ? new DomainError('conflict.report_decided') : undefined) ??
    problemOfAction(action, report)
  if (problem) throw problem
}

/** Returns the decider's possible acts on a report. */
export function possibleActions(report: Reported, decider: Decider): ReportAct[] {
  if (report.status === 'decided') return []
  return REPORT_ACTS.filter(
    (action) => !problemOfDecider(action, report, decider) && !problemOfAction(action, report),
  )
}

/** Returns the reason why another person has to decide: the page belongs to the decider, or to a superior. */
export function whyOthersDecide(
  { kind, holders }: Reported,
  decider: Decider,
): 'own_report' | 'admins_report' | undefined {
  if (kind !== 'page') return undefined
  if (holders.some(({ id }) => id === decider.id)) return 'own_report'
  return holders.some(({ role }) => isAdmin(role)) && !isAdmin(decider.role)
    ? 'admins_report'
    : undefined
}

function problemOfDecider(
  action: ReportAct,
  report: Reported,
  decider: Decider,
): DomainError | undefined {
  if (!isOfStaff(decider.role)) return new DomainError('forbidden.moderators_only')
  if (action === 'block_account' && !isAdmin(decider.role)) {
    return new DomainError('forbidden.admins_only')
  }
  const isReporter = report.holders.some(({ id }) => id === decider.id)
  if (report.kind === 'conversation' && action !== 'dismiss' && isReporter) {
    return new DomainError('forbidden.own_conversation_report')
  }
  const why = whyOthersDecide(report, decider)
  return why && new DomainError(`forbidden.${why}`)
}

function problemOfAction(action: ReportAct, report: Reported): DomainError | undefined {
  if (action === 'dismiss') return undefined
  const isOfConversation = action === 'block_sender' || action === 'answer'
  if (report.kind === 'conversation') {
    return isOfConversation
      ? problemOfSender(action, report)
      : new DomainError('invalid.conversation_report')
  }
  if (isOfConversation) return new DomainError('invalid.page_report')
  if (action === 'hide_popup_image') {
    return report.images_left === 0 ? new DomainError('conflict.no_popup_image') : undefined
  }
  // The account of that time answers for the page, also after a transfer or a deletion of the code.
  if (action === 'block_account') {
    return report.is_claimers ? new DomainError('conflict.code_held') : undefined
  }
  return report.code === 'deleted' ? new DomainError('conflict.code_deleted') : undefined
}

function problemOfSender(
  action: 'block_sender' | 'answer',
  { is_sender_known, has_address, is_answered }: Reported,
): DomainError | undefined {
  if (action === 'block_sender') {
    return is_sender_known ? undefined : new DomainError('conflict.sender_unknown')
  }
  if (is_answered) return new DomainError('conflict.report_answered')
  return has_address ? undefined : new DomainError('conflict.no_reporter_address')
}

/** The texts of the acts on a report. */
export const DECISION_TEXTS: Record<ReportAct, string> = {
  dismiss: 'Report dismissed',
  block_sender: 'Sender blocked for 30 days',
  hide_popup_image: 'Popup image hidden',
  deactivate_code: 'QR code deactivated',
  block_account: 'Account blocked',
  hold_code: 'QR code held for 7 days',
  answer: 'Answer sent',
}

export const REPORT_REASON_WORDS = {
  threat: 'Threat',
  spam: 'Spam',
  offensive: 'Offensive',
  fraud: 'Fraud',
  other: 'Something else',
} as const

/** Returns whether a report of this reason is about more than a nuisance. */
export function isGrave(reason: ReportReason): boolean {
  return reason === 'threat' || reason === 'offensive' || reason === 'fraud'
}

/** The present state of the code, for moderators. */
export const CODE_STATES: Record<ReportedCode | 'inactive', string | null> = {
  there: null,
  inactive: 'The QR code is inactive now.',
  held: 'Somebody without an account claimed the QR code.',
  moved: 'The QR code has changed hands since.',
  deleted: 'The QR code was deleted since.',
}

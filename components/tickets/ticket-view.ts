import type { BubbleView } from '#components/conversations/bubble.tsx'
import type { FormProblem } from '#components/tickets/ticket-form.tsx'
import type { TicketSide } from '#domain/conversations/conversation.ts'
import type { Moment } from '#domain/conversations/days.ts'
import type { DomainError, ErrorKind } from '#domain/error.ts'
import type { TicketMessageView } from '#domain/tickets/ticket-view.ts'
import { formatTime } from '#domain/time.ts'

/** A form of a ticket that was not taken. */
export type RefusedTicket = { typed: Record<string, string>; refusal: DomainError }

/** Returns a message for a reader on one of the sides. */
export function toTicketBubble(
  { from, ...message }: TicketMessageView,
  reader: TicketSide,
  by: string,
  { timezone }: Moment,
): BubbleView {
  const time = formatTime(new Date(message.sent_at), timezone)
  return { ...message, kind: 'text', isOwn: from === reader, by, time }
}

const ABOUT_THE_FILE: ErrorKind[] = ['too_large', 'unsupported', 'plan_limit']

/** Returns the problem of a field; undefined for a problem that no field causes. */
export function problemOf(refused: RefusedTicket | undefined): FormProblem | undefined {
  if (!refused) return undefined
  const { kind, subject, message } = refused.refusal
  if (ABOUT_THE_FILE.includes(kind)) return { field: 'attachment', message }
  if (kind !== 'invalid') return undefined
  const isSubject = subject === 'invalid.subject_missing' || subject === 'Subject'
  return { field: isSubject ? 'subject' : 'text', message }
}

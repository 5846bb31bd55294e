import type { AnySide } from '#domain/conversations/conversation.ts'
import { readText, textProblem } from '#domain/conversations/message.ts'
import { DomainError } from '#domain/error.ts'
import { hasDedicatedSupport, type PlanId } from '#domain/plans/plan.ts'
import { HOUR } from '#domain/rate-limits.ts'
import { cleanLine, LENGTHS, lengthProblem } from '#domain/text.ts'
import type { Refusal } from '#locales/refusal.ts'

export const TICKET_STATUSES = ['open', 'waiting', 'closed'] as const
/** `open`: the support is to answer. `waiting`: the customer is. */
export type TicketStatus = (typeof TICKET_STATUSES)[number]

/** The state after a message: the other side has to answer the last author, also in a closed ticket. */
export const STATUS_AFTER: Partial<Record<AnySide, TicketStatus>> = {
  customer: 'open',
  support: 'waiting',
}

/** The most UTF-16 units of a field, as `maxlength` in a form counts them. */
export const TICKET_LENGTHS = { subject: LENGTHS.name, text: LENGTHS.notes } as const

/** Throws forbidden on a plan without dedicated support. */
export function assertDedicatedSupport(plan: PlanId): void {
  if (!hasDedicatedSupport(plan)) throw new DomainError('forbidden.support')
}

export function ticketNotFound(): DomainError {
  return new DomainError('not_found.ticket')
}

type Sent = Record<string, unknown>

/** Returns the problem of a new ticket's subject and text. */
export function ticketProblem({ subject, text }: Sent): Refusal | undefined {
  const line = cleanLine(subject)
  if (!line) return 'invalid.subject_missing'
  return lengthProblem('Subject', line, TICKET_LENGTHS.subject) ?? answerProblem({ text })
}

/** Returns the problem of a message in a ticket. */
export function answerProblem({ text }: Sent): Refusal | undefined {
  return textProblem(text, TICKET_LENGTHS.text)
}

/** Reads a new ticket. Throws invalid. */
export function readTicket(sent: Sent): { subject: string; text: string } {
  const problem = ticketProblem(sent)
  if (problem) throw new DomainError(problem)
  return { subject: cleanLine(sent.subject) as string, text: readAnswer(sent) }
}

/** Reads a message in a ticket. Throws invalid. */
export function readAnswer({ text }: Sent): string {
  return readText(text, TICKET_LENGTHS.text)
}

/** Returns whether a customer has waited longer than `hours` for an answer. */
export function isOverdue(
  { status, last_customer_message_at: since }: Waiting,
  hours: number,
  now: Date,
): boolean {
  return status === 'open' && now.getTime() - Date.parse(since) > hours * HOUR * 1000
}

type Waiting = { status: TicketStatus; last_customer_message_at: string }

/** Returns the number that a search names: `41`, `#41`, `Ticket 41`. */
export function readTicketNumber(search: string): number | undefined {
  const digits = /^(?:ticket\s*|#\s*)?(\d{1,9})$/i.exec(search.trim())?.[1]
  return digits === undefined ? undefined : Number(digits)
}

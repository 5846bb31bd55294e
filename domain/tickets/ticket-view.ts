import type { TicketSide } from '#domain/conversations/conversation.ts'
import type { PlanId } from '#domain/plans/plan.ts'
import type { TicketStatus } from '#domain/tickets/ticket.ts'

/** An instant as ISO 8601 UTC with milliseconds. */
type Instant = string

/** A ticket in a list of its customer. */
export type TicketView = {
  id: string
  number: number
  subject: string
  status: TicketStatus
  /** the support wrote something that the customer has not seen */
  unread: boolean
  /** of the newest message */
  last_line: string
  created_at: Instant
  last_message_at: Instant
  last_customer_message_at: Instant
}

export type AttachmentView = {
  file_name: string
  file_size: number
  content_type: string
  url: string
  /** of a picture */
  thumbnail_url: string | null
}

export type TicketMessageView = {
  id: string
  from: TicketSide
  /** the name of the admin; null for the customer */
  author: string | null
  text: string
  attachment: AttachmentView | null
  sent_at: Instant
}

/** A ticket in the list of admins. */
export type AdminTicketView = TicketView & {
  user_id: string
  user_name: string
  user_email: string | null
  user_plan: PlanId
  overdue: boolean
}

export type WithMessages<T> = T & { messages: TicketMessageView[] }

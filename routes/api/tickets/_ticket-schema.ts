import { z } from '@hono/zod-openapi'
import { PLAN_IDS } from '#domain/plans/plan.ts'
import {
  answerProblem,
  TICKET_LENGTHS,
  TICKET_STATUSES,
  ticketProblem,
} from '#domain/tickets/ticket.ts'
import { dedicatedSupport, signedIn } from '#routes/_http/guards.ts'
import { anyText, choice, follows, oneOf, payload, requires } from '#routes/_http/schema.ts'
import { ticketForm } from '#routes/_http/tickets/ticket-form.ts'
import { sessionCalls } from '#routes/api/_call.ts'
import { pagedAnswer, pageFields, toPage } from '#routes/api/_paging.ts'
import { answer, jsonBody } from '#routes/api/_payloads.ts'

const nullableText = z.string().nullable()

const attachment = z.object({
  file_name: z.string(),
  file_size: z.int(),
  content_type: z.string(),
  url: z.string(),
  thumbnail_url: nullableText.openapi({ description: 'of a picture' }),
})

export const ticketMessage = z
  .object({
    id: z.string(),
    from: z.enum(['customer', 'support']),
    author: nullableText.openapi({
      description: 'who answered for the support, while they have an account',
    }),
    text: z.string(),
    attachment: attachment.nullable(),
    sent_at: z.iso.datetime(),
  })
  .openapi('TicketMessage')

export const ticket = z
  .object({
    id: z.string(),
    number: z.int(),
    subject: z.string(),
    status: z.enum(TICKET_STATUSES).openapi({
      description: 'open: the support is to answer; waiting: the customer is',
    }),
    unread: z.boolean().openapi({ description: 'the customer has not seen the newest answer' }),
    last_line: z.string().openapi({ description: 'of the newest message' }),
    created_at: z.iso.datetime(),
    last_message_at: z.iso.datetime(),
    last_customer_message_at: z.iso.datetime(),
  })
  .openapi('Ticket')
const messages = { messages: z.array(ticketMessage) }
const whole = ticket.extend(messages).openapi('TicketWithMessages')

export const adminTicket = ticket
  .extend({
    user_id: z.string(),
    user_name: z.string(),
    user_email: nullableText,
    user_plan: z.enum(PLAN_IDS),
    overdue: z.boolean().openapi({ description: 'open for longer than SUPPORT_HOURS' }),
  })
  .openapi('AdminTicket')
export const wholeAdminTicket = adminTicket.extend(messages).openapi('AdminTicketWithMessages')

export const ticketQuery = z
  .object({ ...pageFields, status: choice(TICKET_STATUSES, 'Status') })
  .transform(toPage)
export const anyStatus = payload({ status: oneOf(TICKET_STATUSES, 'Status') })

/** Not cleaned here: `readTicket` and `readAnswer` read the fields of a form too. */
const text = (name: keyof typeof TICKET_LENGTHS) =>
  anyText(name).nullish().openapi({ type: 'string', maxLength: TICKET_LENGTHS[name] })

export const ticketMessageBody = {
  content: {
    'application/json': {
      schema: requires(payload({ text: text('text') }), { text: 1 }).superRefine(
        follows(answerProblem),
      ),
      example: { text: 'It is an HP LaserJet M1136.' },
    },
    'multipart/form-data': ticketForm(['text']),
  },
}

const call = sessionCalls('Support')

export const list = call('listTickets', 'List your tickets', {
  get: '/',
  query: ticketQuery,
  200: pagedAnswer(
    'Your tickets, the newest message first',
    z.object({
      tickets: z.array(ticket),
      total_count: z.int(),
      unread_count: z.int().openapi({ description: 'of all your tickets' }),
    }),
  ),
})
export const open = call('openTicket', 'Open a ticket', {
  post: '/',
  makes: true,
  body: {
    content: {
      'application/json': {
        schema: requires(payload({ subject: text('subject'), text: text('text') }), {
          subject: 1,
          text: 1,
        }).superRefine(follows(ticketProblem)),
        example: { subject: 'Labels print too low', text: 'By 2 mm, since Monday.' },
      },
      'multipart/form-data': ticketForm(['subject', 'text']),
    },
  },
  201: answer('The ticket', whole),
  middleware: [signedIn, dedicatedSupport],
})
export const get = call('getTicket', 'Get a ticket with its messages', {
  get: '/{id}',
  200: answer('The ticket; it is read then', whole),
})
export const write = call('writeInTicket', 'Write in a ticket', {
  post: '/{id}/messages',
  makes: true,
  body: ticketMessageBody,
  201: answer('The message; the ticket is open', ticketMessage),
  problems: [402],
})
export const setStatus = call('setTicketStatus', 'Close a ticket or open it again', {
  put: '/{id}/status',
  body: jsonBody(payload({ status: oneOf(['open', 'closed'], 'Status') }), { status: 'closed' }),
  200: answer('The ticket', whole),
})

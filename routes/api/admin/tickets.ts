import { z } from '@hono/zod-openapi'
import { answerAsSupport } from '#actions/tickets/tickets.ts'
import { setTicketStatus } from '#db/tickets/ticket-status.ts'
import { getAnyTicket, listAllTickets } from '#db/tickets/tickets.ts'
import { readAnswer } from '#domain/tickets/ticket.ts'
import { loggedDeps } from '#routes/_http/context.ts'
import { requireAdmin } from '#routes/_http/guards.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { jsonOf, promisedBy, withTicketForm } from '#routes/_http/tickets/ticket-form.ts'
import { linkPages, pagedAnswer } from '#routes/api/_paging.ts'
import { answer, jsonBody } from '#routes/api/_payloads.ts'
import { adminCall } from '#routes/api/admin/_admin-call.ts'
import {
  adminTicket,
  anyStatus,
  ticketMessage,
  ticketMessageBody,
  ticketQuery,
  wholeAdminTicket,
} from '#routes/api/tickets/_ticket-schema.ts'

const list = adminCall('listAllTickets', 'List or search the tickets of customers', {
  get: '/',
  query: ticketQuery,
  200: pagedAnswer(
    'The tickets, the newest message first',
    z.object({ tickets: z.array(adminTicket), total_count: z.int() }),
  ),
})
const get = adminCall('getAnyTicket', 'Get a ticket of a customer with its messages', {
  get: '/{id}',
  200: answer('The ticket', wholeAdminTicket),
})
const write = adminCall('answerTicket', 'Answer a customer', {
  post: '/{id}/messages',
  makes: true,
  body: ticketMessageBody,
  201: answer('The message; the ticket waits for the customer', ticketMessage),
  problems: [402],
})
const setStatus = adminCall('setStatusOfTicket', 'Set the status of a customer’s ticket', {
  put: '/{id}/status',
  body: jsonBody(anyStatus, { status: 'closed' }),
  200: answer('The ticket', wholeAdminTicket),
})

/** The tickets of all customers. */
export const adminTickets = apiRouter()
  .openapi(list, async (c) => {
    const { db } = c.var.deps
    const query = c.req.valid('query')
    const listed = await listAllTickets(db, query, promisedBy(c))
    linkPages(c, query, listed.total_count)
    return c.json(listed, 200)
  })
  .openapi(get, async (c) => {
    const { id } = c.req.valid('param')
    return c.json(await getAnyTicket(c.var.deps.db, id, promisedBy(c)), 200)
  })
  .openapi(write, async (c) => {
    const { id } = c.req.valid('param')
    const written = await withTicketForm(
      c,
      async (sent, file) => {
        const said = { text: readAnswer(sent), file }
        return answerAsSupport(loggedDeps(c), requireAdmin(c), id, said)
      },
      { json: jsonOf(c) },
    )
    return c.json(written, 201)
  })
  .openapi(setStatus, async (c) => {
    const { id } = c.req.valid('param')
    const { status } = c.req.valid('json')
    const admin = requireAdmin(c)
    return c.json(await setTicketStatus(c.var.deps.db, admin, id, status, promisedBy(c)), 200)
  })

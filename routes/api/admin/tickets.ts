import { z } from '@hono/zod-openapi'
import { answerAsSupport } from '#actions/tickets/tickets.ts'
import { setTicketStatus } from '#db/tickets/ticket-changes.ts'
import { getAnyTicket, listAllTickets } from '#db/tickets/tickets.ts'
import { readAnswer } from '#domain/tickets/ticket.ts'
import { loggedDeps } from '#routes/_http/context.ts'
import { requireAdmin } from '#routes/_http/guards.ts'
import { answer, apiRouter, jsonBody, problems } from '#routes/_http/schema.ts'
import { jsonOf, promisedBy, withTicketForm } from '#routes/_http/tickets/ticket-form.ts'
import { apiCall, idParams } from '#routes/api/_call.ts'
import { asAdmin } from '#routes/api/admin/_as-admin.ts'
import {
  adminTicket,
  anyStatus,
  ticketMessage,
  ticketMessageBody,
  ticketQuery,
  wholeAdminTicket,
} from '#routes/api/tickets/_ticket-schema.ts'

const list = apiCall({
  ...asAdmin,
  operationId: 'listAllTickets',
  summary: 'List or search the tickets of customers',
  method: 'get',
  path: '/',
  request: { query: ticketQuery },
  responses: {
    200: answer(
      'The tickets, the newest message first',
      z.object({ tickets: z.array(adminTicket), total_count: z.int() }),
    ),
    ...problems(400),
  },
})
const get = apiCall({
  ...asAdmin,
  operationId: 'getAnyTicket',
  summary: 'Get a ticket of a customer with its messages',
  method: 'get',
  path: '/{id}',
  request: { params: idParams },
  responses: { 200: answer('The ticket', wholeAdminTicket), ...problems(404) },
})
const write = apiCall({
  ...asAdmin,
  operationId: 'answerTicket',
  summary: 'Answer a customer',
  method: 'post',
  path: '/{id}/messages',
  request: { params: idParams, body: ticketMessageBody },
  responses: {
    201: answer('The message; the ticket waits for the customer', ticketMessage),
    ...problems(402, 404),
  },
})
const setStatus = apiCall({
  ...asAdmin,
  operationId: 'setStatusOfTicket',
  summary: 'Set the status of a customer’s ticket',
  method: 'put',
  path: '/{id}/status',
  request: { params: idParams, body: jsonBody(anyStatus, { status: 'closed' }) },
  responses: { 200: answer('The ticket', wholeAdminTicket), ...problems(404) },
})

/** The tickets of all customers. */
export const adminTickets = apiRouter()
  .openapi(list, async (c) => {
    const { db } = c.var.deps
    return c.json(await listAllTickets(db, c.req.valid('query'), promisedBy(c)), 200)
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

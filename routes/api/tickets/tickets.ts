import { answerAsCustomer, openTicket } from '#actions/tickets/tickets.ts'
import { readTicketOf, setOwnTicketStatus } from '#db/tickets/ticket-status.ts'
import { countUnreadTickets, listTickets } from '#db/tickets/tickets.ts'
import { assertDedicatedSupport, readAnswer, readTicket } from '#domain/tickets/ticket.ts'
import { loggedDeps } from '#routes/_http/context.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import {
  jsonOf,
  orNoSupport,
  requireCustomer,
  withTicketForm,
} from '#routes/_http/tickets/ticket-form.ts'
import { linkPages } from '#routes/api/_paging.ts'
import * as calls from '#routes/api/tickets/_ticket-schema.ts'

/** The tickets of a customer. */
export const tickets = apiRouter()
  .openapi(calls.list, async (c) => {
    const { db } = c.var.deps
    const { id, subscription_plan } = requireAccount(c)
    const unread = await countUnreadTickets(db, id)
    // An account with tickets reads them on any plan.
    if (unread === undefined) assertDedicatedSupport(subscription_plan)
    const query = c.req.valid('query')
    const listed = await listTickets(db, id, query)
    linkPages(c, query, listed.total_count)
    return c.json({ ...listed, unread_count: unread ?? 0 }, 200)
  })
  .openapi(calls.open, async (c) => {
    const { id } = requireAccount(c)
    const opened = await withTicketForm(
      c,
      async (sent, file) => openTicket(loggedDeps(c), id, { ...readTicket(sent), file }),
      { json: jsonOf(c) },
    )
    return c.json(opened, 201)
  })
  .openapi(calls.get, async (c) => {
    const { db, clock } = c.var.deps
    const { id } = c.req.valid('param')
    const account = requireAccount(c)
    return c.json(await orNoSupport(account, readTicketOf(db, account.id, id, clock())), 200)
  })
  .openapi(calls.write, async (c) => {
    const { id } = c.req.valid('param')
    const account = await requireCustomer(c, id)
    const written = await withTicketForm(
      c,
      async (sent, file) => {
        const said = { text: readAnswer(sent), file }
        return answerAsCustomer(loggedDeps(c), account.id, id, said)
      },
      { json: jsonOf(c) },
    )
    return c.json(written, 201)
  })
  .openapi(calls.setStatus, async (c) => {
    const { db, clock } = c.var.deps
    const { id } = c.req.valid('param')
    const { status } = c.req.valid('json')
    const account = requireAccount(c)
    const setting = setOwnTicketStatus(db, account.id, id, status, clock())
    return c.json(await orNoSupport(account, setting), 200)
  })

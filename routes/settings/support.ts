import { Hono } from 'hono'
import { answerAsCustomer, openTicket } from '#actions/tickets/tickets.ts'
import { setOwnTicketStatus } from '#db/tickets/ticket-status.ts'
import { DomainError } from '#domain/error.ts'
import { ticketHref } from '#domain/settings.ts'
import { readAnswer, readTicket } from '#domain/tickets/ticket.ts'
import { type AppEnv, loggedDeps } from '#routes/_http/context.ts'
import { type Form, perform, readForm } from '#routes/_http/forms.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { requireCustomer, withTicketForm } from '#routes/_http/tickets/ticket-form.ts'
import { renderNewTicket, renderOwnTicket, renderOwnTickets } from '#routes/settings/_support.tsx'

/** The tickets of a customer. */
export const supportPages = new Hono<AppEnv>()

supportPages.get('/', (c) => renderOwnTickets(c))

supportPages.post('/', (c) => {
  const typed: Form = Object.create(null)
  return perform(c, {
    act: async () => {
      const { id } = await requireCustomer(c)
      return withTicketForm(
        c,
        async (sent, file) =>
          openTicket(loggedDeps(c), id, { ...readTicket(sent), file, isOfForm: true }),
        { typed },
      )
    },
    done: ({ id }) => ticketHref(id, { done: 'ticket-opened', at: 'talk' }),
    refused: (refusal) => renderNewTicket(c, { typed, refusal }),
  })
})

supportPages.get('/new', (c) => renderNewTicket(c))

supportPages.get('/:id', (c) => renderOwnTicket(c, c.req.param('id')))

supportPages.post('/:id/answer', (c) => {
  const typed: Form = Object.create(null)
  const id = c.req.param('id')
  return perform(c, {
    act: async () => {
      const account = await requireCustomer(c, id)
      return withTicketForm(
        c,
        async (sent, file) => {
          const answer = { text: readAnswer(sent), file, isOfForm: true }
          return answerAsCustomer(loggedDeps(c), account.id, id, answer)
        },
        { typed },
      )
    },
    done: () => ticketHref(id, { done: 'ticket-answered', at: 'send' }),
    refused: (refusal) => renderOwnTicket(c, id, { typed, refusal }),
  })
})

supportPages.post('/:id/status', async (c) => {
  const { db, clock } = c.var.deps
  const id = c.req.param('id')
  const { status } = (await readForm(c)).form
  return perform(c, {
    act: () => {
      if (status !== 'open' && status !== 'closed') {
        throw new DomainError('invalid.own_ticket_status')
      }
      return setOwnTicketStatus(db, requireAccount(c).id, id, status, clock())
    },
    done: () => {
      const done = status === 'open' ? 'ticket-reopened' : 'ticket-closed'
      return ticketHref(id, { done, at: 'close' })
    },
    refused: (refusal) => renderOwnTicket(c, id, { typed: {}, refusal }),
  })
})

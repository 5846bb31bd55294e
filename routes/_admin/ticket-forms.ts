import { Hono } from 'hono'
import { answerAsSupport } from '#actions/tickets/tickets.ts'
import type { RefusedTicket } from '#components/tickets/ticket-view.ts'
import type { Account } from '#db/schema.ts'
import { setTicketStatus } from '#db/tickets/ticket-status.ts'
import { DomainError } from '#domain/error.ts'
import { readAnswer, TICKET_STATUSES } from '#domain/tickets/ticket.ts'
import { type AdminPage, readTicketsPlace, ticketsHref } from '#domain/tickets/ticket-places.ts'
import type { SupportDone } from '#routes/_admin/ticket-panel.tsx'
import { type AppContext, type AppEnv, loggedDeps } from '#routes/_http/context.ts'
import { type Form, perform, readForm } from '#routes/_http/forms.ts'
import { requireAdmin } from '#routes/_http/guards.ts'
import { promisedBy, withTicketForm } from '#routes/_http/tickets/ticket-form.ts'

type Render = (c: AppContext, account: Account, refused: RefusedTicket) => Promise<Response>

/** Makes the forms of a ticket for a page of admins; they call the same actions as the API. */
export function ticketForms(on: AdminPage, render: Render) {
  return new Hono<AppEnv>()
    .post('/:id/answer', (c) => {
      const typed: Form = Object.create(null)
      const admin = requireAdmin(c)
      return perform(c, {
        act: () =>
          withTicketForm(
            c,
            async (sent, file) => {
              const answer = { text: readAnswer(sent), file, isOfForm: true }
              return answerAsSupport(loggedDeps(c), admin, c.req.param('id'), answer)
            },
            { typed },
          ),
        done: () => hrefAfter(c, on, 'answered', 'send'),
        refused: (refusal) => render(c, admin, { typed, refusal }),
      })
    })
    .post('/:id/status', async (c) => {
      const admin = requireAdmin(c)
      const { form } = await readForm(c)
      return perform(c, {
        act: async () => {
          const status = TICKET_STATUSES.find((each) => each === form.status)
          if (!status) throw new DomainError('invalid.ticket_status')
          await setTicketStatus(c.var.deps.db, admin, c.req.param('id'), status, promisedBy(c))
          return status
        },
        done: (status) => hrefAfter(c, on, status, 'close'),
        refused: (refusal) => render(c, admin, { typed: {}, refusal }),
      })
    })
}

function hrefAfter(c: AppContext, on: AdminPage, done: SupportDone, at: string): string {
  const place = { ...readTicketsPlace(on, c.req.query()), ticket: c.req.param('id') }
  return ticketsHref(place, { done, at })
}

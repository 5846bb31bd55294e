import { Hono } from 'hono'
import { answerAsCustomer, openTicket } from '#actions/tickets/tickets.ts'
import { setOwnTicketStatus } from '#db/tickets/ticket-changes.ts'
import { DomainError } from '#domain/error.ts'
import { ticketHref } from '#domain/settings.ts'
import { readAnswer, readTicket } from '#domain/tickets/ticket.ts'
import { type AppContext, type AppEnv, loggedDeps } from '#routes/_http/context.ts'
import { type Form, readForm } from '#routes/_http/forms.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { refusalOf } from '#routes/_http/refusal.ts'
import { requireCustomer, withTicketForm } from '#routes/_http/tickets/ticket-form.ts'
import type { Done } from '#routes/settings/_done.ts'
import { renderNewTicket, renderOwnTicket, renderOwnTickets } from '#routes/settings/_support.tsx'

/** What a customer and the support write to each other. */
export const supportPages = new Hono<AppEnv>()

supportPages.get('/', (c) => renderOwnTickets(c))

supportPages.post('/', async (c) => {
  const typed: Form = Object.create(null)
  const open = async () => {
    const { id } = await requireCustomer(c)
    return withTicketForm(
      c,
      async (sent, file) =>
        openTicket(loggedDeps(c), id, { ...readTicket(sent), file, isOfForm: true }),
      { typed },
    )
  }
  const opening = open()
  const refusal = await refusalOf(opening)
  if (refusal) return renderNewTicket(c, { typed, refusal })
  return leadBack(c, (await opening).id, 'ticket-opened', 'talk')
})

supportPages.get('/new', (c) => renderNewTicket(c))

supportPages.get('/:id', (c) => renderOwnTicket(c, c.req.param('id')))

supportPages.post('/:id/answer', async (c) => {
  const typed: Form = Object.create(null)
  const id = c.req.param('id')
  const answer = async () => {
    const account = await requireCustomer(c, id)
    return withTicketForm(
      c,
      async (sent, file) => {
        const said = { text: readAnswer(sent), file, isOfForm: true }
        return answerAsCustomer(loggedDeps(c), account.id, id, said)
      },
      { typed },
    )
  }
  const refusal = await refusalOf(answer())
  return refusal ? renderOwnTicket(c, id, { typed, refusal }) : leadBack(c, id, 'ticket-answered')
})

supportPages.post('/:id/status', async (c) => {
  const { db, clock } = c.var.deps
  const id = c.req.param('id')
  const { status } = (await readForm(c)).form
  const set = async () => {
    if (status !== 'open' && status !== 'closed') {
      throw new DomainError('invalid', 'Status must be open or closed')
    }
    return setOwnTicketStatus(db, requireAccount(c).id, id, status, clock())
  }
  const refusal = await refusalOf(set())
  if (refusal) return renderOwnTicket(c, id, { typed: {}, refusal })
  return leadBack(c, id, status === 'open' ? 'ticket-reopened' : 'ticket-closed', 'close')
})

function leadBack(c: AppContext, id: string, done: Done, at = 'send'): Response {
  return c.redirect(ticketHref(id, { done, at }), 303)
}

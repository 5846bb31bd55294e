import { supportContact } from '#actions/plans/payment.ts'
import { ContactSupport, NoDedicatedSupport } from '#components/tickets/support-page.tsx'
import { NewTicket } from '#components/tickets/ticket-form.tsx'
import { OwnTickets } from '#components/tickets/ticket-list.tsx'
import { TicketPane } from '#components/tickets/ticket-pane.tsx'
import { problemOf, type RefusedTicket, toTicketBubble } from '#components/tickets/ticket-view.ts'
import { ListPager } from '#components/ui/pager.tsx'
import { readTicketOf } from '#db/tickets/ticket-status.ts'
import { countUnreadTickets, listTickets } from '#db/tickets/tickets.ts'
import { firstWord } from '#domain/codes/visibility.ts'
import { formatWhen, inDays } from '#domain/conversations/days.ts'
import { FIRST_PLACE, readPlace } from '#domain/dashboard.ts'
import { counted } from '#domain/number.ts'
import { hasDedicatedSupport } from '#domain/plans/plan.ts'
import { ticketHref } from '#domain/settings.ts'
import { ownTicketAction, ownTicketsHref } from '#domain/tickets/ticket-places.ts'
import type { TicketMessageView } from '#domain/tickets/ticket-view.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { countPages, rowsOfPage } from '#routes/_http/lists.ts'
import { renderSettings } from '#routes/settings/_page.tsx'

const FRAME = { page: 'support', title: 'Support' } as const
const TICKETS_A_PAGE = 20

/** Renders the tickets of the account, or the operator's contact where it can open none. */
export async function renderOwnTickets(c: AppContext): Promise<Response> {
  const { db, clock, config } = c.var.deps
  const { id, subscription_plan } = requireAccount(c)
  const canOpen = hasDedicatedSupport(subscription_plan)
  const hasTickets = (await countUnreadTickets(db, id)) !== undefined
  if (canOpen && !hasTickets) return renderNewTicket(c)
  const contact = !canOpen && <ContactSupport contact={supportContact(config)} />
  return renderSettings(c, FRAME, async () => {
    if (!hasTickets) return contact
    const place = readPlace(c.req.query())
    const { q, page } = place
    const wanted = { search: q, ...rowsOfPage(page, TICKETS_A_PAGE) }
    const { tickets, total_count: total } = await listTickets(db, id, wanted)
    const href = (to: number) => ownTicketsHref({ q, page: to })
    const pages = countPages({ total, size: TICKETS_A_PAGE, page }, href)
    const moment = { now: clock(), timezone: config.timezone }
    const rows = tickets.map((ticket) => ({
      ...ticket,
      href: ticketHref(ticket.id),
      when: formatWhen(ticket.last_message_at, moment),
    }))
    const pager = <ListPager page={page} pages={pages} href={href} />
    return (
      <>
        {contact}
        <OwnTickets place={place} tickets={rows} pager={pager} canOpen={canOpen} />
      </>
    )
  })
}

/** Renders the form of a new ticket, with a refusal. */
export async function renderNewTicket(c: AppContext, refused?: RefusedTicket): Promise<Response> {
  const { db, config } = c.var.deps
  const { id, subscription_plan } = requireAccount(c)
  const hasTickets = (await countUnreadTickets(db, id)) !== undefined
  return renderSettings(c, { ...FRAME, refusal: refusalAbove(refused) }, () => {
    if (!hasDedicatedSupport(subscription_plan)) {
      return <ContactSupport contact={supportContact(config)} />
    }
    const back = hasTickets ? ownTicketsHref(FIRST_PLACE) : undefined
    return <NewTicket back={back} typed={refused?.typed ?? {}} problem={problemOf(refused)} />
  })
}

/** Renders a ticket of the account and marks it as read. Throws not_found. */
export async function renderOwnTicket(
  c: AppContext,
  id: string,
  refused?: RefusedTicket,
): Promise<Response> {
  const { db, clock, config } = c.var.deps
  const account = requireAccount(c)
  const moment = { now: clock(), timezone: config.timezone }
  const ticket = await readTicketOf(db, account.id, id, moment.now)
  const canWrite = hasDedicatedSupport(account.subscription_plan)
  const days = inDays(
    ticket.messages.map((each) => toTicketBubble(each, 'customer', nameOf(each), moment)),
    moment,
  )
  const called = ticket.subject
  return renderSettings(c, { ...FRAME, called, refusal: refusalAbove(refused) }, () => (
    <TicketPane
      view={{ ...ticket, days }}
      isLive
      back={ownTicketsHref(FIRST_PLACE)}
      about={`answered within ${counted(config.support.hours, 'hour')}`}
      action={(act) => ownTicketAction(act, id)}
      refused={refused && { typed: refused.typed.text, problem: problemOf(refused) }}
      instead={
        canWrite ? undefined : <NoDedicatedSupport>What was written stays here.</NoDedicatedSupport>
      }
    />
  ))
}

function nameOf({ from, author }: TicketMessageView): string {
  if (from === 'customer') return 'You'
  return author === null ? 'Support' : `${firstWord(author)}, Support`
}

/** Returns the refusal that stands above the form, because it is about no field. */
function refusalAbove(refused: RefusedTicket | undefined): string | undefined {
  return problemOf(refused) ? undefined : refused?.refusal.message
}

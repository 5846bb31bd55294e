import type { ReactElement } from 'react'
import { Initial, TicketInbox } from '#components/tickets/ticket-inbox.tsx'
import { TicketPane } from '#components/tickets/ticket-pane.tsx'
import { problemOf, type RefusedTicket, toTicketBubble } from '#components/tickets/ticket-view.ts'
import { PlanBadge } from '#components/ui/badge.tsx'
import { Outcome } from '#components/ui/outcome.tsx'
import { ListPager } from '#components/ui/pager.tsx'
import { countTickets, getAnyTicket, listAllTickets } from '#db/tickets/tickets.ts'
import { formatWait } from '#domain/ago.ts'
import { firstWord } from '#domain/codes/visibility.ts'
import { formatWhen, inDays, type Moment } from '#domain/conversations/days.ts'
import {
  type AdminPage,
  readTicketsPlace,
  type TicketsPlace,
  ticketsAction,
  ticketsHref,
} from '#domain/tickets/ticket-places.ts'
import type {
  AdminTicketView,
  TicketMessageView,
  WithMessages,
} from '#domain/tickets/ticket-view.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { countPages, rowsOfPage } from '#routes/_http/lists.ts'
import { promisedBy } from '#routes/_http/tickets/ticket-form.ts'

const TICKETS_A_PAGE = 20

export type SupportDone = keyof typeof DONE
const DONE = {
  answered: 'Answer sent',
  open: 'Ticket opened',
  waiting: 'Ticket is waiting',
  closed: 'Ticket closed',
} as const

/** Reads the parts of the Support tab, for the page that it is on. */
export async function readSupport(
  c: AppContext,
  on: AdminPage,
  refused: RefusedTicket | undefined,
) {
  const requested = readTicketsPlace(on, c.req.query())
  // A form names its ticket in its path.
  const place = { ...requested, ticket: c.req.param('id') ?? requested.ticket }
  const ticket = place.ticket
    ? await getAnyTicket(c.var.deps.db, place.ticket, promisedBy(c))
    : undefined
  const panel = await renderPanel(c, { place, ticket, refused })
  return { panel, title: ticket?.subject, outcome: outcomeOf(c, refused) }
}

type Shown = {
  place: TicketsPlace
  ticket: Awaited<ReturnType<typeof getAnyTicket>> | undefined
  refused: RefusedTicket | undefined
}

async function renderPanel(
  c: AppContext,
  { place, ticket, refused }: Shown,
): Promise<ReactElement> {
  const { db, config } = c.var.deps
  const { q, page, status } = place
  const promised = promisedBy(c)
  const moment = { now: promised.now, timezone: config.timezone }
  const wanted = { status, search: q, ...rowsOfPage(page, TICKETS_A_PAGE) }
  const { tickets, total_count: total } = await listAllTickets(db, wanted, promised)
  const href = (to: number) => ticketsHref({ ...place, page: to, ticket: undefined })
  const pages = countPages({ total, size: TICKETS_A_PAGE, page }, href)
  const problem = problemOf(refused)
  return (
    <TicketInbox
      place={place}
      counts={await countTickets(db)}
      hours={promised.hours}
      tickets={tickets.map((each) => ({
        ...each,
        href: ticketsHref({ ...place, ticket: each.id }),
        when: whenOf(each, moment),
        customer: each.user_name,
      }))}
      pager={<ListPager page={page} pages={pages} href={href} />}
      pane={
        ticket && (
          <TicketPane
            {...paneOf(ticket, place, moment)}
            refused={refused && { typed: refused.typed.text, problem }}
          />
        )
      }
    />
  )
}

function outcomeOf(c: AppContext, refused: RefusedTicket | undefined): ReactElement {
  if (refused)
    return <Outcome text={problemOf(refused) ? undefined : refused.refusal.message} isRefused />
  const { done = '', at } = c.req.query()
  return <Outcome text={doneText(done)} at={at} />
}

function doneText(done: string): string | undefined {
  return Object.hasOwn(DONE, done) ? DONE[done as SupportDone] : undefined
}

/** Returns the wait of an open ticket for an answer, and the last message's time of others. */
function whenOf(ticket: AdminTicketView, { now, timezone }: Moment): string {
  const { status, last_customer_message_at: since, last_message_at } = ticket
  return status === 'open' ? formatWait(since, now) : formatWhen(last_message_at, { now, timezone })
}

function writerOf({ from, author }: TicketMessageView, customer: string): string {
  return firstWord(from === 'customer' ? customer : author) ?? 'Support'
}

function paneOf(ticket: WithMessages<AdminTicketView>, place: TicketsPlace, moment: Moment) {
  const { user_name, user_email, user_plan } = ticket
  const bubbles = ticket.messages.map((each) =>
    toTicketBubble(each, 'support', writerOf(each, user_name), moment),
  )
  return {
    view: { ...ticket, days: inDays(bubbles, moment) },
    back: ticketsHref({ ...place, ticket: undefined }),
    sign: <Initial name={user_name} />,
    about: [user_name, user_email].filter(Boolean).join(', '),
    badges: <PlanBadge plan={user_plan} />,
    action: (act: 'answer' | 'status') => ticketsAction(act, { ...place, ticket: ticket.id }),
  }
}

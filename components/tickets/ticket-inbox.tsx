import type { ReactNode } from 'react'
import { ThreadLink } from '#components/conversations/thread-list.tsx'
import { SearchForm } from '#components/forms/search-form.tsx'
import type { TicketRowView } from '#components/tickets/ticket-list.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Empty } from '#components/ui/empty.tsx'
import type { TicketStatus } from '#domain/tickets/ticket.ts'
import { type TicketsPlace, ticketsHref } from '#domain/tickets/ticket-places.ts'

export type CustomerTicketView = TicketRowView & {
  customer: string
  overdue: boolean
}

type TicketInboxProps = {
  place: TicketsPlace
  counts: { open: number; waiting: number }
  tickets: CustomerTicketView[]
  /** SUPPORT_HOURS */
  hours: number
  pager: ReactNode
  /** the ticket that is open */
  pane: ReactNode
}

/** The tickets of all customers and one of them: beside each other where there is room. */
export function TicketInbox(props: TicketInboxProps) {
  const { place, counts, tickets, hours, pager, pane } = props
  return (
    <div className="inbox" data-view={pane ? 'one' : 'list'}>
      <section className="inbox-list" aria-label="Tickets">
        <Toolbar place={place} counts={counts} />
        {tickets.length > 0 ? (
          <ul className="sheet threads">
            {tickets.map((ticket) => (
              <li key={ticket.id} id={`thread-${ticket.id}`}>
                <ThreadLink
                  {...ticket}
                  unread={false}
                  isCurrent={ticket.id === place.ticket}
                  at={ticket.last_message_at}
                  sign={<Initial name={ticket.customer} />}
                  name={<bdi className="thread-name">{ticket.subject}</bdi>}
                  title={<bdi className="small">{ticket.customer}</bdi>}
                  line={ticket.last_line}
                >
                  {ticket.overdue && <Badge tone="stop" dot="full">{`Over ${hours} h`}</Badge>}
                </ThreadLink>
              </li>
            ))}
          </ul>
        ) : (
          <NoTickets place={place} />
        )}
        {pager}
      </section>
      {pane ?? (tickets.length > 0 && <NoPane />)}
    </div>
  )
}

export function Initial({ name }: { name: string }) {
  return (
    <span className="avatar" aria-hidden="true">
      {[...name][0]?.toUpperCase()}
    </span>
  )
}

const WORDS: Record<TicketStatus, string> = { open: 'Open', waiting: 'Waiting', closed: 'Closed' }

function Toolbar({ place, counts }: Pick<TicketInboxProps, 'place' | 'counts'>) {
  const { q, status, on } = place
  return (
    <div className="toolbar">
      <SearchForm
        search={q}
        label="Search tickets"
        fields={{ tab: 'support', ...(status !== 'open' && { status }) }}
        action={on}
      />
      <nav className="segments" aria-label="Show">
        {(Object.keys(WORDS) as TicketStatus[]).map((each) => (
          <a
            key={each}
            href={ticketsHref({ on, q, page: 1, status: each })}
            aria-current={each === status ? 'page' : undefined}
          >
            {each === 'closed' ? WORDS[each] : `${WORDS[each]} (${counts[each]})`}
          </a>
        ))}
      </nav>
    </div>
  )
}

/** The empty place of the ticket, which a phone never shows. */
function NoPane() {
  return (
    <div className="talk-pane">
      <Empty icon="headset" title="Choose a ticket">
        <p>What was written opens here.</p>
      </Empty>
    </div>
  )
}

const NONE: Record<TicketStatus, { title: string; text: string }> = {
  open: { title: 'No open tickets', text: 'Nobody waits for an answer.' },
  waiting: { title: 'No waiting tickets', text: 'Those that you answered are listed here.' },
  closed: { title: 'No closed tickets', text: 'Those that were closed are listed here.' },
}

function NoTickets({ place: { on, q, status } }: { place: TicketsPlace }) {
  if (!q) {
    const { title, text } = NONE[status]
    return (
      <Empty icon="headset" title={title}>
        <p>{text}</p>
      </Empty>
    )
  }
  return (
    <Empty
      icon="search"
      title="No tickets found"
      action={
        <a className="btn" href={ticketsHref({ on, q: '', page: 1, status })}>
          Clear Search
        </a>
      }
    >
      <p>{`Nothing matches “${q}” among the ${WORDS[status].toLowerCase()} tickets.`}</p>
    </Empty>
  )
}

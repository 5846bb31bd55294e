import type { ReactNode } from 'react'
import { ListAndPane } from '#components/conversations/inbox.tsx'
import { SearchForm } from '#components/forms/search-form.tsx'
import { type TicketRowView, TicketThread } from '#components/tickets/ticket-list.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Empty, NothingFound } from '#components/ui/empty.tsx'
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
    <ListAndPane
      label="Tickets"
      toolbar={<Toolbar place={place} counts={counts} />}
      list={
        tickets.length > 0 && (
          <ul className="sheet threads">
            {tickets.map((ticket) => (
              <TicketThread
                key={ticket.id}
                ticket={{ ...ticket, unread: false }}
                isCurrent={ticket.id === place.ticket}
                sign={<Initial name={ticket.customer} />}
                title={<bdi className="small">{ticket.customer}</bdi>}
              >
                {ticket.overdue && <Badge tone="stop" dot="full">{`Over ${hours} h`}</Badge>}
              </TicketThread>
            ))}
          </ul>
        )
      }
      none={<NoTickets place={place} />}
      pager={pager}
      pane={pane}
      noPane={{ icon: 'headset', title: 'Choose a ticket' }}
    />
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

const NONE: Record<TicketStatus, { title: string; text: string }> = {
  open: { title: 'No open tickets', text: 'Nobody waits for an answer.' },
  waiting: { title: 'No waiting tickets', text: 'Answered ones appear here.' },
  closed: { title: 'No closed tickets', text: 'Closed ones appear here.' },
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
    <NothingFound what="tickets" href={ticketsHref({ on, q: '', page: 1, status })}>
      {`Nothing matches “${q}” among the ${WORDS[status].toLowerCase()} tickets.`}
    </NothingFound>
  )
}

import type { ReactNode } from 'react'
import { ThreadLink } from '#components/conversations/thread-list.tsx'
import { SearchForm } from '#components/forms/search-form.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { TicketBadge } from '#components/tickets/ticket-pane.tsx'
import { Empty } from '#components/ui/empty.tsx'
import { FIRST_PLACE, type QrPlace } from '#domain/dashboard.ts'
import { settingsHref } from '#domain/settings.ts'
import type { TicketStatus } from '#domain/tickets/ticket.ts'
import { NEW_TICKET_HREF, ownTicketsHref } from '#domain/tickets/ticket-places.ts'

export type TicketRowView = {
  id: string
  href: string
  number: number
  subject: string
  status: TicketStatus
  unread: boolean
  last_line: string
  last_message_at: string
  when: string
}

type OwnTicketsProps = {
  place: QrPlace
  tickets: TicketRowView[]
  pager: ReactNode
  /** false when the plan gives no dedicated support any more */
  canOpen: boolean
}

/** The tickets of a customer. */
export function OwnTickets({ place, tickets, pager, canOpen }: OwnTicketsProps) {
  const { q } = place
  return (
    <section className="stack gap-3" aria-label="Tickets" data-live>
      <div className="toolbar">
        <SearchForm
          search={q}
          label="Search tickets"
          fields={{}}
          action={settingsHref('support')}
        />
        {canOpen && (
          <a className="btn btn-main push" href={NEW_TICKET_HREF}>
            <Icon name="plus" />
            New ticket
          </a>
        )}
      </div>
      {tickets.length > 0 ? (
        <ul className="sheet threads">
          {tickets.map((ticket) => (
            <li key={ticket.id} id={`thread-${ticket.id}`}>
              <ThreadLink
                {...ticket}
                isCurrent={false}
                at={ticket.last_message_at}
                sign={
                  <span className="reason">
                    <Icon name="headset" />
                  </span>
                }
                name={<bdi className="thread-name">{ticket.subject}</bdi>}
                title={`Ticket ${ticket.number}`}
                line={ticket.last_line}
              >
                <TicketBadge status={ticket.status} />
              </ThreadLink>
            </li>
          ))}
        </ul>
      ) : (
        <NoTickets q={q} />
      )}
      {pager}
    </section>
  )
}

function NoTickets({ q }: { q: string }) {
  return (
    <Empty
      icon="search"
      title="No tickets found"
      action={
        <a className="btn" href={ownTicketsHref(FIRST_PLACE)}>
          Clear Search
        </a>
      }
    >
      <p>{`Nothing matches “${q}” in your tickets.`}</p>
    </Empty>
  )
}

import type { ReactNode } from 'react'
import { ThreadLink } from '#components/conversations/thread-list.tsx'
import { SearchForm } from '#components/forms/search-form.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { TicketBadge } from '#components/tickets/ticket-pane.tsx'
import { NothingFound } from '#components/ui/empty.tsx'
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
            <TicketThread
              key={ticket.id}
              ticket={ticket}
              isCurrent={false}
              sign={
                <span className="reason">
                  <Icon name="headset" />
                </span>
              }
              title={`Ticket ${ticket.number}`}
            >
              <TicketBadge status={ticket.status} />
            </TicketThread>
          ))}
        </ul>
      ) : (
        <NothingFound what="tickets" href={ownTicketsHref(FIRST_PLACE)}>
          {`Nothing matches “${q}” in your tickets.`}
        </NothingFound>
      )}
      {pager}
    </section>
  )
}

type TicketThreadProps = {
  ticket: TicketRowView
  isCurrent: boolean
  sign: ReactNode
  title: ReactNode
  children: ReactNode
}

/** A ticket in a list. */
export function TicketThread({ ticket, children, ...shown }: TicketThreadProps) {
  const { id, href, unread, when, subject, last_message_at: at, last_line: line } = ticket
  return (
    <li id={`thread-${id}`}>
      <ThreadLink
        {...{ href, unread, when, at, line }}
        {...shown}
        name={<bdi className="thread-name">{subject}</bdi>}
      >
        {children}
      </ThreadLink>
    </li>
  )
}

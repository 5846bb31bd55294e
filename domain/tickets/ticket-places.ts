import { adminHref } from '#domain/admin/admin.ts'
import { managementHref } from '#domain/admin/management.ts'
import { placeFields, type QrPlace, readPlace } from '#domain/dashboard.ts'
import { settingsHref, ticketHref } from '#domain/settings.ts'
import { TICKET_STATUSES, type TicketStatus } from '#domain/tickets/ticket.ts'

/** Where admins answer: super admins have both pages. */
export type AdminPage = '/admin' | '/admin-dashboard'

/** The list, search and page of the tickets of all customers, and the ticket that is open there. */
export type TicketsPlace = QrPlace & {
  on: AdminPage
  status: TicketStatus
  ticket?: string | undefined
}

export function readTicketsPlace(
  on: AdminPage,
  query: Record<string, string | undefined>,
): TicketsPlace {
  const status = TICKET_STATUSES.find((each) => each === query.status) ?? TICKET_STATUSES[0]
  return { ...readPlace(query), on, status, ticket: query.ticket || undefined }
}

/** Returns the address of a place on the Support tab of admins, with further query parameters. */
export function ticketsHref(place: TicketsPlace, rest: Record<string, string> = {}): string {
  const { ticket } = place
  const fields = { ...listFields(place), ...(ticket && { ticket }), ...rest }
  return (place.on === '/admin' ? adminHref : managementHref)('support', fields)
}

/** Returns the action of a form of the ticket that is open there. Its answer redirects back to the same place. */
export function ticketsAction(act: TicketAct, place: TicketsPlace): string {
  const query = String(new URLSearchParams(listFields(place)))
  return `${place.on}/support/${place.ticket}/${act}${query && `?${query}`}`
}

/** The acts of a ticket's forms. */
export type TicketAct = 'answer' | 'status'

function listFields({ status, ...place }: TicketsPlace): Record<string, string> {
  return { ...(status !== TICKET_STATUSES[0] && { status }), ...placeFields(place) }
}

/** Returns the address of a page of a customer's list. */
export function ownTicketsHref(place: QrPlace): string {
  return settingsHref('support', placeFields(place))
}

/** Returns the action of a form of a customer's ticket. */
export function ownTicketAction(act: TicketAct, id: string): string {
  return `${ticketHref(id)}/${act}`
}

/** Where a customer opens a ticket. */
export const NEW_TICKET_HREF = `${settingsHref('support')}/new`

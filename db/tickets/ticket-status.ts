import type { Db } from '#db/client.ts'
import { changeStatus } from '#db/conversations/conversation-changes.ts'
import { markRead } from '#db/conversations/reads.ts'
import { type Admin, assertCustomer, note } from '#db/tickets/ticket-changes.ts'
import { getAnyTicket, getTicket, getTicketRow, type Promised } from '#db/tickets/tickets.ts'
import { inTransaction } from '#db/transaction.ts'
import type { TicketStatus } from '#domain/tickets/ticket.ts'
import type { AdminTicketView, TicketView, WithMessages } from '#domain/tickets/ticket-view.ts'

/** Marks a ticket of the account as read, and answers it. Throws not_found. */
export async function readTicketOf(
  db: Db,
  accountId: string,
  id: string,
  now: Date,
): Promise<WithMessages<TicketView>> {
  return inTransaction(db, async (trx) => {
    await markRead(trx, { id: accountId }, id, now)
    return getTicket(trx, accountId, id)
  })
}

/**
 * Closes a ticket of the account or opens it again. Throws not_found, and forbidden to open one on a plan
 * without dedicated support.
 */
export async function setOwnTicketStatus(
  db: Db,
  accountId: string,
  id: string,
  status: Exclude<TicketStatus, 'waiting'>,
  now: Date,
): Promise<WithMessages<TicketView>> {
  return inTransaction(db, async (trx) => {
    const ticket = await getTicketRow(trx, id, accountId)
    if (status === 'open') await assertCustomer(trx, accountId, now)
    if (status !== ticket.status) await changeStatus(trx, ticket, status, now)
    return getTicket(trx, accountId, id)
  })
}

/** Sets the status of a ticket as an admin. Throws not_found, and forbidden for a former admin. */
export async function setTicketStatus(
  db: Db,
  admin: Admin,
  id: string,
  status: TicketStatus,
  promised: Promised,
): Promise<WithMessages<AdminTicketView>> {
  const { now } = promised
  return inTransaction(db, async (trx) => {
    const ticket = await getTicketRow(trx, id)
    if (status !== ticket.status) {
      await changeStatus(trx, ticket, status, now)
      const verb = status === 'closed' ? 'closed' : 'changed'
      await note(trx, admin, ticket, { verb, status }, now)
    }
    return getAnyTicket(trx, id, promised)
  })
}

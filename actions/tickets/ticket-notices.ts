import type { ActionDeps } from '#actions/deps.ts'
import { mailOrigin } from '#actions/mail.ts'
import { getAccount } from '#db/accounts/accounts.ts'
import { listAdminAddresses } from '#db/accounts/permissions.ts'
import { canAnswer } from '#db/conversations/code-user.ts'
import { notifySide } from '#db/conversations/notices.ts'
import type { TicketRow } from '#db/schema.ts'
import type { TicketNotify } from '#db/tickets/ticket-changes.ts'
import { listTicketMessages } from '#db/tickets/tickets.ts'
import { managementHref } from '#domain/admin/management.ts'
import type { TicketSide } from '#domain/conversations/conversation.ts'
import { ticketHref } from '#domain/settings.ts'
import { customerWroteMail, supportAnsweredMail } from '#mail/tickets.ts'

type Trx = Parameters<TicketNotify>[0]

/** Mails the support what a customer wrote: at SUPPORT_EMAIL, or else every admin. */
export function aboutCustomers(deps: ActionDeps): TicketNotify {
  return async (trx, { conversation: ticket, n }) => {
    const { config, outbox } = deps
    const to = config.support.email ? [config.support.email] : await listAdminAddresses(trx)
    if (to.length === 0) return
    const { name: customer } = await getAccount(trx, ticket.account_id)
    const about = { conversationId: ticket.id, side: 'support', n } as const
    await notifySide(trx, about, deps.clock(), async ({ firstN, dueAt: dueFor }) => {
      const said = await aboutTicket(deps, trx, ticket, { from: 'customer', since: firstN() })
      const url = config.publicUrl + managementHref('support', { ticket: ticket.id })
      const mail = customerWroteMail({ ...said, url, customer, isNew: firstN() === 1 })
      const dueAt = dueFor(null)
      let causeId: string | undefined
      for (const address of to) {
        causeId = await outbox.put(trx, { ...mail, to: address, dueAt }, causeId)
      }
      return causeId ? { causeId, dueAt } : undefined
    })
  }
}

/** Mails the customer what the support answered, unless the account is blocked. */
export function aboutSupport(deps: ActionDeps): TicketNotify {
  return async (trx, { conversation: ticket, n }) => {
    const { account_id: accountId, id } = ticket
    if (!(await canAnswer(trx, accountId))) return
    const about = { conversationId: id, side: 'customer', n } as const
    await notifySide(trx, about, deps.clock(), async ({ firstN, dueAt: dueFor }) => {
      const said = await aboutTicket(deps, trx, ticket, { from: 'support', since: firstN() })
      const url = deps.config.publicUrl + ticketHref(id)
      const dueAt = dueFor(null)
      const mail = { ...supportAnsweredMail({ ...said, url }), accountId, dueAt }
      const causeId = await deps.outbox.putTo(trx, mail)
      return causeId ? { causeId, dueAt } : undefined
    })
  }
}

async function aboutTicket(
  deps: ActionDeps,
  trx: Trx,
  { id, subject, ticket_number: number }: TicketRow,
  some: { from: TicketSide; since: number },
) {
  const messages = await listTicketMessages(trx, id, some)
  const hasAttachment = messages.some(({ attachment }) => attachment)
  const texts = messages.map(({ text }) => text)
  return { ...mailOrigin(deps), number, subject, texts, hasAttachment }
}

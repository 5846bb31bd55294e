import type { Transaction } from 'kysely'
import { actorOf, recordAdminAct } from '#db/admin/audit-events.ts'
import { fromFlag, toFlag, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import { write } from '#db/conversations/answers.ts'
import { changeStatus, markRead } from '#db/conversations/conversation-changes.ts'
import type { WritingRules } from '#db/conversations/conversation-start.ts'
import { NOTHING_SHARED } from '#db/conversations/endings.ts'
import { assertMayOpenTicket, assertMayWrite } from '#db/conversations/limits.ts'
import {
  type Attachment,
  findWrittenJustNow,
  type NewMessage,
  type Written as Said,
} from '#db/conversations/messages.ts'
import type { Notify } from '#db/outbox.ts'
import type { Account, ConversationMessagesTable, Tables, TicketRow } from '#db/schema.ts'
import { randomId } from '#db/secrets.ts'
import {
  getAnyTicket,
  getTicket,
  getTicketRow,
  listTicketMessages,
  type Promised,
} from '#db/tickets/tickets.ts'
import { inTransaction } from '#db/transaction.ts'
import type { TicketSide } from '#domain/conversations/conversation.ts'
import { firstLineOf } from '#domain/conversations/message.ts'
import { assertDocumentQuota } from '#domain/papers/document.ts'
import { planNow } from '#domain/plans/term.ts'
import {
  ATTACHMENTS_PER_TICKET,
  assertDedicatedSupport,
  STATUS_AFTER,
  type TicketStatus,
} from '#domain/tickets/ticket.ts'
import type {
  AdminTicketView,
  TicketMessageView,
  TicketView,
  WithMessages,
} from '#domain/tickets/ticket-view.ts'

type Trx = Transaction<Tables>
type Rules = Omit<WritingRules, 'secretKey'>
export type TicketNotify = Notify<NewMessage<TicketRow>>
/** `isOfForm` as in a conversation: what a form says a second time, because its answer was lost, stands there. */
export type TicketText = {
  text: string
  attachment: Attachment | undefined
  isOfForm?: boolean | undefined
}
/** What a text became, or what it was already. */
export type Written<T> = { made: T; isAgain: boolean }
/** An admin, who answers for the support. */
type Admin = Account

/**
 * Throws forbidden on a plan without dedicated support, and too_many. `openTicket` checks the same.
 */
export async function assertMayOpen(
  db: DbOrTrx,
  accountId: string,
  { now, isLimited }: Rules,
): Promise<void> {
  await assertCustomer(db, accountId, now)
  if (isLimited) await assertMayOpenTicket(db, accountId, now)
}

/** Opens a ticket of the account with its first message. Throws as `assertMayOpen`. */
export async function openTicket(
  db: Db,
  accountId: string,
  { subject, text, attachment, isOfForm }: TicketText & { subject: string },
  rules: Rules,
  notify: TicketNotify,
): Promise<Written<WithMessages<TicketView>>> {
  const { now } = rules
  const id = randomId()
  const written = { from: 'customer', kind: 'text', text, attachment } as const
  return inTransaction(db, async (trx) => {
    const earlier = isOfForm && (await findOpenedJustNow(trx, accountId, { subject, written }, now))
    if (earlier) return { made: await getTicket(trx, accountId, earlier), isAgain: true }
    await assertMayOpen(trx, accountId, rules)
    const ticket: TicketRow = {
      id,
      kind: 'support',
      account_id: accountId,
      subject,
      ticket_number: await nextNumber(trx),
      status: 'open',
      first_line: firstLineOf(text),
      ...NOT_OF_A_FINDER,
      created_at: toInstant(now),
      last_message_at: toInstant(now),
      closed_at: null,
      ended_at: null,
    }
    await trx.insertInto('conversations').values(ticket).execute()
    await write(trx, ticket, written, now, notify)
    return { made: await getTicket(trx, accountId, id), isAgain: false }
  })
}

/** The account's newest ticket, if it says the same and nothing else was written in it. */
async function findOpenedJustNow(
  trx: Trx,
  accountId: string,
  { subject, written }: { subject: string; written: Said },
  now: Date,
): Promise<string | undefined> {
  const newest = await trx
    .selectFrom('conversations')
    .select(['id', 'subject'])
    .where('kind', '=', 'support')
    .where('account_id', '=', accountId)
    .orderBy('ticket_number', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (newest?.subject !== subject) return undefined
  return (await findWrittenJustNow(trx, newest.id, written, now)) && newest.id
}

/** What only finders’ conversations have. */
export const NOT_OF_A_FINDER = {
  ...NOTHING_SHARED,
  qr_id: null,
  replaced_id: null,
  token_hash: null,
  reason: null,
  name: null,
  lang: 'en',
  sender_hash: null,
  is_muted: toFlag(false),
  is_unread: toFlag(false),
  is_deleted: toFlag(false),
} as const

async function nextNumber(trx: Trx): Promise<number> {
  const { last } = await trx
    .selectFrom('conversations')
    .select(({ fn }) => fn.max<number | null>('ticket_number').as('last'))
    .executeTakeFirstOrThrow()
  return (last ?? 0) + 1
}

/**
 * Throws not_found, forbidden on a plan without dedicated support, too_many, and plan_limit when the
 * ticket has as many attachments as it may. `answerAsCustomer` checks the same.
 */
export async function assertCustomerMayWrite(
  db: DbOrTrx,
  accountId: string,
  id: string,
  rules: Rules & { hasFile: boolean },
): Promise<TicketRow> {
  const ticket = await getTicketRow(db, id, accountId)
  await assertCustomer(db, accountId, rules.now)
  await assertMayAnswer(db, id, 'customer', rules)
  return ticket
}

/** Adds what the customer writes; the ticket is open then. Throws as `assertCustomerMayWrite`. */
export async function answerAsCustomer(
  db: Db,
  accountId: string,
  id: string,
  { text, attachment, isOfForm }: TicketText,
  rules: Rules,
  notify: TicketNotify,
): Promise<Written<TicketMessageView>> {
  const { now } = rules
  return inTransaction(db, async (trx) => {
    const hasFile = attachment !== undefined
    const ticket = await assertCustomerMayWrite(trx, accountId, id, { ...rules, hasFile })
    const written = { from: 'customer', kind: 'text', text, attachment } as const
    const earlier = isOfForm && (await findWrittenJustNow(trx, id, written, now))
    if (earlier) return { made: await toView(trx, earlier), isAgain: true }
    return {
      made: await toView(trx, await write(trx, ticket, written, now, notify)),
      isAgain: false,
    }
  })
}

/** Throws not_found, too_many and plan_limit. `answerAsSupport` checks the same. */
export async function assertSupportMayWrite(
  db: DbOrTrx,
  id: string,
  rules: Rules & { hasFile: boolean },
): Promise<TicketRow> {
  const ticket = await getTicketRow(db, id)
  await assertMayAnswer(db, id, 'support', rules)
  return ticket
}

/**
 * Adds what an admin answers; the ticket waits for the customer then. Throws as `assertSupportMayWrite`,
 * and forbidden for who is no admin any more.
 */
export async function answerAsSupport(
  db: Db,
  admin: Admin,
  id: string,
  { text, attachment, isOfForm }: TicketText,
  rules: Rules,
  notify: TicketNotify,
): Promise<Written<TicketMessageView>> {
  const { now } = rules
  return inTransaction(db, async (trx) => {
    const hasFile = attachment !== undefined
    const ticket = await assertSupportMayWrite(trx, id, { ...rules, hasFile })
    const answer = { from: 'support', kind: 'text', text, author: admin.name, attachment } as const
    const earlier = isOfForm && (await findWrittenJustNow(trx, id, answer, now))
    if (earlier) return { made: await toView(trx, earlier), isAgain: true }
    const message = await write(trx, ticket, answer, now, notify)
    await note(trx, admin, ticket, { verb: 'answered', status: STATUS_AFTER.support }, now)
    return { made: await toView(trx, message), isAgain: false }
  })
}

/** Marks a ticket of the account as read, and answers it. Throws not_found. */
export async function readTicketOf(
  db: Db,
  accountId: string,
  id: string,
  now: Date,
): Promise<WithMessages<TicketView>> {
  return inTransaction(db, async (trx) => {
    await markRead(trx, accountId, id, now)
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

/** Sets the status of a ticket as an admin. Throws not_found, and forbidden for who is none any more. */
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

/** Read again, because the plan may have ended since the request began. Throws forbidden. */
async function assertCustomer(db: DbOrTrx, accountId: string, now: Date): Promise<void> {
  const account = await db
    .selectFrom('accounts')
    .select(['subscription_plan', 'term_plan', 'term_ends_at', 'is_active'])
    .where('id', '=', accountId)
    .executeTakeFirst()
  const isThere = account && fromFlag(account.is_active)
  assertDedicatedSupport(isThere ? planNow(account, now) : 'free')
}

async function assertMayAnswer(
  db: DbOrTrx,
  id: string,
  side: TicketSide,
  { now, isLimited, hasFile }: Rules & { hasFile: boolean },
): Promise<void> {
  if (isLimited) await assertMayWrite(db, { conversationId: id, side }, now)
  if (!hasFile) return
  const { count } = await db
    .selectFrom('conversation_attachments')
    .innerJoin('conversation_messages', 'conversation_messages.id', 'message_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('conversation_id', '=', id)
    .executeTakeFirstOrThrow()
  assertDocumentQuota(count, { limit: ATTACHMENTS_PER_TICKET, what: 'Attachment' })
}

async function toView(
  trx: Trx,
  { conversation_id, n }: ConversationMessagesTable,
): Promise<TicketMessageView> {
  const [message] = await listTicketMessages(trx, conversation_id, { since: n })
  return message as TicketMessageView
}

type Noted = { verb: 'answered' | 'closed' | 'changed'; status: TicketStatus | undefined }

/** No word of the customer: the log is kept longer than the ticket. */
async function note(
  trx: Trx,
  admin: Admin,
  { id, ticket_number, status: before }: TicketRow,
  { verb, status }: Noted,
  now: Date,
): Promise<void> {
  const title = `Ticket ${ticket_number}`
  const act = {
    ...actorOf(admin),
    action: `ticket.${verb}`,
    subject_type: 'ticket',
    subject_id: id,
    before: { title, status: before },
    after: { title, status: status ?? before },
  }
  await recordAdminAct(trx, act, now)
}

import { actorOf, recordAdminAct } from '#db/admin/audit-events.ts'
import { fromFlag, toFlag, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import { write } from '#db/conversations/answers.ts'
import type { WritingRules } from '#db/conversations/conversation-start.ts'
import { NOTHING_SHARED } from '#db/conversations/endings.ts'
import { assertMayOpenTicket, assertMayWrite } from '#db/conversations/limits.ts'
import {
  type Attachment,
  findWrittenJustNow,
  type NewMessage,
  type OfForm,
  type Written,
} from '#db/conversations/messages.ts'
import type { Notify } from '#db/outbox.ts'
import { countRows } from '#db/pages.ts'
import type { Account, Tables, TicketRow } from '#db/schema.ts'
import { randomId } from '#db/secrets.ts'
import { findNewestOpen, getTicket, getTicketRow, listTicketMessages } from '#db/tickets/tickets.ts'
import { inTransaction } from '#db/transaction.ts'
import type { TicketSide } from '#domain/conversations/conversation.ts'
import { firstLineOf } from '#domain/conversations/message.ts'
import { assertFileQuota } from '#domain/papers/file-quota.ts'
import { planNow } from '#domain/plans/term.ts'
import { assertDedicatedSupport, STATUS_AFTER, type TicketStatus } from '#domain/tickets/ticket.ts'
import type { TicketMessageView, TicketView, WithMessages } from '#domain/tickets/ticket-view.ts'

type Rules = Omit<WritingRules, 'secretKey'>

export type TicketNotify = Notify<NewMessage<TicketRow>>

export type TicketText = OfForm & { text: string; attachment: Attachment | undefined }

/** Before its file is stored. */
type ComingText = Omit<TicketText, 'attachment'> & { attachment: Attachment | 'coming' | undefined }

type Subject = { subject: string }

/** `isAgain`: it was there already, and this attachment is not needed. */
type Once<Result> = Result & { isAgain: boolean }

/** An admin, who answers for the support. */
export type Admin = Account

/**
 * Throws forbidden on a plan without dedicated support, and too_many. `openTicket` checks the same.
 * Returns the id of the ticket if this form opened it just now.
 */
export async function assertMayOpen(
  db: DbOrTrx,
  accountId: string,
  ticket: ComingText & Subject,
  { now, isLimited }: Rules,
): Promise<string | undefined> {
  await assertCustomer(db, accountId, now)
  const earlier = await findOpened(db, accountId, ticket, now)
  if (!earlier && isLimited) await assertMayOpenTicket(db, accountId, now)
  return earlier
}

/** Opens a ticket of the account with its first message. Throws the errors of `assertMayOpen`. */
export async function openTicket(
  db: Db,
  accountId: string,
  opened: TicketText & Subject,
  rules: Rules,
  notify: TicketNotify,
): Promise<Once<{ ticket: WithMessages<TicketView> }>> {
  const { now } = rules
  const { subject, text, attachment } = opened
  const id = randomId()
  return inTransaction(db, async (trx) => {
    const earlier = await assertMayOpen(trx, accountId, opened, rules)
    if (earlier) return { ticket: await getTicket(trx, accountId, earlier), isAgain: true }
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
    await write(trx, ticket, { from: 'customer', kind: 'text', text, attachment }, now, notify)
    return { ticket: await getTicket(trx, accountId, id), isAgain: false }
  })
}

/** Finds the ticket that this form has just opened. The same text after closing it opens another one. */
async function findOpened(
  db: DbOrTrx,
  accountId: string,
  { subject, ...said }: ComingText & Subject,
  now: Date,
): Promise<string | undefined> {
  if (!said.isOfForm) return undefined
  const newest = await findNewestOpen(db, accountId, subject)
  return newest && (await findSaid(db, newest.id, said, { from: 'customer' }, now)) && newest.id
}

/** The values of columns that only finders’ conversations use. */
export const NOT_OF_A_FINDER = {
  ...NOTHING_SHARED,
  qr_id: null,
  replaced_id: null,
  token_hash: null,
  reason: null,
  name: null,
  lang: 'en',
  sender_hash: null,
  browser_hash: null,
  network_hash: null,
  blocked_at: null,
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

type Found = { ticket: TicketRow; earlier: TicketMessageView | undefined }

/**
 * Throws not_found, forbidden on a plan without dedicated support, too_many, and plan_limit when the
 * ticket has as many attachments as it may. `answerAsCustomer` checks the same. Finds the message too
 * if this form wrote it just now.
 */
export async function assertCustomerMayWrite(
  db: DbOrTrx,
  accountId: string,
  id: string,
  said: ComingText,
  rules: Rules,
): Promise<Found> {
  const ticket = await getTicketRow(db, id, accountId)
  await assertCustomer(db, accountId, rules.now)
  const earlier = await findSaid(db, id, said, { from: 'customer' }, rules.now)
  if (!earlier) await assertMayAnswer(db, id, 'customer', said, rules)
  return { ticket, earlier }
}

/** Adds what the customer writes; the ticket is open then. Throws the errors of `assertCustomerMayWrite`. */
export async function answerAsCustomer(
  db: Db,
  accountId: string,
  id: string,
  said: TicketText,
  rules: Rules,
  notify: TicketNotify,
): Promise<Once<{ message: TicketMessageView }>> {
  return inTransaction(db, async (trx) => {
    const { ticket, earlier } = await assertCustomerMayWrite(trx, accountId, id, said, rules)
    if (earlier) return { message: earlier, isAgain: true }
    const { text, attachment } = said
    const written = { from: 'customer', kind: 'text', text, attachment } as const
    const message = await write(trx, ticket, written, rules.now, notify)
    return { message: await toView(trx, message), isAgain: false }
  })
}

/**
 * Throws not_found, too_many and plan_limit. `answerAsSupport` checks the same. Finds the message too
 * if this form wrote it just now.
 */
export async function assertSupportMayWrite(
  db: DbOrTrx,
  admin: Admin,
  id: string,
  said: ComingText,
  rules: Rules,
): Promise<Found> {
  const ticket = await getTicketRow(db, id)
  const earlier = await findSaid(db, id, said, { from: 'support', author: admin.name }, rules.now)
  if (!earlier) await assertMayAnswer(db, id, 'support', said, rules)
  return { ticket, earlier }
}

/**
 * Adds an admin's answer; the ticket then waits for the customer. Throws like
 * `assertSupportMayWrite`, and forbidden for a former admin.
 */
export async function answerAsSupport(
  db: Db,
  admin: Admin,
  id: string,
  said: TicketText,
  rules: Rules,
  notify: TicketNotify,
): Promise<Once<{ message: TicketMessageView }>> {
  const { now } = rules
  return inTransaction(db, async (trx) => {
    const { ticket, earlier } = await assertSupportMayWrite(trx, admin, id, said, rules)
    if (earlier) return { message: earlier, isAgain: true }
    const { text, attachment } = said
    const answer = { from: 'support', kind: 'text', text, author: admin.name, attachment } as const
    const message = await write(trx, ticket, answer, now, notify)
    await note(trx, admin, ticket, { verb: 'answered', status: STATUS_AFTER.support }, now)
    return { message: await toView(trx, message), isAgain: false }
  })
}

/** The message that this form wrote just now, with the same file. */
async function findSaid(
  db: DbOrTrx,
  id: string,
  { text, attachment, isOfForm }: ComingText,
  by: Pick<Written, 'author'> & { from: TicketSide },
  now: Date,
): Promise<TicketMessageView | undefined> {
  const written = isOfForm && (await findWrittenJustNow(db, id, { ...by, kind: 'text', text }, now))
  if (!written) return undefined
  const message = await toView(db, written)
  if (attachment === 'coming') return message
  const { file_name, file_size } = message.attachment ?? {}
  const isSame = attachment?.file_name === file_name && attachment?.file_size === file_size
  return isSame ? message : undefined
}

/**
 * Throws forbidden without a plan with support. Reads it again, because the plan may have ended
 * since the request began.
 */
export async function assertCustomer(db: DbOrTrx, accountId: string, now: Date): Promise<void> {
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
  { attachment }: ComingText,
  { now, isLimited }: Rules,
): Promise<void> {
  if (isLimited) await assertMayWrite(db, { conversationId: id, side }, now)
  if (!attachment) return
  const count = await countRows(
    db
      .selectFrom('conversation_attachments')
      .innerJoin('conversation_messages', 'conversation_messages.id', 'message_id')
      .where('conversation_id', '=', id),
  )
  assertFileQuota('Attachment', count)
}

async function toView(
  db: DbOrTrx,
  { conversation_id, n }: Tables['conversation_messages'],
): Promise<TicketMessageView> {
  const [message] = await listTicketMessages(db, conversation_id, { since: n })
  return message as TicketMessageView
}

type Noted = { verb: 'answered' | 'closed' | 'changed'; status: TicketStatus | undefined }

/** Notes an act without the customer's texts: the log is kept longer than the ticket. */
export async function note(
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

import { type Expression, type ExpressionBuilder, type NotNull, type SqlBool, sql } from 'kysely'
import { fromFlag } from '#db/cast.ts'
import type { DbOrTrx } from '#db/client.ts'
import { containsText } from '#db/codes/qr-search.ts'
import { type Attachment, selectMessages } from '#db/conversations/messages.ts'
import { closedUntil } from '#db/families/reset-questions.ts'
import { type Page, pageOf } from '#db/pages.ts'
import { isAboutAccount } from '#db/plans/decisions.ts'
import type { Instant, OfSupport, Tables, TicketRow } from '#db/schema.ts'
import { firstWord } from '#domain/codes/visibility.ts'
import type { TicketSide } from '#domain/conversations/conversation.ts'
import { firstLineOf } from '#domain/conversations/message.ts'
import { type Plans, planNow } from '#domain/plans/term.ts'
import {
  isOverdue,
  readTicketNumber,
  type TicketStatus,
  ticketNotFound,
} from '#domain/tickets/ticket.ts'
import type {
  AdminTicketView,
  AttachmentView,
  TicketMessageView,
  TicketView,
  WithMessages,
} from '#domain/tickets/ticket-view.ts'

/** Which tickets. */
export type TicketPage = Page & { status?: TicketStatus | undefined; search?: string | null }

/** When the support promises an answer, in hours after the customer's last message. */
export type Promised = { hours: number; now: Date }

/** Returns the account's tickets, the one with the newest message first, and how many match. */
export async function listTickets(
  db: DbOrTrx,
  accountId: string,
  page: TicketPage = {},
): Promise<{ tickets: TicketView[]; total_count: number }> {
  const { rows, total } = await readPage(await selectOwn(db, accountId), page)
  return { tickets: rows.map(toTicketView), total_count: total }
}

/** Lists the tickets of all customers like `listTickets`. */
export async function listAllTickets(
  db: DbOrTrx,
  page: TicketPage,
  promised: Promised,
): Promise<{ tickets: AdminTicketView[]; total_count: number }> {
  const { rows, total } = await readPage(selectTickets(db), page)
  return { tickets: rows.map((row) => toAdminTicketView(row, promised)), total_count: total }
}

/** Returns a ticket of the account, with its messages and the first names of admins. Throws not_found. */
export async function getTicket(
  db: DbOrTrx,
  accountId: string,
  id: string,
): Promise<WithMessages<TicketView>> {
  const own = await selectOwn(db, accountId)
  const row = await own.where('conversations.id', '=', id).executeTakeFirstOrThrow(ticketNotFound)
  const messages = await listTicketMessages(db, id)
  const shown = messages.map((message) => ({ ...message, author: firstWord(message.author) }))
  return { ...toTicketView(row), messages: shown }
}

/** Returns a ticket of anybody, with its messages. Throws not_found. */
export async function getAnyTicket(
  db: DbOrTrx,
  id: string,
  promised: Promised,
): Promise<WithMessages<AdminTicketView>> {
  const row = await selectTickets(db)
    .where('conversations.id', '=', id)
    .executeTakeFirstOrThrow(ticketNotFound)
  return { ...toAdminTicketView(row, promised), messages: await listTicketMessages(db, id) }
}

/** Returns the row of a ticket, of the account if one is said, for verbs that change it. Throws not_found. */
export async function getTicketRow(
  db: DbOrTrx,
  id: string,
  accountId?: string,
): Promise<TicketRow> {
  const query = accountId === undefined ? selectTickets(db) : await selectOwn(db, accountId)
  const row = await query
    .clearSelect()
    .selectAll('conversations')
    .where('conversations.id', '=', id)
    .executeTakeFirstOrThrow(ticketNotFound)
  return row as TicketRow
}

/** Returns the newest open ticket of the account with this subject. */
export async function findNewestOpen(
  db: DbOrTrx,
  accountId: string,
  subject: string,
): Promise<{ id: string } | undefined> {
  return (await selectOwn(db, accountId))
    .clearSelect()
    .select('conversations.id')
    .where('conversations.subject', '=', subject)
    .where('conversations.status', '=', 'open')
    .orderBy('conversations.created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Returns how many tickets wait for the support or for the customer. */
export async function countTickets(db: DbOrTrx): Promise<{ open: number; waiting: number }> {
  const rows = await db
    .selectFrom('conversations')
    .select(({ fn }) => ['status', fn.countAll<number>().as('count')])
    .where(sql<SqlBool>`kind = 'support'`)
    .where('status', 'in', ['open', 'waiting'])
    .groupBy('status')
    .execute()
  const countOf = (status: TicketStatus) => rows.find((row) => row.status === status)?.count ?? 0
  return { open: countOf('open'), waiting: countOf('waiting') }
}

/** Returns a query that counts the tickets that wait for the support, so that a statement can combine it with other counts. */
export function countOpenTickets(db: DbOrTrx) {
  return db
    .selectFrom('conversations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(sql<SqlBool>`kind = 'support'`)
    .where('status', '=', 'open')
}

/** Returns how many tickets of the account have something that it has not seen; undefined without a ticket. */
export async function countUnreadTickets(
  db: DbOrTrx,
  accountId: string,
): Promise<number | undefined> {
  const rows = await (await selectOwn(db, accountId))
    .clearSelect()
    .select(({ fn }) => ['is_unread', fn.countAll<number>().as('count')])
    .groupBy('is_unread')
    .execute()
  if (rows.length === 0) return undefined
  return rows.find((row) => fromFlag(row.is_unread))?.count ?? 0
}

type Tickets = ReturnType<typeof selectTickets>

async function readPage(tickets: Tickets, { status, search, ...page }: TicketPage) {
  const query = tickets
    .$if(status !== undefined, (all) =>
      all.where('conversations.status', '=', status as TicketStatus),
    )
    .$if(Boolean(search), (all) => all.where((eb) => matches(eb, search as string)))
    .orderBy('conversations.last_message_at', 'desc')
    .orderBy('conversations.id', 'desc')
  return pageOf(query, page)
}

function matches(
  eb: ExpressionBuilder<Tables, 'conversations' | 'accounts'>,
  search: string,
): Expression<SqlBool> {
  const number = readTicketNumber(search)
  const inMessages = eb
    .selectFrom('conversation_messages')
    .select('conversation_messages.id')
    .whereRef('conversation_messages.conversation_id', '=', 'conversations.id')
    .where((each) => containsText(each.ref('conversation_messages.text'), search))
  return eb.or([
    containsText(eb.ref('conversations.subject'), search),
    isAboutAccount(eb, search),
    eb.exists(inMessages),
    ...(number === undefined ? [] : [eb('conversations.ticket_number', '=', number)]),
  ])
}

async function selectOwn(db: DbOrTrx, accountId: string): Promise<Tickets> {
  const closed = await closedUntil(db, accountId)
  return selectTickets(db)
    .where('conversations.account_id', '=', accountId)
    .$if(closed !== undefined, (query) =>
      query.where('conversations.created_at', '>', closed as Instant),
    )
}

function selectTickets(db: DbOrTrx) {
  return (
    db
      .selectFrom('conversations')
      .innerJoin('accounts', 'accounts.id', 'conversations.account_id')
      // In words, or the index for these is not found.
      .where(sql<SqlBool>`conversations.kind = 'support'`)
      .selectAll('conversations')
      .select(['accounts.name as user_name', 'accounts.email as user_email'])
      .select(['accounts.subscription_plan', 'accounts.term_plan', 'accounts.term_ends_at'])
      .select((eb) => [
        eb
          .selectFrom('conversation_messages')
          .select('text')
          .whereRef('conversation_id', '=', 'conversations.id')
          .orderBy('n', 'desc')
          .limit(1)
          .as('last_text'),
        lastOfCustomer(eb).as('last_customer_message_at'),
      ])
      .$narrowType<OfSupport & { last_text: NotNull; last_customer_message_at: NotNull }>()
  )
}

/** Selects the time of the customer's last message of a ticket. */
export function lastOfCustomer({ selectFrom }: ExpressionBuilder<Tables, 'conversations'>) {
  return selectFrom('conversation_messages')
    .select('sent_at')
    .whereRef('conversation_id', '=', 'conversations.id')
    .where('sender', '=', 'customer')
    .orderBy('n', 'desc')
    .limit(1)
}

type Row = TicketRow &
  Plans & {
    user_name: string
    user_email: string | null
    last_text: string
    last_customer_message_at: Instant
  }

function toTicketView(row: Row): TicketView {
  return {
    id: row.id,
    number: row.ticket_number,
    subject: row.subject,
    status: row.status,
    unread: fromFlag(row.is_unread),
    last_line: firstLineOf(row.last_text),
    created_at: row.created_at,
    last_message_at: row.last_message_at,
    last_customer_message_at: row.last_customer_message_at,
  }
}

function toAdminTicketView(row: Row, { hours, now }: Promised): AdminTicketView {
  const { account_id, user_name, user_email } = row
  return {
    ...toTicketView(row),
    user_id: account_id,
    user_name,
    user_email,
    user_plan: planNow(row, now),
    overdue: isOverdue(row, hours, now),
  }
}

/** Returns the messages of a ticket with their attachments, the first one first. */
export async function listTicketMessages(
  db: DbOrTrx,
  id: string,
  some?: Parameters<typeof selectMessages>[2],
): Promise<TicketMessageView[]> {
  const rows = await selectMessages(db, id, some)
    .leftJoin('conversation_attachments', 'message_id', 'conversation_messages.id')
    .select(['file_name', 'stored_name', 'thumbnail_name', 'file_size', 'content_type'])
    .execute()
  return rows.map((row) => ({
    id: row.id,
    from: row.sender as TicketSide,
    author: row.author,
    text: row.text,
    attachment: toAttachment(row),
    sent_at: row.sent_at,
  }))
}

type Attached = { [column in keyof Attachment]: Attachment[column] | null }

function toAttachment(row: Attached): AttachmentView | null {
  const { file_name, stored_name, thumbnail_name, file_size, content_type } = row
  if (!file_name || !stored_name || file_size === null || !content_type) return null
  const url = `/api/files/${stored_name}`
  const thumbnail_url = thumbnail_name && `/api/files/${thumbnail_name}`
  return { file_name, file_size, content_type, url, thumbnail_url }
}

import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { type QueuedAlert, withdraw } from '#db/alerts/alerting.ts'
import { soonest } from '#db/alerts/quiet-waits.ts'
import { secondsAfter, toInstant } from '#db/cast.ts'
import type { DbOrTrx, Trx } from '#db/client.ts'
import type { Instant, Tables } from '#db/schema.ts'
import type { AnySide, TicketSide } from '#domain/conversations/conversation.ts'
import { NOTICE_EVERY_SECONDS } from '#domain/conversations/rules.ts'

/** The news of message `n` for one side of a conversation. */
type About = { conversationId: string; side: AnySide; n: number }
/**
 * Puts the notice of the messages from `firstN` on into the outbox. `dueAt` is the time from which
 * a channel (null for e-mail) may deliver it. Where a side has several readers, both name the account. `isOneMore`
 * unless it replaces a waiting one.
 */
type PutNotice = (notice: {
  firstN: (accountId?: string) => number
  dueAt: (channelId: string | null, accountId?: string) => Instant
  isOneMore: boolean
}) => Promise<QueuedAlert | undefined>

/**
 * Notifies a side of a message, at most once in 5 minutes: a waiting notice is replaced by one
 * about all messages since, and an earlier one waits. It is a step of the message's transaction.
 */
export async function notifySide(
  trx: Trx,
  { conversationId, side, n }: About,
  now: Date,
  put: PutNotice,
): Promise<void> {
  const last = await trx
    .selectFrom('conversation_mails')
    .select(['due_at', 'first_n', 'outbox_id'])
    .where('conversation_id', '=', conversationId)
    .where('side', '=', side)
    .executeTakeFirst()
  const waiting = last ? await listWaiting(trx, last.outbox_id) : []
  const isWaiting = waiting.length > 0
  const isOf = (accountId?: string) => (row: Pick<Tables['outbox'], 'account_id'>) =>
    accountId === undefined || row.account_id === accountId
  const next = last ? nextDue(last.due_at, now) : toInstant(now)
  // One that was tried may have arrived already, or arrives just now.
  const untried = waiting.filter(({ attempts }) => attempts === 0)
  const firstN = (accountId?: string) => (last && waiting.some(isOf(accountId)) ? last.first_n : n)
  const dueAt = (channelId: string | null, accountId?: string) => {
    const waits = untried.filter(isOf(accountId)).find((row) => row.channel_id === channelId)
    return waits ? allowedAt(waits, firstN(), now) : next
  }
  const queued = await put({ firstN, dueAt, isOneMore: !isWaiting })
  if (!queued) return
  if (last) await withdraw(trx, [last.outbox_id])
  await putNotice(trx, { conversationId, side, n: firstN() }, queued)
}

/**
 * Notifies one more reader of a side, under the cause of its last notice, so that both are withdrawn together and
 * either tells the side. Returns the reader's notice, if any channel is to get it.
 */
export async function notifyAlso(
  trx: Trx,
  about: About,
  put: (causeId: string | undefined) => Promise<QueuedAlert | undefined>,
): Promise<QueuedAlert | undefined> {
  const last = await trx
    .selectFrom('conversation_mails')
    .select('outbox_id')
    .where('conversation_id', '=', about.conversationId)
    .where('side', '=', about.side)
    .executeTakeFirst()
  const queued = await put(last?.outbox_id)
  if (queued && !last) await putNotice(trx, about, queued)
  return queued
}

async function putNotice(
  trx: Trx,
  { conversationId, side, n: first_n }: About,
  { dueAt: due_at, causeId: outbox_id }: QueuedAlert,
): Promise<void> {
  const notice = { due_at, outbox_id, first_n, told_at: null }
  await trx
    .insertInto('conversation_mails')
    .values({ conversation_id: conversationId, side, ...notice })
    .onConflict((each) => each.columns(['conversation_id', 'side']).doUpdateSet(notice))
    .execute()
}

/** Notes that a channel accepted deliveries, if they are about conversations. A step before they are removed. */
export async function noteTold(trx: Trx, deliveryIds: string[], now: Date): Promise<void> {
  if (deliveryIds.length === 0) return
  await trx
    .updateTable('conversation_mails')
    .set({ told_at: toInstant(now) })
    .where('told_at', 'is', null)
    .where('outbox_id', 'in', ({ selectFrom }) =>
      selectFrom('outbox').select('cause_id').where('id', 'in', deliveryIds),
    )
    .execute()
}

/** Returns whether a notice to a side of a conversation waits, into which the next message goes. */
export async function hasWaitingNotice(
  trx: DbOrTrx,
  { conversationId, side }: Omit<About, 'n'>,
): Promise<boolean> {
  const waiting = await trx
    .selectFrom('conversation_mails')
    .innerJoin('outbox', 'outbox.cause_id', 'outbox_id')
    .select('outbox.id')
    .where('conversation_id', '=', conversationId)
    .where('side', '=', side)
    .limit(1)
    .executeTakeFirst()
  return waiting !== undefined
}

async function listWaiting(trx: Trx, causeId: string) {
  return trx
    .selectFrom('outbox')
    .select(['account_id', 'channel_id', 'attempts', 'created_at', 'next_attempt_at'])
    .where('cause_id', '=', causeId)
    .execute()
}

type Waiting = Pick<Tables['outbox'], 'created_at' | 'next_attempt_at'>

/**
 * Returns the earliest time of the notice that replaces one. That one may have waited for the end of quiet hours, which does not
 * hold for the new one if the code has been lost since.
 */
function allowedAt({ created_at, next_attempt_at }: Waiting, first_n: number, now: Date): Instant {
  const allowed = toInstant(soonest({ created_at, first_n }, now))
  return allowed < next_attempt_at ? allowed : next_attempt_at
}

function nextDue(dueAt: Instant, now: Date): Instant {
  const atOnce = toInstant(now)
  // One that was to come later than now was taken back.
  const last = dueAt < atOnce ? dueAt : atOnce
  const next = toInstant(secondsAfter(new Date(last), NOTICE_EVERY_SECONDS))
  return next > atOnce ? next : atOnce
}

/** Takes back unsent notices to a customer about the tickets of the account, which is blocked. */
export async function withdrawFromCustomer(trx: Trx, accountId: string): Promise<void> {
  const tickets = await trx
    .selectFrom('conversations')
    .select('id')
    .where('account_id', '=', accountId)
    .where(sql<SqlBool>`kind = 'support'`)
    .execute()
  await withdrawNotices(
    trx,
    tickets.map(({ id }) => id),
    'customer',
  )
}

/** Takes back unsent notices about tickets to a former admin. */
export async function withdrawFromSupport(trx: Trx, accountId: string): Promise<void> {
  await trx
    .deleteFrom('outbox')
    .where('recipient', '=', ({ selectFrom }) =>
      selectFrom('accounts')
        .select('email')
        .where('id', '=', accountId)
        .where('email_verified_at', 'is not', null),
    )
    .where(isAboutTickets(['support']))
    .execute()
}

/** Moves unsent mails about tickets to another address. */
export async function moveTicketMails(trx: Trx, from: string, to: string): Promise<void> {
  await trx
    .updateTable('outbox')
    .set({ recipient: to })
    .where('recipient', '=', from)
    .where(isAboutTickets(['customer', 'support']))
    .execute()
}

function isAboutTickets(sides: TicketSide[]) {
  return ({ eb, selectFrom }: ExpressionBuilder<Tables, 'outbox'>) =>
    eb(
      'cause_id',
      'in',
      selectFrom('conversation_mails').select('outbox_id').where('side', 'in', sides),
    )
}

/** Takes back unsent notices about conversations, to one side or to both. */
export async function withdrawNotices(
  trx: Trx,
  conversationIds: string[],
  side?: AnySide,
): Promise<void> {
  if (conversationIds.length === 0) return
  const rows = await trx
    .selectFrom('conversation_mails')
    .select('outbox_id')
    .where('conversation_id', 'in', conversationIds)
    .$if(side !== undefined, (query) => query.where('side', '=', side as AnySide))
    .execute()
  await withdraw(
    trx,
    rows.map(({ outbox_id }) => outbox_id),
  )
}

import { type SqlBool, sql } from 'kysely'
import { secondsAfter, secondsUntil, toInstant } from '#db/cast.ts'
import type { DbOrTrx } from '#db/client.ts'
import type { FinderConversationRow, Instant } from '#db/schema.ts'
import type { AnySide, MessageReason } from '#domain/conversations/conversation.ts'
import type { Sender } from '#domain/conversations/sender.ts'
import { tooMany } from '#domain/rate-counters.ts'
import { KEPT_LIMITS, type RateLimit } from '#domain/rate-limits.ts'
import { SKEW_SECONDS } from '#domain/time.ts'

type Try = { at: Instant }

/**
 * Throws too_many when the conversations of an hour reach a limit: those about a code from the sender's browser, or
 * those about any codes from the sender's network. A message about an accident is refused by
 * the network's count alone. Conversations that were deleted since count too.
 */
export async function assertMayBegin(
  db: DbOrTrx,
  { qrId, sender, reason }: { qrId: string; sender: Sender; reason: MessageReason },
  now: Date,
): Promise<void> {
  const ofNetwork = KEPT_LIMITS['conversation-network']
  const inNetwork = nthOf(db, ofNetwork, now).where('network_hash', 'in', sender.networks)
  assertWithin(ofNetwork, await inNetwork.executeTakeFirst(), now)
  if (reason === 'accident' || !sender.browser) return
  const ofBrowser = KEPT_LIMITS['conversation-browser']
  const inBrowser = nthOf(db, ofBrowser, now)
    .where('qr_id', '=', qrId)
    .where('browser_hash', '=', sender.browser)
    .where('reason', '!=', 'accident')
  assertWithin(ofBrowser, await inBrowser.executeTakeFirst(), now)
}

/** Returns whether another conversation about a code keeps its photo. */
export async function keepsPhoto(db: DbOrTrx, qrId: string, now: Date): Promise<boolean> {
  const ofCode = KEPT_LIMITS['conversation-photo']
  const nth = nthOf(db, ofCode, now).where('qr_id', '=', qrId)
  return (await nth.executeTakeFirst()) === undefined
}

type Told = Pick<FinderConversationRow, 'qr_id' | 'reason' | 'network_hash'>

/**
 * Returns whether the conversations of an hour about a code, this one included, are so many that their alerts are
 * bundled. Of accidents, only those from the sender's network count.
 */
export async function isOneOfMany(
  db: DbOrTrx,
  { qr_id, reason, network_hash }: Told,
  now: Date,
): Promise<boolean> {
  const isAccident = reason === 'accident'
  const limit = KEPT_LIMITS[isAccident ? 'accident-alert' : 'conversation-alert']
  const oneMore = { ...limit, count: limit.count + 1 }
  const nth = isAccident
    ? nthOf(db, oneMore, now).where('reason', '=', reason).where('network_hash', '=', network_hash)
    : nthOf(db, oneMore, now).where('qr_id', '=', qr_id)
  return (await nth.executeTakeFirst()) !== undefined
}

/**
 * Returns whether finders added so much to conversations about a code within an hour, this message included, that it
 * is told together. An hour after many conversations were begun, each of them could alert every five minutes
 * otherwise. First messages do not count, so that nobody delays the alert of a new finder, nor do conversations in
 * which the account has written.
 */
export async function isOneOfManyAdded(
  db: DbOrTrx,
  { qr_id, account_id }: Pick<FinderConversationRow, 'qr_id' | 'account_id'>,
  now: Date,
): Promise<boolean> {
  const limit = KEPT_LIMITS['addition-alert']
  const start = windowStart(limit, now)
  const nth = await db
    .selectFrom('conversations')
    .innerJoin('conversation_messages as added', 'added.conversation_id', 'conversations.id')
    .select('added.id')
    .where('account_id', '=', account_id)
    .where(sql<SqlBool>`is_deleted = 0 and conversations.kind = 'finder'`)
    .where('last_message_at', '>', start)
    .where('qr_id', '=', qr_id)
    .where('added.sender', '=', 'finder')
    .where('added.n', '>', 1)
    .where('added.sent_at', '>', start)
    .where('added.sent_at', '<=', windowEnd(now))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('conversation_messages as answer')
            .select('answer.id')
            .whereRef('answer.conversation_id', '=', 'conversations.id')
            .where('answer.sender', '=', 'owner'),
        ),
      ),
    )
    .offset(limit.count)
    .limit(1)
    .executeTakeFirst()
  return nth !== undefined
}

/** Throws too_many when the account has opened as many tickets as it may within an hour. */
export async function assertMayOpenTicket(
  db: DbOrTrx,
  accountId: string,
  now: Date,
): Promise<void> {
  const limit = KEPT_LIMITS.ticket
  const nth = nthOf(db, limit, now)
    .where('account_id', '=', accountId)
    .where(sql<SqlBool>`kind = 'support'`)
  assertWithin(limit, await nth.executeTakeFirst(), now)
}

/** The conversation that filled the limit, of those that are chosen further. */
function nthOf(db: DbOrTrx, limit: RateLimit, now: Date) {
  return db
    .selectFrom('conversations')
    .select('created_at as at')
    .where('created_at', '>', windowStart(limit, now))
    .where('created_at', '<=', windowEnd(now))
    .orderBy('created_at', 'desc')
    .offset(limit.count - 1)
    .limit(1)
}

/** Throws too_many when a side has written as much in the conversation as it may within an hour. */
export async function assertMayWrite(
  db: DbOrTrx,
  { conversationId, side }: { conversationId: string; side: AnySide },
  now: Date,
): Promise<void> {
  const limit = KEPT_LIMITS.message
  const nth = await db
    .selectFrom('conversation_messages')
    .select('sent_at as at')
    .where('conversation_id', '=', conversationId)
    .where('sender', '=', side)
    .where('sent_at', '>', windowStart(limit, now))
    .where('sent_at', '<=', windowEnd(now))
    .orderBy('n', 'desc')
    .offset(limit.count - 1)
    .limit(1)
    .executeTakeFirst()
  assertWithin(limit, nth, now)
}

function windowStart({ seconds }: RateLimit, now: Date): Instant {
  return toInstant(secondsAfter(now, -seconds))
}

/** Tries of a clock that was ahead do not count: they would until that time. */
function windowEnd(now: Date): Instant {
  return toInstant(secondsAfter(now, SKEW_SECONDS))
}

/** `nth` is when the last try began to fill the limit. */
function assertWithin(limit: RateLimit, nth: Try | undefined, now: Date): void {
  if (nth === undefined) return
  const { seconds } = limit
  const wait = secondsUntil(toInstant(secondsAfter(new Date(nth.at), seconds)), now)
  throw tooMany(Math.min(wait, seconds), limit)
}

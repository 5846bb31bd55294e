import { type SqlBool, sql } from 'kysely'
import { secondsAfter, secondsUntil, toInstant } from '#db/cast.ts'
import type { DbOrTrx } from '#db/client.ts'
import type { Instant } from '#db/schema.ts'
import type { AnySide } from '#domain/conversations/conversation.ts'
import { tooMany } from '#domain/rate-counters.ts'
import { KEPT_LIMITS } from '#domain/rate-limits.ts'
import { SKEW_SECONDS } from '#domain/time.ts'

type Try = { at: Instant }
type Limit = (typeof KEPT_LIMITS)[
  | 'conversation-code'
  | 'conversation-address'
  | 'ticket'
  | 'message']

/**
 * Throws too_many when so many conversations about a code, or of a sender, were begun within an hour
 * that there may be no more. Conversations that were deleted since count too.
 */
export async function assertMayBegin(
  db: DbOrTrx,
  { qrId, senderHashes }: { qrId: string; senderHashes: string[] },
  now: Date,
): Promise<void> {
  const ofCode = KEPT_LIMITS['conversation-code']
  assertWithin(
    ofCode,
    await nthOf(db, ofCode, now).where('qr_id', '=', qrId).executeTakeFirst(),
    now,
  )
  // Before midnight the sender had the hash of another day.
  const hashes = senderHashes.slice(0, 2)
  const ofSender = KEPT_LIMITS['conversation-address']
  const ofHashes = nthOf(db, ofSender, now).where('sender_hash', 'in', hashes)
  assertWithin(ofSender, await ofHashes.executeTakeFirst(), now)
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
function nthOf(db: DbOrTrx, limit: Limit, now: Date) {
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

function windowStart({ seconds }: Limit, now: Date): Instant {
  return toInstant(secondsAfter(now, -seconds))
}

/** Tries of a clock that was ahead do not count: they would until that time. */
function windowEnd(now: Date): Instant {
  return toInstant(secondsAfter(now, SKEW_SECONDS))
}

/** `nth` is when the last try began to fill the limit. */
function assertWithin(limit: Limit, nth: Try | undefined, now: Date): void {
  if (nth === undefined) return
  const { seconds } = limit
  const wait = secondsUntil(toInstant(secondsAfter(new Date(nth.at), seconds)), now)
  throw tooMany(Math.min(wait, seconds), limit)
}

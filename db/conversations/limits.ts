import { secondsAfter, secondsUntil, toInstant } from '#db/cast.ts'
import type { DbOrTrx } from '#db/client.ts'
import type { Instant } from '#db/schema.ts'
import type { Side } from '#domain/conversations/conversation.ts'
import { tooMany } from '#domain/rate-counters.ts'
import { KEPT_LIMITS } from '#domain/rate-limits.ts'

type Limit = (typeof KEPT_LIMITS)['conversation-code' | 'conversation-address' | 'message']

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
  const nthOfCode = await db
    .selectFrom('conversations')
    .select('created_at as at')
    .where('qr_id', '=', qrId)
    .where('created_at', '>', windowStart(ofCode, now))
    .orderBy('created_at', 'desc')
    .offset(ofCode.count - 1)
    .limit(1)
    .executeTakeFirst()
  assertWithin(ofCode, nthOfCode?.at, now)
  const ofSender = KEPT_LIMITS['conversation-address']
  const nthOfSender = await db
    .selectFrom('conversations')
    .select('created_at as at')
    // Before midnight the sender had the hash of another day.
    .where('sender_hash', 'in', senderHashes.slice(0, 2))
    .where('created_at', '>', windowStart(ofSender, now))
    .orderBy('created_at', 'desc')
    .offset(ofSender.count - 1)
    .limit(1)
    .executeTakeFirst()
  assertWithin(ofSender, nthOfSender?.at, now)
}

/** Throws too_many when a side has written as much in the conversation as it may within an hour. */
export async function assertMayWrite(
  db: DbOrTrx,
  { conversationId, side }: { conversationId: string; side: Side },
  now: Date,
): Promise<void> {
  const limit = KEPT_LIMITS.message
  const nth = await db
    .selectFrom('conversation_messages')
    .select('sent_at as at')
    .where('conversation_id', '=', conversationId)
    .where('sender', '=', side)
    .where('sent_at', '>', windowStart(limit, now))
    .orderBy('n', 'desc')
    .offset(limit.count - 1)
    .limit(1)
    .executeTakeFirst()
  assertWithin(limit, nth?.at, now)
}

function windowStart({ seconds }: Limit, now: Date): Instant {
  return toInstant(secondsAfter(now, -seconds))
}

/** `nth` is when the last try began to fill the limit. What a clock that was ahead wrote waits no longer. */
function assertWithin({ count, seconds, refusal }: Limit, nth: Instant | undefined, now: Date) {
  if (nth === undefined) return
  const wait = secondsUntil(toInstant(secondsAfter(new Date(nth), seconds)), now)
  throw tooMany(Math.min(wait, seconds), `${count} ${refusal}`)
}

import { type QueuedAlert, withdraw } from '#db/alerts/alerting.ts'
import { fromFlag, secondsAfter, toFlag, toInstant } from '#db/cast.ts'
import type { DbOrTrx, Trx } from '#db/client.ts'
import { isOneOfMany, isOneOfManyAdded } from '#db/conversations/limits.ts'
import { hasWaitingNotice } from '#db/conversations/notices.ts'
import type { FinderConversationRow, Instant } from '#db/schema.ts'
import { BUNDLE_EVERY_SECONDS } from '#domain/conversations/rules.ts'

/** Returns whether the account has written in a conversation: then it wants to know of each answer. */
export async function hasAnswered(db: DbOrTrx, conversationId: string): Promise<boolean> {
  const answer = await db
    .selectFrom('conversation_messages')
    .select('id')
    .where('conversation_id', '=', conversationId)
    .where('sender', '=', 'owner')
    .limit(1)
    .executeTakeFirst()
  return answer !== undefined
}

/** Returns whether the alert of a conversation's message `n` waits for the next bundle of its code. */
export async function waitsForBundle(
  db: DbOrTrx,
  { conversation, n }: { conversation: FinderConversationRow; n: number },
  now: Date,
): Promise<boolean> {
  if (await hasAnswered(db, conversation.id)) return false
  if (await isOneOfMany(db, conversation, now)) return true
  const own = { conversationId: conversation.id, side: 'owner' } as const
  return n > 1 && !(await hasWaitingNotice(db, own)) && isOneOfManyAdded(db, conversation, now)
}

/** Returns the accounts of the people who have written in a conversation for its owner. */
export async function listAnswerers(db: DbOrTrx, conversationId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('conversation_messages')
    .select('author_id')
    .distinct()
    .where('conversation_id', '=', conversationId)
    .where('author_id', 'is not', null)
    .$narrowType<{ author_id: string }>()
    .execute()
  return rows.map(({ author_id }) => author_id)
}

type Bundle = { messages: number; isUrgent: boolean; dueAt: Instant }

/**
 * Counts a message into the bundle that waits, or into a new one ten minutes later. `put` puts its alert into the
 * outbox, in place of the one that waited. It is a step of the message's transaction.
 */
export async function addToBundle(
  trx: Trx,
  { qr_id, account_id }: Pick<FinderConversationRow, 'qr_id' | 'account_id'>,
  isUrgent: boolean,
  now: Date,
  put: (bundle: Bundle) => Promise<QueuedAlert | undefined>,
): Promise<void> {
  const { id: code_id } = await trx
    .selectFrom('qr_codes')
    .select('id')
    .where('qr_id', '=', qr_id)
    .executeTakeFirstOrThrow()
  const last = await trx
    .selectFrom('message_bundles')
    .selectAll()
    .where('code_id', '=', code_id)
    .where('account_id', '=', account_id)
    .executeTakeFirst()
  const waiting = last && (await isWaiting(trx, last.outbox_id)) ? last : undefined
  const bundle = {
    messages: (waiting?.messages ?? 0) + 1,
    isUrgent: isUrgent || (waiting !== undefined && fromFlag(waiting.is_urgent)),
    dueAt: waiting?.due_at ?? toInstant(secondsAfter(now, BUNDLE_EVERY_SECONDS)),
  }
  const queued = await put(bundle)
  if (!queued) return
  if (waiting) await withdraw(trx, [waiting.outbox_id])
  const { messages, dueAt: due_at } = bundle
  const row = { outbox_id: queued.causeId, due_at, messages, is_urgent: toFlag(bundle.isUrgent) }
  await trx
    .insertInto('message_bundles')
    .values({ code_id, account_id, ...row })
    .onConflict((each) => each.columns(['code_id', 'account_id']).doUpdateSet(row))
    .execute()
}

/** Returns whether an alert was not tried yet. One that was tried may have arrived. */
async function isWaiting(trx: Trx, causeId: string): Promise<boolean> {
  const rows = await trx
    .selectFrom('outbox')
    .select('attempts')
    .where('cause_id', '=', causeId)
    .execute()
  return rows.length > 0 && rows.every(({ attempts }) => attempts === 0)
}

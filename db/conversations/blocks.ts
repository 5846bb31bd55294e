import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import { getOwnConversation } from '#db/conversations/conversations.ts'
import { endConversation } from '#db/conversations/endings.ts'
import { inTransaction } from '#db/transaction.ts'
import { SENDER_DAYS } from '#domain/conversations/rules.ts'
import { DomainError } from '#domain/error.ts'
import { DAY } from '#domain/rate-limits.ts'

/** Throws forbidden when the account takes no messages from a sender with one of these hashes. */
export async function assertNotBlocked(
  db: DbOrTrx,
  { accountId, senderHashes }: { accountId: string; senderHashes: string[] },
  now: Date,
): Promise<void> {
  const blocked = await db
    .selectFrom('blocked_senders')
    .select('account_id')
    .where('account_id', '=', accountId)
    .where('sender_hash', 'in', senderHashes)
    .where('expires_at', '>', toInstant(now))
    .limit(1)
    .executeTakeFirst()
  if (blocked) throw new DomainError('forbidden.sender_blocked')
}

/**
 * Ends a conversation of the account, which takes no messages from its sender for 7 days, about none
 * of its codes. After 7 days nobody knows any more who the sender was. Throws not_found.
 */
export async function blockSender(db: Db, accountId: string, id: string, now: Date): Promise<void> {
  await inTransaction(db, async (trx) => {
    const conversation = await getOwnConversation(trx, accountId, id)
    if (conversation.sender_hash) await block(trx, accountId, conversation.sender_hash, now)
    await endConversation(trx, conversation, {}, now)
  })
}

async function block(trx: Trx, account_id: string, sender_hash: string, now: Date): Promise<void> {
  const expires_at = toInstant(secondsAfter(now, SENDER_DAYS * DAY))
  await trx
    .insertInto('blocked_senders')
    .values({ account_id, sender_hash, expires_at })
    .onConflict((each) => each.columns(['account_id', 'sender_hash']).doUpdateSet({ expires_at }))
    .execute()
}

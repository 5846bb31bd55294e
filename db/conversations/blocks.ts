import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import { getConversation } from '#db/conversations/conversations.ts'
import { endConversation, undoEnding } from '#db/conversations/endings.ts'
import { getOwnConversation, recordConversationHelp } from '#db/conversations/seen-conversations.ts'
import type { FinderConversationRow } from '#db/schema.ts'
import { inTransaction } from '#db/transaction.ts'
import type { ConversationWithMessages } from '#domain/conversations/conversation-view.ts'
import { BLOCK_DAYS } from '#domain/conversations/rules.ts'
import type { Sender } from '#domain/conversations/sender.ts'
import { DomainError } from '#domain/error.ts'
import type { Holder } from '#domain/people/share.ts'
import { DAY } from '#domain/rate-limits.ts'

/**
 * Throws forbidden when the account, or a moderator for all accounts, has blocked the sender's browser, or an address
 * that is one phone's. Returns whether the account has blocked a sender at the same shared address, who may be
 * somebody else.
 */
export async function assertNotBlocked(
  db: DbOrTrx,
  { accountId, sender }: { accountId: string; sender: Sender },
  now: Date,
): Promise<{ isNearBlocked: boolean }> {
  const { browser, addresses, isShared } = sender
  const hashes = browser ? [browser, ...addresses] : addresses
  const blocked = await db
    .selectFrom('blocked_senders')
    .select('sender_hash')
    .where('account_id', '=', accountId)
    .where('sender_hash', 'in', hashes)
    .where('expires_at', '>', toInstant(now))
    .execute()
  const forAll = await db
    .selectFrom('service_blocks')
    .select('sender_hash')
    .where('sender_hash', 'in', hashes)
    .where('expires_at', '>', toInstant(now))
    .execute()
  if ([...blocked, ...forAll].some(({ sender_hash }) => sender_hash === browser || !isShared)) {
    throw new DomainError('forbidden.sender_blocked')
  }
  return { isNearBlocked: blocked.length > 0 }
}

/**
 * Ends a conversation of the account, which takes no messages from its sender for a day, about none of its codes.
 * After 7 days nobody knows any more who the sender was. Throws not_found.
 */
export async function blockSender(db: Db, viewer: Holder, id: string, now: Date): Promise<void> {
  await inTransaction(db, async (trx) => {
    const conversation = await getOwnConversation(trx, viewer, id, { right: 'tend' })
    const { account_id } = conversation
    for (const hash of hashesOf(conversation)) await block(trx, account_id, hash, now)
    await endConversation(trx, conversation, { blocked_at: toInstant(now) }, now)
    await recordConversationHelp(trx, viewer, conversation, 'blocked', now)
  })
}

async function block(trx: Trx, account_id: string, sender_hash: string, now: Date): Promise<void> {
  const expires_at = toInstant(secondsAfter(now, BLOCK_DAYS * DAY))
  await trx
    .insertInto('blocked_senders')
    .values({ account_id, sender_hash, expires_at })
    .onConflict((each) => each.columns(['account_id', 'sender_hash']).doUpdateSet({ expires_at }))
    .execute()
}

/**
 * Takes messages from the sender of a conversation again, and opens it as it was before the block. Throws not_found.
 */
export async function unblockSender(
  db: Db,
  viewer: Holder,
  id: string,
  now: Date,
): Promise<ConversationWithMessages> {
  return inTransaction(db, async (trx) => {
    const conversation = await getOwnConversation(trx, viewer, id, { right: 'tend' })
    const { blocked_at, account_id } = conversation
    if (!blocked_at) return getConversation(trx, viewer, id, now)
    await trx
      .deleteFrom('blocked_senders')
      .where('account_id', '=', account_id)
      .where('sender_hash', 'in', hashesOf(conversation))
      .execute()
    await trx.updateTable('conversations').set({ blocked_at: null }).where('id', '=', id).execute()
    await undoEnding(trx, conversation, blocked_at, now)
    await recordConversationHelp(trx, viewer, conversation, 'unblocked', now)
    return getConversation(trx, viewer, id, now)
  })
}

/** Returns the hashes of the sender of a conversation; none after 7 days. */
export function hashesOf({ sender_hash, browser_hash }: FinderConversationRow): string[] {
  return [sender_hash, browser_hash].filter((hash) => hash !== null)
}

import type { ExpressionBuilder } from 'kysely'
import { endEscalation } from '#db/alerts/escalation.ts'
import { secondsAfter, toFlag, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import { noteChanges } from '#db/conversations/changes.ts'
import {
  getOwnConversation,
  holdsShares,
  shareOfConversation,
} from '#db/conversations/seen-conversations.ts'
import type { Tables } from '#db/schema.ts'
import { inTransaction } from '#db/transaction.ts'
import type { OthersOfSide } from '#domain/conversations/conversation-view.ts'
import { assertOpen, TYPING_SECONDS } from '#domain/conversations/rules.ts'
import { has } from '#domain/people/roles.ts'
import type { Holder } from '#domain/people/share.ts'

/**
 * Marks a conversation of any kind as read by its account, or by a person who answers for it, as a step of a
 * transaction. A viewer's look marks nothing. Throws not_found for a conversation that others share no more.
 */
export async function markRead(trx: Trx, viewer: Holder, id: string, now: Date): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('conversations')
    .set({ is_unread: toFlag(false) })
    .where('id', '=', id)
    .where('account_id', '=', viewer.id)
    .where('is_unread', '=', toFlag(true))
    .where('is_deleted', '=', toFlag(false))
    .executeTakeFirst()
  if (numUpdatedRows) {
    await endEscalation(trx, id)
    await noteChanges(trx, [{ id, account_id: viewer.id }], now)
  } else if (holdsShares(viewer)) await markSharedRead(trx, viewer, id, now)
}

async function markSharedRead(trx: Trx, viewer: Holder, id: string, now: Date): Promise<void> {
  const conversation = await getOwnConversation(trx, viewer, id)
  const share = shareOfConversation(viewer, conversation)
  if (!share || !has(share.role, 'answer')) return
  if (await addRead(trx, { conversation_id: id, account_id: viewer.id })) {
    await noteChanges(trx, [conversation], now)
  }
}

/** Marks a conversation as read by a person. Returns false for one who has read it already. */
export async function addRead(
  trx: Trx,
  read: Pick<Tables['conversation_reads'], 'conversation_id' | 'account_id'>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('conversation_reads')
    .values({ ...read, typed_at: null })
    .onConflict((each) => each.doNothing())
    .executeTakeFirst()
  if (!numInsertedOrUpdatedRows) return false
  await endEscalation(trx, read.conversation_id)
  return true
}

/** Forgets the people who have read a conversation, because its finder wrote. A step of a transaction. */
export async function forgetReads(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('conversation_reads').where('conversation_id', '=', id).execute()
}

/** Returns whether anybody on the owner's side has opened a conversation since its finder wrote. */
export function isReadByAny({
  eb,
  or,
  exists,
  selectFrom,
}: ExpressionBuilder<Tables, 'conversations'>) {
  const reads = selectFrom('conversation_reads')
    .select('conversation_reads.account_id')
    .whereRef('conversation_reads.conversation_id', '=', 'conversations.id')
  return or([eb('conversations.is_unread', '=', toFlag(false)), exists(reads)])
}

/**
 * Notes that the account types an answer, which the others on the owner's side see for ten seconds. Throws not_found,
 * forbidden for a role that does not answer, and conflict for a conversation that is over.
 */
export async function noteTyping(db: Db, viewer: Holder, id: string, now: Date): Promise<void> {
  await inTransaction(db, async (trx) => {
    const conversation = await getOwnConversation(trx, viewer, id, { right: 'answer' })
    assertOpen(conversation)
    await markRead(trx, viewer, id, now)
    const read = { conversation_id: id, account_id: viewer.id }
    const before = await trx
      .selectFrom('conversation_reads')
      .select('typed_at')
      .where('conversation_id', '=', id)
      .where('account_id', '=', viewer.id)
      .executeTakeFirst()
    const typed_at = toInstant(now)
    await trx
      .insertInto('conversation_reads')
      .values({ ...read, typed_at })
      .onConflict((each) =>
        each.columns(['conversation_id', 'account_id']).doUpdateSet({ typed_at }),
      )
      .execute()
    if (writingUntil(before?.typed_at, conversation, now)) return
    await noteChanges(trx, [conversation], now, { concernsFinder: false })
  })
}

type Of = Pick<Tables['conversations'], 'id' | 'last_message_at' | 'is_unread'>

/** Returns the other readers of each conversation since its finder wrote, and the others that type an answer. */
export async function listOthersOf(
  db: DbOrTrx,
  viewer: Holder,
  conversations: Of[],
  now: Date,
): Promise<Map<string, OthersOfSide>> {
  const ids = conversations.map(({ id }) => id)
  const rows = await db
    .selectFrom('conversation_reads')
    .innerJoin('conversations', 'conversations.id', 'conversation_id')
    .innerJoin('accounts', 'accounts.id', 'conversation_reads.account_id')
    .select(['conversation_id', 'conversation_reads.account_id', 'typed_at', 'accounts.name'])
    .select('conversations.account_id as owner_id')
    .where('conversation_id', 'in', ids)
    .where('conversation_reads.account_id', '<>', viewer.id)
    .orderBy('accounts.name')
    .execute()
  return new Map(
    conversations.map((conversation) => {
      const others = rows.filter(({ conversation_id }) => conversation_id === conversation.id)
      return [
        conversation.id,
        {
          // The owner's own flag says whether they have read it.
          read_by: others
            .filter((each) => each.account_id !== each.owner_id)
            .map(({ name }) => name),
          writing: others.flatMap(({ name, typed_at }) => {
            const until = writingUntil(typed_at, conversation, now)
            return until ? [{ name, until }] : []
          }),
        },
      ]
    }),
  )
}

/** Returns until when a person counts as writing; undefined if they do not, or somebody has written since. */
function writingUntil(
  typed_at: string | null | undefined,
  { last_message_at }: Pick<Of, 'last_message_at'>,
  now: Date,
): string | undefined {
  if (!typed_at || typed_at <= last_message_at) return undefined
  const until = toInstant(secondsAfter(new Date(typed_at), TYPING_SECONDS))
  return until > toInstant(now) ? until : undefined
}

import type { Transaction } from 'kysely'
import { toInstant } from '#db/cast.ts'
import type { DbOrTrx } from '#db/client.ts'
import type { ConversationMessagesTable, ConversationsTable, Tables } from '#db/schema.ts'
import { randomId } from '#db/secrets.ts'
import type { MessageKind, Side } from '#domain/conversations/conversation.ts'
import type { MessageView } from '#domain/conversations/conversation-view.ts'

export type Written = { from: Side; kind: MessageKind; text: string }
/** What somebody is told of after a message was written: number `n` of a conversation. */
export type NewMessage = { conversation: ConversationsTable; from: Side; n: number }

/** All messages of a conversation, the first one first. */
export async function listMessages(
  db: DbOrTrx,
  conversationId: string,
  { from, since = 0 }: { from?: Side; since?: number } = {},
): Promise<MessageView[]> {
  const rows = await db
    .selectFrom('conversation_messages')
    .selectAll()
    .where('conversation_id', '=', conversationId)
    .where('n', '>=', since)
    .$if(from !== undefined, (query) => query.where('sender', '=', from as Side))
    .orderBy('n')
    .execute()
  return rows.map(toMessageView)
}

export async function countMessages(db: DbOrTrx, conversationId: string): Promise<number> {
  const { count } = await db
    .selectFrom('conversation_messages')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('conversation_id', '=', conversationId)
    .executeTakeFirstOrThrow()
  return count
}

/** Adds a message behind the last one of the conversation, as a step of a transaction. */
export async function addMessage(
  trx: Transaction<Tables>,
  conversationId: string,
  { from, kind, text }: Written,
  now: Date,
): Promise<{ n: number; message: MessageView }> {
  const { last } = await trx
    .selectFrom('conversation_messages')
    .select(({ fn }) => fn.max<number | null>('n').as('last'))
    .where('conversation_id', '=', conversationId)
    .executeTakeFirstOrThrow()
  const row: ConversationMessagesTable = {
    id: randomId(),
    conversation_id: conversationId,
    n: (last ?? 0) + 1,
    sender: from,
    kind,
    text,
    sent_at: toInstant(now),
  }
  await trx.insertInto('conversation_messages').values(row).execute()
  return { n: row.n, message: toMessageView(row) }
}

function toMessageView({ id, sender, kind, text, sent_at }: ConversationMessagesTable) {
  return { id, from: sender, kind, text, sent_at }
}

import { secondsAfter, toInstant } from '#db/cast.ts'
import type { DbOrTrx, Trx } from '#db/client.ts'
import { shareOfConversation } from '#db/conversations/seen-conversations.ts'
import { countRows } from '#db/pages.ts'
import type { FinderConversationRow, Tables } from '#db/schema.ts'
import { randomId } from '#db/secrets.ts'
import type { AnySide, MessageKind, Side } from '#domain/conversations/conversation.ts'
import type { MessageOfSide, MessageView } from '#domain/conversations/conversation-view.ts'
import { AGAIN_SECONDS } from '#domain/conversations/rules.ts'
import type { Holder } from '#domain/people/share.ts'

export type Attachment = Omit<Tables['conversation_attachments'], 'message_id'>
export type Written = {
  from: AnySide
  kind: MessageKind
  text: string
  /** of the support, or a person who answers for the owner */
  author?: string | null
  author_id?: string | null
  attachment?: Attachment | undefined
}
/** The news of a message: number `n` of a conversation. */
export type NewMessage<Row extends Tables['conversations'] = FinderConversationRow> = {
  conversation: Row
  from: AnySide
  n: number
  /** a sender at the same shared address is blocked */
  isNearBlocked?: boolean
}

type Some = { from?: AnySide; since?: number }

/** Returns all messages of a finder's conversation, the first one first. */
export async function listMessages(
  db: DbOrTrx,
  conversationId: string,
  some: Some = {},
): Promise<MessageView[]> {
  const rows = await selectMessages(db, conversationId, some).execute()
  return rows.map(toMessageView)
}

/** Returns all messages of a finder's conversation for the owner's side. */
export async function listMessagesOfSide(
  db: DbOrTrx,
  { id, account_id }: Pick<FinderConversationRow, 'id' | 'account_id'>,
  viewer: Holder,
): Promise<MessageOfSide[]> {
  const rows = await selectMessages(db, id).execute()
  return rows.map((row) => toMessageOfSide(row, account_id, viewer))
}

/** Stands for a person whose account is gone. */
const SOMEBODY = 'Somebody'

/** Returns a message for the owner's side: the owner's own have no author. */
export function toMessageOfSide(
  row: Tables['conversation_messages'],
  ownerId: string,
  viewer: Holder,
): MessageOfSide {
  const { author, author_id, sender } = row
  const isOwners = author === null
  const isReaders = isOwners ? ownerId === viewer.id : author_id === viewer.id
  const named = isOwners ? shareOfConversation(viewer, { account_id: ownerId })?.owner_name : author
  return {
    ...toMessageView(row),
    author: sender !== 'owner' || isReaders ? null : named || SOMEBODY,
  }
}

/** Returns a message as both sides may read it: a finder does not learn who wrote for the owner. */
export function toMessageView(row: Tables['conversation_messages']): MessageView {
  const { id, sender, kind, text, sent_at } = row
  return { id, from: sender as Side, kind, text, sent_at }
}

/** Returns the messages of a conversation of any kind, the first one first, those of a side or from one on. */
export function selectMessages(
  db: DbOrTrx,
  conversationId: string,
  { from, since = 0 }: Some = {},
) {
  return db
    .selectFrom('conversation_messages')
    .selectAll('conversation_messages')
    .where('conversation_id', '=', conversationId)
    .where('n', '>=', since)
    .$if(from !== undefined, (query) => query.where('sender', '=', from as AnySide))
    .orderBy('n')
}

export function countMessages(db: DbOrTrx, conversationId: string): Promise<number> {
  return countRows(
    db.selectFrom('conversation_messages').where('conversation_id', '=', conversationId),
  )
}

/** A form is sent again when its answer was lost: its message may be stored already. */
export type OfForm = { isOfForm?: boolean }

/** Returns the newest message, if it is this one and was written just now. Its attachment may be another. */
export async function findWrittenJustNow(
  db: DbOrTrx,
  conversationId: string,
  { from, kind, text, author = null, author_id = null }: Omit<Written, 'attachment'>,
  now: Date,
): Promise<Tables['conversation_messages'] | undefined> {
  const newest = await selectMessages(db, conversationId)
    .clearOrderBy()
    .orderBy('n', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!newest || newest.sent_at <= toInstant(secondsAfter(now, -AGAIN_SECONDS))) return undefined
  const isBySame = newest.author === author && newest.author_id === author_id
  const isOfSame = newest.sender === from && isBySame
  return isOfSame && newest.kind === kind && newest.text === text ? newest : undefined
}

/** Adds a message behind the last one of the conversation, as a step of a transaction. */
export async function addMessage(
  trx: Trx,
  conversationId: string,
  { from, kind, text, author, author_id, attachment }: Written,
  now: Date,
): Promise<Tables['conversation_messages']> {
  const { last } = await trx
    .selectFrom('conversation_messages')
    .select(({ fn }) => fn.max<number | null>('n').as('last'))
    .where('conversation_id', '=', conversationId)
    .executeTakeFirstOrThrow()
  const row: Tables['conversation_messages'] = {
    id: randomId(),
    conversation_id: conversationId,
    n: (last ?? 0) + 1,
    sender: from,
    author: author ?? null,
    author_id: author_id ?? null,
    kind,
    text,
    sent_at: toInstant(now),
  }
  await trx.insertInto('conversation_messages').values(row).execute()
  if (attachment) {
    const attached = { message_id: row.id, ...attachment }
    await trx.insertInto('conversation_attachments').values(attached).execute()
  }
  return row
}

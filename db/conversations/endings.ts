import type { Updateable } from 'kysely'
import { toFlag, toInstant } from '#db/cast.ts'
import type { Db, Trx } from '#db/client.ts'
import { noteChanges } from '#db/conversations/changes.ts'
import { findConversationOf } from '#db/conversations/finder-conversations.ts'
import { withdrawNotices } from '#db/conversations/notices.ts'
import { forgetReads } from '#db/conversations/reads.ts'
import { getOwnConversation, recordConversationHelp } from '#db/conversations/seen-conversations.ts'
import { PAGE_ROWS } from '#db/pages.ts'
import type { FinderConversationRow, Instant, Tables } from '#db/schema.ts'
import { inTransaction } from '#db/transaction.ts'
import { conversationEnded } from '#domain/conversations/rules.ts'
import type { Holder } from '#domain/people/share.ts'

/** The parts that a finder shared beside the text. */
export const NOTHING_SHARED = {
  place: null,
  latitude: null,
  longitude: null,
  accuracy: null,
  photo_name: null,
  photo_thumbnail_name: null,
  reply_to: null,
  show_contact: toFlag(false),
} as const

type Removed = { stored_names: string[] }

/** Returns the stored files of a conversation's photo. */
export function photoFilesOf(
  row: Pick<Tables['conversations'], 'photo_name' | 'photo_thumbnail_name'>,
): string[] {
  return [row.photo_name, row.photo_thumbnail_name].filter((name) => name !== null)
}

/** Ends a conversation for both sides, as a step of a transaction. The first reason for closing it stays. */
export async function endConversation(
  trx: Trx,
  { id, account_id, status, closed_at, ended_at }: FinderConversationRow,
  change: Updateable<Tables['conversations']>,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('conversations')
    .set({
      status: status === 'open' ? 'closed' : status,
      closed_at: closed_at ?? toInstant(now),
      ended_at: ended_at ?? toInstant(now),
      ...change,
    })
    .where('id', '=', id)
    .execute()
  await withdrawNotices(trx, [id])
  await noteChanges(trx, [{ id, account_id }], now)
}

/**
 * Opens a conversation again that ended at this instant, as a step of a transaction: its finder may have ended it
 * before, and its owner closed it.
 */
export async function undoEnding(
  trx: Trx,
  { id, account_id, ended_at, closed_at }: FinderConversationRow,
  at: Instant,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('conversations')
    .set({ ended_at: ended_at === at ? null : ended_at })
    .$if(ended_at === at && closed_at === at, (query) =>
      query.set({ status: 'open', closed_at: null }),
    )
    .where('id', '=', id)
    .execute()
  await noteChanges(trx, [{ id, account_id }], now)
}

/**
 * Ends a conversation for its finder, and deletes the contact and place that they shared. Names the
 * files of the photo. Throws not_found for an unknown token and an ended conversation.
 */
export async function stopConversation(db: Db, token: string, now: Date): Promise<Removed> {
  return inTransaction(db, async (trx) => {
    const conversation = await findConversationOf(trx, token)
    if (!conversation) throw conversationEnded()
    await endConversation(trx, conversation, NOTHING_SHARED, now)
    return { stored_names: photoFilesOf(conversation) }
  })
}

/**
 * Ends a conversation of the account and deletes every word of it. The row stays until it is old, so
 * that limits still count it. Names the files of the photo. Throws not_found.
 */
export async function deleteConversation(
  db: Db,
  viewer: Holder,
  id: string,
  now: Date,
): Promise<Removed> {
  return inTransaction(db, async (trx) => {
    const conversation = await getOwnConversation(trx, viewer, id, { right: 'papers' })
    const nothing = {
      name: null,
      first_line: '',
      is_deleted: toFlag(true),
      is_unread: toFlag(false),
    }
    await endConversation(trx, conversation, { ...NOTHING_SHARED, ...nothing }, now)
    await trx.deleteFrom('conversation_messages').where('conversation_id', '=', id).execute()
    await forgetReads(trx, id)
    await recordConversationHelp(trx, viewer, conversation, 'deleted', now)
    return { stored_names: photoFilesOf(conversation) }
  })
}

/**
 * Prepares the deletion of codes with their conversations: withdraws their mails, notifies open
 * pages, and names the files of their photos.
 */
export async function leaveConversationsOf(
  trx: Trx,
  qrIds: string | string[],
  now: Date,
): Promise<string[]> {
  const conversations = await trx
    .selectFrom('conversations')
    .select(['id', 'account_id', 'photo_name', 'photo_thumbnail_name'])
    .where('qr_id', 'in', [qrIds].flat())
    .execute()
  for (let from = 0; from < conversations.length; from += PAGE_ROWS) {
    const some = conversations.slice(from, from + PAGE_ROWS)
    await withdrawNotices(
      trx,
      some.map(({ id }) => id),
    )
    await noteChanges(trx, some, now)
  }
  return conversations.flatMap(photoFilesOf)
}

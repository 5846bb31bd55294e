import type { Updateable } from 'kysely'
import { toFlag, toInstant } from '#db/cast.ts'
import type { Db, Trx } from '#db/client.ts'
import { endLostMode } from '#db/codes/lost-mode.ts'
import { type Person, write, writtenBy } from '#db/conversations/answers.ts'
import { noteChanges } from '#db/conversations/changes.ts'
import { findCodeOf } from '#db/conversations/code-user.ts'
import type { WritingRules } from '#db/conversations/conversation-start.ts'
import { getConversation } from '#db/conversations/conversations.ts'
import { assertMayWrite } from '#db/conversations/limits.ts'
import type { NewMessage } from '#db/conversations/messages.ts'
import { withdrawNotices } from '#db/conversations/notices.ts'
import { markRead } from '#db/conversations/reads.ts'
import { getOwnConversation, recordConversationHelp } from '#db/conversations/seen-conversations.ts'
import type { Notify } from '#db/outbox.ts'
import type { Tables } from '#db/schema.ts'
import { inTransaction } from '#db/transaction.ts'
import type { ConversationStatus } from '#domain/conversations/conversation.ts'
import type { ConversationWithMessages } from '#domain/conversations/conversation-view.ts'
import { THANKS } from '#domain/conversations/message.ts'
import { assertMayBecome } from '#domain/conversations/rules.ts'
import type { Holder } from '#domain/people/share.ts'

/** Returns a conversation that the account sees, and marks it as read: see `markRead`. Throws not_found. */
export async function readConversation(
  db: Db,
  viewer: Holder,
  id: string,
  now: Date,
): Promise<ConversationWithMessages> {
  return inTransaction(db, async (trx) => {
    await markRead(trx, viewer, id, now)
    return getConversation(trx, viewer, id, now)
  })
}

/**
 * Closes a conversation of the account or opens it again. `returned` closes it with thanks to the
 * finder, and the code is lost no more. Throws not_found, conflict for one that has ended, invalid
 * when nothing was found, and too_many when there is no room for the thanks.
 */
export async function setConversationStatus(
  db: Db,
  viewer: Person,
  id: string,
  status: ConversationStatus,
  { now, isLimited }: Omit<WritingRules, 'secretKey'>,
  notify: Notify<NewMessage>,
): Promise<ConversationWithMessages> {
  return inTransaction(db, async (trx) => {
    const conversation = await getOwnConversation(trx, viewer, id, { right: 'answer' })
    assertMayBecome(status, conversation)
    if (status !== conversation.status) {
      if (status === 'returned') {
        if (isLimited) await assertMayWrite(trx, { conversationId: id, side: 'owner' }, now)
        const thanks = { ...writtenBy(viewer, conversation), kind: 'text', text: THANKS } as const
        await write(trx, conversation, thanks, now, notify)
        if (await findCodeOf(trx, conversation)) await endLostMode(trx, conversation.qr_id, now)
      }
      await changeStatus(trx, conversation, status, now)
      const act = status === 'open' ? 'reopened' : status
      await recordConversationHelp(trx, viewer, conversation, act, now)
    }
    return getConversation(trx, viewer, id, now)
  })
}

/** Closes a conversation of any kind or opens it again, as a step of a transaction. */
export async function changeStatus(
  trx: Trx,
  conversation: Tables['conversations'],
  status: Tables['conversations']['status'],
  now: Date,
): Promise<void> {
  const isOver = status === 'closed' || status === 'returned'
  const closed_at = isOver ? (conversation.closed_at ?? toInstant(now)) : null
  await change(trx, conversation.id, { status, closed_at })
  await noteChanges(trx, [conversation], now)
}

/** Mutes a conversation of the account, which then sends it no mails. Throws not_found. */
export async function setMuted(
  db: Db,
  viewer: Holder,
  id: string,
  muted: boolean,
  now: Date,
): Promise<ConversationWithMessages> {
  return inTransaction(db, async (trx) => {
    const conversation = await getOwnConversation(trx, viewer, id, { right: 'answer' })
    await change(trx, id, { is_muted: toFlag(muted) })
    if (muted) await withdrawNotices(trx, [id], 'owner')
    await noteChanges(trx, [conversation], now, { concernsFinder: false })
    return getConversation(trx, viewer, id, now)
  })
}

async function change(
  trx: Trx,
  id: string,
  columns: Updateable<Tables['conversations']>,
): Promise<void> {
  await trx.updateTable('conversations').set(columns).where('id', '=', id).execute()
}

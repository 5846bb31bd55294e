import { toFlag, toInstant } from '#db/cast.ts'
import type { Db, Trx } from '#db/client.ts'
import { assertNotBlocked } from '#db/conversations/blocks.ts'
import { noteChanges } from '#db/conversations/changes.ts'
import { canAnswer, findCodeOf } from '#db/conversations/code-user.ts'
import type { WritingRules } from '#db/conversations/conversation-start.ts'
import { getOwnConversation } from '#db/conversations/conversations.ts'
import { findConversationOf } from '#db/conversations/finder-conversations.ts'
import { assertMayWrite } from '#db/conversations/limits.ts'
import {
  addMessage,
  findWrittenJustNow,
  type NewMessage,
  type OfForm,
  toMessageView,
  type Written,
} from '#db/conversations/messages.ts'
import type { Notify } from '#db/outbox.ts'
import type { FinderConversationRow, Tables } from '#db/schema.ts'
import { inTransaction } from '#db/transaction.ts'
import { dialled } from '#domain/accounts/phone.ts'
import { phoneOf } from '#domain/codes/phones.ts'
import { isOfAccount } from '#domain/conversations/conversation.ts'
import type { MessageView } from '#domain/conversations/conversation-view.ts'
import { assertOpen, conversationEnded } from '#domain/conversations/rules.ts'
import type { Sender } from '#domain/conversations/sender.ts'
import { DomainError } from '#domain/error.ts'
import { STATUS_AFTER } from '#domain/tickets/ticket.ts'
import type { Lang } from '#locales/languages.ts'

type Rules = Omit<WritingRules, 'secretKey'>
export type OwnersAnswer = OfForm & ({ text: string } | { share_number: true })
export type FindersAnswer = OfForm & {
  token: string
  text: string
  sender: Sender
  /** of the page on which the finder writes */
  lang: Lang
}

/**
 * Adds what the code's user answers, or the code's mobile number. Throws not_found, conflict for a
 * conversation that is closed or has ended, too_many, and invalid for a code without a number.
 */
export async function answerAsOwner(
  db: Db,
  accountId: string,
  id: string,
  answer: OwnersAnswer,
  { now, isLimited }: Rules,
  notify: Notify<NewMessage>,
): Promise<MessageView> {
  return inTransaction(db, async (trx) => {
    const conversation = await getOwnConversation(trx, accountId, id, { mayBeDeleted: true })
    assertOpen(conversation)
    const written: Written =
      'text' in answer
        ? { from: 'owner', kind: 'text', text: answer.text }
        : { from: 'owner', kind: 'number', text: await getNumber(trx, conversation) }
    const earlier = answer.isOfForm && (await findWrittenJustNow(trx, id, written, now))
    if (earlier) return toMessageView(earlier)
    if (isLimited) await assertMayWrite(trx, { conversationId: id, side: 'owner' }, now)
    return toMessageView(await write(trx, conversation, written, now, notify))
  })
}

/**
 * Adds what a finder writes. Throws not_found for an unknown token and an ended conversation, conflict
 * for a closed one and while the account is blocked, forbidden for a blocked sender, and too_many.
 */
export async function answerAsFinder(
  db: Db,
  { token, text, sender, lang, isOfForm }: FindersAnswer,
  { now, isLimited }: Rules,
  notify: Notify<NewMessage>,
): Promise<MessageView> {
  return inTransaction(db, async (trx) => {
    const conversation = await findConversationOf(trx, token)
    if (!conversation) throw conversationEnded()
    const { id, account_id } = conversation
    const written = { from: 'finder', kind: 'text', text } as const
    const earlier = isOfForm && (await findWrittenJustNow(trx, id, written, now))
    if (earlier) return toMessageView(earlier)
    assertOpen(conversation)
    if (!(await canAnswer(trx, account_id))) {
      throw new DomainError('conflict.messages_paused')
    }
    const { isNearBlocked } = await assertNotBlocked(trx, { accountId: account_id, sender }, now)
    const notifyOf: typeof notify = (_, message) => notify(trx, { ...message, isNearBlocked })
    if (isLimited) await assertMayWrite(trx, { conversationId: id, side: 'finder' }, now)
    return toMessageView(await write(trx, { ...conversation, lang }, written, now, notifyOf))
  })
}

/**
 * Adds a message, and marks the conversation as read or unread by its account and as in its `lang`, as a
 * step of a transaction. A ticket is then for the other side to answer.
 */
export async function write<Row extends Tables['conversations']>(
  trx: Trx,
  conversation: Row,
  written: Written,
  now: Date,
  notify: Notify<NewMessage<Row>>,
): Promise<Tables['conversation_messages']> {
  const { id, lang } = conversation
  const { from } = written
  const message = await addMessage(trx, id, written, now)
  const status = STATUS_AFTER[from]
  await trx
    .updateTable('conversations')
    .set({ last_message_at: toInstant(now), is_unread: toFlag(!isOfAccount(from)), lang })
    .$if(status !== undefined, (query) => query.set({ status, closed_at: null }))
    .where('id', '=', id)
    .execute()
  await noteChanges(trx, [conversation], now)
  await notify(trx, { conversation, from, n: message.n })
  return message
}

/** The number of the code as it is dialled, while the code is still this account's. */
async function getNumber(trx: Trx, conversation: FinderConversationRow): Promise<string> {
  const code = await findCodeOf(trx, conversation)
  if (!code) throw new DomainError('conflict.not_your_code')
  const phone = phoneOf(code.contact_phone, code.contact_number)
  if (!phone) throw new DomainError('invalid.no_number')
  return dialled(phone)
}

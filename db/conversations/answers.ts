import { endEscalation } from '#db/alerts/escalation.ts'
import { toFlag, toInstant } from '#db/cast.ts'
import type { Db, Trx } from '#db/client.ts'
import { assertNotBlocked } from '#db/conversations/blocks.ts'
import { noteChanges } from '#db/conversations/changes.ts'
import { canAnswer, findCodeOf } from '#db/conversations/code-user.ts'
import type { WritingRules } from '#db/conversations/conversation-start.ts'
import { findConversationOf } from '#db/conversations/finder-conversations.ts'
import { assertMayWrite } from '#db/conversations/limits.ts'
import {
  addMessage,
  findWrittenJustNow,
  type NewMessage,
  type OfForm,
  toMessageOfSide,
  toMessageView,
  type Written,
} from '#db/conversations/messages.ts'
import { addRead, forgetReads } from '#db/conversations/reads.ts'
import { getOwnConversation } from '#db/conversations/seen-conversations.ts'
import type { Notify } from '#db/outbox.ts'
import type { FinderConversationRow, Tables } from '#db/schema.ts'
import { inTransaction } from '#db/transaction.ts'
import { dialled } from '#domain/accounts/phone.ts'
import { phoneOf } from '#domain/codes/phones.ts'
import { isOfAccount } from '#domain/conversations/conversation.ts'
import type { MessageOfSide, MessageView } from '#domain/conversations/conversation-view.ts'
import { assertOpen, conversationEnded } from '#domain/conversations/rules.ts'
import type { Sender } from '#domain/conversations/sender.ts'
import { DomainError } from '#domain/error.ts'
import type { Holder } from '#domain/people/share.ts'
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
  viewer: Person,
  id: string,
  answer: OwnersAnswer,
  { now, isLimited }: Rules,
  notify: Notify<NewMessage>,
): Promise<MessageOfSide> {
  return inTransaction(db, async (trx) => {
    const needed = { right: 'answer', mayBeDeleted: true } as const
    const conversation = await getOwnConversation(trx, viewer, id, needed)
    assertOpen(conversation)
    const by = writtenBy(viewer, conversation)
    const written: Written =
      'text' in answer
        ? { ...by, kind: 'text', text: answer.text }
        : { ...by, kind: 'number', text: await getNumber(trx, conversation) }
    const earlier = answer.isOfForm && (await findWrittenJustNow(trx, id, written, now))
    const { account_id } = conversation
    if (earlier) return toMessageOfSide(earlier, account_id, viewer)
    if (isLimited) await assertMayWrite(trx, { conversationId: id, side: 'owner' }, now)
    const message = await write(trx, conversation, written, now, notify)
    return toMessageOfSide(message, account_id, viewer)
  })
}

/** An account that answers. Its name is stored with an answer for another owner. */
export type Person = Holder & { name: string }

/** Returns the author of an answer: a person of the owner, or none for the owner. */
export function writtenBy({ id, name }: Person, { account_id }: FinderConversationRow) {
  return { from: 'owner', ...(id !== account_id && { author: name, author_id: id }) } as const
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
  const { from, author_id } = written
  const message = await addMessage(trx, id, written, now)
  const status = STATUS_AFTER[from]
  if (author_id) await addRead(trx, { conversation_id: id, account_id: author_id })
  else if (from === 'finder') await forgetReads(trx, id)
  else if (from === 'owner') await endEscalation(trx, id)
  await trx
    .updateTable('conversations')
    .set({ last_message_at: toInstant(now), lang })
    // A person who answers for the owner has not read it in their place.
    .$if(!author_id, (query) => query.set({ is_unread: toFlag(!isOfAccount(from)) }))
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

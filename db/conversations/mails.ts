import type { Transaction } from 'kysely'
import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Instant, Tables } from '#db/schema.ts'
import type { Side } from '#domain/conversations/conversation.ts'
import { MAIL_EVERY_SECONDS } from '#domain/conversations/rules.ts'

/** A mail about a conversation to one side of it, about message `n`. */
type About = { conversationId: string; side: Side; n: number }
/**
 * Puts a mail about the messages from `firstN` on into the outbox; its id, if there is one. `isOneMore`
 * unless it replaces a mail that waits.
 */
type PutMail = (mail: {
  firstN: number
  dueAt: Instant
  isOneMore: boolean
}) => Promise<string | undefined>

/**
 * Mails a side that there is a message, at most once in 5 minutes: a mail that still waits is replaced
 * by one about all messages since, and what comes sooner waits. It is a step of the transaction of the
 * message.
 */
export async function mailSide(
  trx: Transaction<Tables>,
  { conversationId, side, n }: About,
  now: Date,
  put: PutMail,
): Promise<void> {
  const last = await trx
    .selectFrom('conversation_mails')
    .leftJoin('outbox', 'outbox.id', 'conversation_mails.outbox_id')
    .select(['due_at', 'first_n', 'outbox_id', 'outbox.attempts'])
    .where('conversation_id', '=', conversationId)
    .where('side', '=', side)
    .executeTakeFirst()
  const isWaiting = last?.attempts != null
  // One that was tried may have arrived already, or arrives just now.
  const isUntried = last?.attempts === 0
  const dueAt = !last ? toInstant(now) : isUntried ? last.due_at : nextDue(last.due_at, now)
  const firstN = isWaiting && last ? last.first_n : n
  const outbox_id = await put({ firstN, dueAt, isOneMore: !isWaiting })
  if (!outbox_id) return
  if (last && isWaiting) await trx.deleteFrom('outbox').where('id', '=', last.outbox_id).execute()
  const mail = { due_at: dueAt, outbox_id, first_n: firstN }
  await trx
    .insertInto('conversation_mails')
    .values({ conversation_id: conversationId, side, ...mail })
    .onConflict((each) => each.columns(['conversation_id', 'side']).doUpdateSet(mail))
    .execute()
}

function nextDue(dueAt: Instant, now: Date): Instant {
  const next = toInstant(secondsAfter(new Date(dueAt), MAIL_EVERY_SECONDS))
  const soonest = toInstant(now)
  return next > soonest ? next : soonest
}

/** Takes back the mails about conversations that were not sent yet, to one side or to both. */
export async function withdrawMails(
  trx: Transaction<Tables>,
  conversationIds: string[],
  side?: Side,
): Promise<void> {
  if (conversationIds.length === 0) return
  await trx
    .deleteFrom('outbox')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('conversation_mails')
        .select('outbox_id')
        .where('conversation_id', 'in', conversationIds)
        .$if(side !== undefined, (query) => query.where('side', '=', side as Side)),
    )
    .execute()
}

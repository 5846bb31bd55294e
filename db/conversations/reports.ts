import { toInstant } from '#db/cast.ts'
import type { Db } from '#db/client.ts'
import { SHOWN_COLUMNS, shownOfCode, THING_OF_OTHERS } from '#db/conversations/code-user.ts'
import { listMessages } from '#db/conversations/messages.ts'
import { getOwnConversation, recordConversationHelp } from '#db/conversations/seen-conversations.ts'
import { randomId } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import type { Thing } from '#domain/codes/visibility.ts'
import type { ReportReason } from '#domain/conversations/report.ts'
import { userOfCode } from '#domain/conversations/rules.ts'
import { DomainError } from '#domain/error.ts'
import type { Holder } from '#domain/people/share.ts'

/** A conversation for moderators, as it was: without shared numbers, and with the code as its finder saw it. */
export type ConversationSnapshot = {
  owner_name: string | null
  vehicle_registration: string | null
  reason: string
  /** missing in reports of earlier versions, whose codes were all on keys */
  thing?: Thing
  name: string | null
  place: string | null
  had_photo: boolean
  messages: { from: string; kind: string; text: string | null; sent_at: string }[]
}

/**
 * Reports a conversation of the account with its present content. Throws not_found, and conflict
 * while an earlier report of it is open.
 */
export async function reportConversation(
  db: Db,
  viewer: Holder,
  id: string,
  { reason, text }: { reason: ReportReason; text: string | null },
  now: Date,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const conversation = await getOwnConversation(trx, viewer, id, { right: 'tend' })
    const { account_id } = conversation
    const open = await trx
      .selectFrom('reports')
      .select('id')
      .where('status', '=', 'open')
      .where('conversation_id', '=', id)
      .executeTakeFirst()
    if (open) throw new DomainError('conflict.conversation_reported')
    const code = await trx
      .selectFrom('qr_codes')
      .select(SHOWN_COLUMNS)
      .select('thing')
      .where('qr_id', '=', conversation.qr_id)
      .executeTakeFirstOrThrow()
    const messages = await listMessages(trx, id)
    const snapshot: ConversationSnapshot = {
      ...shownOfCode(code, account_id),
      reason: conversation.reason,
      thing: userOfCode(code) === account_id ? code.thing : THING_OF_OTHERS,
      name: conversation.name,
      place: conversation.place,
      had_photo: conversation.photo_name !== null,
      messages: messages.map(({ from, kind, text, sent_at }) => ({
        from,
        kind,
        text: kind === 'number' ? null : text,
        sent_at,
      })),
    }
    await trx
      .insertInto('reports')
      .values({
        id: randomId(),
        kind: 'conversation',
        reason,
        text,
        qr_id: conversation.qr_id,
        account_id,
        conversation_id: id,
        snapshot: JSON.stringify(snapshot),
        status: 'open',
        action: null,
        created_at: toInstant(now),
        decided_by: null,
        decided_at: null,
      })
      .execute()
    await recordConversationHelp(trx, viewer, conversation, 'reported', now)
  })
}

import type { ExpressionBuilder } from 'kysely'
import { fromFlag } from '#db/cast.ts'
import type { DbOrTrx } from '#db/client.ts'
import { NOTHING_SHOWN, SHOWN_COLUMNS, shownOfCode } from '#db/conversations/code-user.ts'
import { listMessages } from '#db/conversations/messages.ts'
import { isReadByAny } from '#db/conversations/reads.ts'
import type { FinderConversationRow, OfFinder, Tables } from '#db/schema.ts'
import { hashToken } from '#db/secrets.ts'
import type { FinderConversation } from '#domain/conversations/conversation-view.ts'
import { userOfCode } from '#domain/conversations/rules.ts'

/** Finds the finder's view of the conversation of a token; undefined when there is none or it has ended. */
export async function findFinderConversation(
  db: DbOrTrx,
  token: string,
): Promise<FinderConversation | undefined> {
  const row = await db
    .selectFrom('conversations')
    .innerJoin('qr_codes', 'qr_codes.qr_id', 'conversations.qr_id')
    .innerJoin('accounts', 'accounts.id', 'conversations.account_id')
    .selectAll('conversations')
    .select([
      'accounts.is_active as can_answer',
      'qr_codes.is_active as has_page',
      'qr_codes.thing',
    ])
    .select(SHOWN_COLUMNS)
    .select((eb) => isReadByAny(eb).as('is_read'))
    .select(toldAt)
    .where('token_hash', '=', hashToken(token))
    .where('ended_at', 'is', null)
    .$narrowType<OfFinder>()
    .executeTakeFirst()
  if (!row) return undefined
  return {
    // A finder who wrote from a replaced tag does not learn the present id.
    qr_id: row.replaced_id ?? row.qr_id,
    has_page: fromFlag(row.has_page) && userOfCode(row) === row.account_id,
    reason: row.reason,
    thing: row.thing,
    status: row.status === 'open' && !fromFlag(row.can_answer) ? 'paused' : row.status,
    is_read: Boolean(row.is_read),
    told_at: row.told_at,
    // The present owner of the code is not the recipient of the messages.
    ...(row.replaced_id ? NOTHING_SHOWN : shownOfCode(row, row.account_id)),
    place: row.place,
    latitude: row.latitude,
    longitude: row.longitude,
    accuracy: row.accuracy,
    photo_url: row.photo_name && `/c/${token}/photo`,
    messages: await listMessages(db, row.id),
  }
}

/** Selects when the code's user was told of the last message; null unless a channel accepted it. */
function toldAt({ selectFrom }: ExpressionBuilder<Tables, 'conversations'>) {
  return selectFrom('conversation_mails')
    .select('told_at')
    .whereRef('conversation_id', '=', 'conversations.id')
    .where('side', '=', 'owner')
    .as('told_at')
}

/** Returns the row of the conversation of a token, unless it has ended. */
export async function findConversationOf(
  db: DbOrTrx,
  token: string,
): Promise<FinderConversationRow | undefined> {
  return db
    .selectFrom('conversations')
    .selectAll()
    .where('token_hash', '=', hashToken(token))
    .where('ended_at', 'is', null)
    .$narrowType<OfFinder>()
    .executeTakeFirst()
}

/** Returns the code of a token's conversation, also a former one, and the recipient of the messages. */
export async function findConversed(
  db: DbOrTrx,
  token: string,
): Promise<Pick<FinderConversationRow, 'qr_id' | 'account_id'> | undefined> {
  return db
    .selectFrom('conversations')
    .select(['qr_id', 'account_id'])
    .where('token_hash', '=', hashToken(token))
    .$narrowType<OfFinder>()
    .executeTakeFirst()
}

/** Returns whether anybody on the owner's side has opened a conversation since its finder wrote. */
export async function isRead(db: DbOrTrx, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('conversations')
    .select('id')
    .where('id', '=', id)
    .where(isReadByAny)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns which of these conversations have not ended. */
export async function listLiveConversations(db: DbOrTrx, ids: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('conversations')
    .select('id')
    .where('id', 'in', ids)
    .where('ended_at', 'is', null)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

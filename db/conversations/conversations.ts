import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { fromFlag } from '#db/cast.ts'
import type { DbOrTrx } from '#db/client.ts'
import { containsText, containsTyped } from '#db/codes/qr-search.ts'
import {
  CODE_USER_COLUMNS,
  type CodeUserColumns,
  knownIdOf,
  THING_OF_OTHERS,
} from '#db/conversations/code-user.ts'
import { listMessages } from '#db/conversations/messages.ts'
import { closedUntil } from '#db/families/reset-questions.ts'
import { countRows, type Page, pageOf } from '#db/pages.ts'
import type { FinderConversationRow, Instant, OfFinder, QrCode, Tables } from '#db/schema.ts'
import { THINGS, type Thing } from '#domain/codes/visibility.ts'
import { MESSAGE_REASONS } from '#domain/conversations/conversation.ts'
import type {
  ConversationView,
  ConversationWithMessages,
} from '#domain/conversations/conversation-view.ts'
import type { ListId } from '#domain/conversations/places.ts'
import { ownersReasonText } from '#domain/conversations/reason-text.ts'
import { conversationNotFound, userOfCode } from '#domain/conversations/rules.ts'

/** Which conversations of an account: `closed` are all that are not open. */
export type ConversationPage = Page & {
  status?: ListId | undefined
  search?: string | null
}

/** Returns the account's conversations, the one with the newest message first, and how many match. */
export async function listConversations(
  db: DbOrTrx,
  accountId: string,
  { status, search, ...page }: ConversationPage = {},
): Promise<{ conversations: ConversationView[]; total_count: number }> {
  const closed = await closedUntil(db, accountId)
  const own = ownConversations(db, accountId, closed).$if(status !== undefined, (query) =>
    query.where(isIn(status as ListId)),
  )
  const query = newestFirst(withCodes(own)).$if(Boolean(search), (query) =>
    query.where((eb) => matchesSearch(eb, accountId, search as string)),
  )
  // Each has a code, which need not be looked up to count them.
  const { rows, total } = await pageOf(query, page, search ? undefined : own)
  return { conversations: rows.map(toConversationView), total_count: total }
}

/**
 * Returns the first page of a list of the account, like `listConversations`; in its place all conversations, open and
 * closed ones, where the account has no more than `few`.
 */
export async function listInbox(
  db: DbOrTrx,
  accountId: string,
  { status, limit }: { status: ListId; limit: number },
  few: number,
): Promise<{ conversations: ConversationView[]; total_count: number; isWhole: boolean }> {
  const own = ownConversations(db, accountId, await closedUntil(db, accountId))
  const listed = own.where(isIn(status))
  const total = await countRows(listed)
  const read = async (conversations: typeof own, most: number) =>
    (await newestFirst(withCodes(conversations)).limit(most).execute()).map(toConversationView)
  const all = total > few ? [] : await read(own, few + 1)
  if (total <= few && all.length <= few) {
    return { conversations: all, total_count: all.length, isWhole: true }
  }
  return { conversations: await read(listed, limit), total_count: total, isWhole: false }
}

function newestFirst(conversations: ReturnType<typeof withCodes>) {
  return conversations
    .orderBy('conversations.last_message_at', 'desc')
    .orderBy('conversations.id', 'desc')
}

/** In words, because an index for one of them is not found by a parameter. */
function isIn(list: ListId) {
  return list === 'open'
    ? sql<SqlBool>`conversations.status = 'open'`
    : sql<SqlBool>`conversations.status <> 'open'`
}

/** Returns how many conversations in a list of the account have something that it has not seen. */
export function countUnreadIn(db: DbOrTrx, accountId: string, list: ListId): Promise<number> {
  return countRows(selectUnread(db, [accountId]).where(isIn(list)))
}

/** Returns how many conversations of the account have something that it has not seen. */
export async function countUnread(db: DbOrTrx, accountId: string): Promise<number> {
  return (await countUnreadOf(db, [accountId])).get(accountId) ?? 0
}

/** Counts unread conversations like `countUnread`, for the accounts that have such conversations. */
export async function countUnreadOf(
  db: DbOrTrx,
  accountIds: string[],
): Promise<Map<string, number>> {
  const rows = await selectUnread(db, accountIds)
    .select(({ fn }) => ['account_id', fn.countAll<number>().as('count')])
    .groupBy('account_id')
    .execute()
  return new Map(rows.map(({ account_id, count }) => [account_id, count]))
}

/**
 * Returns the conversations of the accounts that have something that they have not seen, without those that a reset
 * closed (`closedUntil`).
 */
export function selectUnread(db: DbOrTrx, accountIds: string[]) {
  return (
    db
      .selectFrom('conversations')
      .where('conversations.account_id', 'in', accountIds)
      // In words, or the index for these is not found.
      .where(sql<SqlBool>`is_unread = 1 and is_deleted = 0 and kind = 'finder'`)
      .where(({ not, or, exists, selectFrom }) => {
        const resets = selectFrom('reset_questions')
          .select('reset_questions.account_id')
          .where('reset_questions.account_id', 'in', accountIds)
        return or([
          // Asked once, which is the answer for nearly all accounts.
          not(exists(resets)),
          not(
            exists(
              resets
                .whereRef('reset_questions.account_id', '=', 'conversations.account_id')
                .whereRef('reset_questions.reset_at', '>=', 'conversations.created_at'),
            ),
          ),
        ])
      })
  )
}

/** Returns one conversation of the account, with its messages. Throws not_found. */
export async function getConversation(
  db: DbOrTrx,
  accountId: string,
  id: string,
): Promise<ConversationWithMessages> {
  const own = ownConversations(db, accountId, await closedUntil(db, accountId))
  const row = await withCodes(own)
    .where('conversations.id', '=', id)
    .executeTakeFirstOrThrow(conversationNotFound)
  return {
    ...toConversationView(row),
    ended_by_moderator: await isEndedByModerator(db, row),
    messages: await listMessages(db, id),
  }
}

async function isEndedByModerator(
  db: DbOrTrx,
  { id, ended_at }: Pick<FinderConversationRow, 'id' | 'ended_at'>,
): Promise<boolean> {
  if (ended_at === null) return false
  const report = await db
    .selectFrom('reports')
    .select('id')
    .where('conversation_id', '=', id)
    .where('action', '=', 'block_sender')
    .where('decided_at', '=', ended_at)
    .executeTakeFirst()
  return report !== undefined
}

/**
 * Returns the row of a conversation of the account, for verbs that change it; a deleted one, of which no word is
 * left, only if it `mayBeDeleted`. Throws not_found.
 */
export async function getOwnConversation(
  db: DbOrTrx,
  accountId: string,
  id: string,
  { mayBeDeleted = false } = {},
): Promise<FinderConversationRow> {
  const closed = await closedUntil(db, accountId)
  return conversationsOf(db, accountId, closed)
    .$if(!mayBeDeleted, (query) => query.where(IS_LEFT))
    .selectAll('conversations')
    .where('conversations.id', '=', id)
    .$narrowType<OfFinder>()
    .executeTakeFirstOrThrow(conversationNotFound)
}

const IS_LEFT = sql<SqlBool>`conversations.is_deleted = 0`

/** Selects the conversations that the account may see; `closed` comes from `closedUntil`. */
function ownConversations(db: DbOrTrx, accountId: string, closed: Instant | undefined) {
  return conversationsOf(db, accountId, closed).where(IS_LEFT)
}

/** Selects conversations like `ownConversations`, with deleted ones. */
function conversationsOf(db: DbOrTrx, accountId: string, closed: Instant | undefined) {
  return db
    .selectFrom('conversations')
    .where('conversations.account_id', '=', accountId)
    .where(sql<SqlBool>`conversations.kind = 'finder'`)
    .$if(closed !== undefined, (query) =>
      query.where('conversations.created_at', '>', closed as Instant),
    )
}

function withCodes(conversations: ReturnType<typeof ownConversations>) {
  return conversations
    .innerJoin('qr_codes', 'qr_codes.qr_id', 'conversations.qr_id')
    .selectAll('conversations')
    .select(['qr_codes.vehicle_registration', 'qr_codes.owner_name', 'qr_codes.thing'])
    .select(CODE_USER_COLUMNS)
    .$narrowType<OfFinder>()
}

type Builder = ExpressionBuilder<
  Tables & { conversations: Tables['conversations']; qr_codes: QrCode },
  'conversations' | 'qr_codes'
>

/** Searches only the visible parts of the code: none when it belongs to another account now. */
function matchesSearch(eb: Builder, accountId: string, search: string): Expression<SqlBool> {
  const typed = search.toLowerCase()
  const things = THINGS.filter((thing) =>
    ownersReasonText('found', thing).toLowerCase().includes(typed),
  )
  const reasons = MESSAGE_REASONS.filter(
    (reason) =>
      reason !== 'found' && ownersReasonText(reason, 'other').toLowerCase().includes(typed),
  )
  const isOwnCode = eb.and([
    eb.or([
      eb('qr_codes.owner_id', '=', accountId),
      eb('qr_codes.child_account_id', '=', accountId),
    ]),
    eb('qr_codes.claimed_at', 'is', null),
  ])
  const shownThing = eb
    .case()
    .when(isOwnCode)
    .then(eb.ref('qr_codes.thing'))
    .else(eb.val<Thing>(THING_OF_OTHERS))
    .end()
  const inMessages = eb
    .selectFrom('conversation_messages')
    .select('conversation_messages.id')
    .whereRef('conversation_messages.conversation_id', '=', 'conversations.id')
    .where((each) => containsText(each.ref('conversation_messages.text'), search))
  return eb.or([
    ...(reasons.length > 0 ? [eb('conversations.reason', 'in', reasons)] : []),
    ...(things.length > 0
      ? [eb.and([eb('conversations.reason', '=', 'found'), eb(shownThing, 'in', things)])]
      : []),
    containsText(eb.ref('conversations.name'), search),
    containsText(eb.ref('conversations.place'), search),
    ...containsTyped(eb.fn.coalesce('conversations.replaced_id', 'conversations.qr_id'), search),
    eb.and([
      isOwnCode,
      eb.or([
        containsText(eb.ref('qr_codes.owner_name'), search),
        ...containsTyped(eb.ref('conversations.qr_id'), search),
        ...containsTyped(eb.ref('qr_codes.vehicle_registration'), search),
      ]),
    ]),
    eb.exists(inMessages),
  ])
}

type OwnRow = FinderConversationRow &
  CodeUserColumns &
  Pick<QrCode, 'vehicle_registration' | 'owner_name' | 'thing'>

function toConversationView(row: OwnRow): ConversationView {
  const isOwnCode = userOfCode(row) === row.account_id
  const { id, photo_name, photo_thumbnail_name } = row
  return {
    id,
    qr_id: knownIdOf(row, isOwnCode),
    vehicle_registration: isOwnCode ? row.vehicle_registration : null,
    owner_name: isOwnCode ? row.owner_name : null,
    reason: row.reason,
    thing: isOwnCode ? row.thing : THING_OF_OTHERS,
    status: row.status,
    muted: fromFlag(row.is_muted),
    unread: fromFlag(row.is_unread),
    has_ended: row.ended_at !== null,
    blocked: row.blocked_at !== null,
    name: row.name,
    place: row.place,
    latitude: row.latitude,
    longitude: row.longitude,
    accuracy: row.accuracy,
    photo_url: photo_name && `/api/conversations/${id}/photo`,
    thumbnail_url: photo_thumbnail_name && `/api/files/${photo_thumbnail_name}`,
    reply_to: fromFlag(row.show_contact) ? row.reply_to : null,
    first_line: row.first_line,
    last_message_at: row.last_message_at,
  }
}

import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { fromFlag } from '#db/cast.ts'
import type { DbOrTrx } from '#db/client.ts'
import { containsText, containsTyped } from '#db/codes/qr-search.ts'
import {
  CODE_USER_COLUMNS,
  type CodeUserColumns,
  knownIdOf,
  THING_OF_OTHERS,
} from '#db/conversations/code-user.ts'
import { listMessagesOfSide } from '#db/conversations/messages.ts'
import { listOthersOf } from '#db/conversations/reads.ts'
import {
  holdsShares,
  IS_LEFT,
  seenConversations,
  shareOfConversation,
} from '#db/conversations/seen-conversations.ts'
import { isIn, isUnreadBy } from '#db/conversations/unread.ts'
import { closedUntil } from '#db/families/reset-questions.ts'
import { countRows, type Page, pageOf } from '#db/pages.ts'
import type { FinderConversationRow, Instant, OfFinder, QrCode, Tables } from '#db/schema.ts'
import { THINGS, type Thing } from '#domain/codes/visibility.ts'
import { MESSAGE_REASONS } from '#domain/conversations/conversation.ts'
import type {
  ConversationView,
  ConversationWithMessages,
  OthersOfSide,
} from '#domain/conversations/conversation-view.ts'
import type { ListId } from '#domain/conversations/places.ts'
import { ownersReasonText } from '#domain/conversations/reason-text.ts'
import { conversationNotFound, userOfCode } from '#domain/conversations/rules.ts'
import type { Holder } from '#domain/people/share.ts'

/** Which conversations of an account: `closed` are all that are not open. */
export type ConversationPage = Page & {
  status?: ListId | undefined
  search?: string | null
}

/** Returns the account's conversations, the one with the newest message first, and how many match. */
export async function listConversations(
  db: DbOrTrx,
  viewer: Holder,
  { status, search, ...page }: ConversationPage,
  now: Date,
): Promise<{ conversations: ConversationView[]; total_count: number }> {
  const closed = await closedUntil(db, viewer.id)
  const own = seenAndLeft(db, viewer, closed).$if(status !== undefined, (query) =>
    query.where(isIn(status as ListId)),
  )
  const query = newestFirst(withCodes(own, viewer)).$if(Boolean(search), (query) =>
    query.where((eb) => matchesSearch(eb, search as string)),
  )
  // Each has a code, which need not be looked up to count them.
  const { rows, total } = await pageOf(query, page, search ? undefined : own)
  return { conversations: await toViews(db, viewer, rows, now), total_count: total }
}

/**
 * Returns the first page of a list of the account, like `listConversations`; in its place all conversations, open and
 * closed ones, where the account has no more than `few`.
 */
export async function listInbox(
  db: DbOrTrx,
  viewer: Holder,
  { status, limit, few }: { status: ListId; limit: number; few: number },
  now: Date,
): Promise<{ conversations: ConversationView[]; total_count: number; isWhole: boolean }> {
  const own = seenAndLeft(db, viewer, await closedUntil(db, viewer.id))
  const listed = own.where(isIn(status))
  const total = await countRows(listed)
  const read = async (conversations: typeof own, most: number) => {
    const some = holdsShares(viewer) ? await newestOf(conversations, most) : conversations
    const query = newestFirst(withCodes(some, viewer)).limit(most)
    return toViews(db, viewer, await query.execute(), now)
  }
  const all = total > few ? [] : await read(own, few + 1)
  if (total <= few && all.length <= few) {
    return { conversations: all, total_count: all.length, isWhole: true }
  }
  return { conversations: await read(listed, limit), total_count: total, isWhole: false }
}

/** Finds the newest of conversations by their ids, or all of them would be described before they are sorted. */
async function newestOf(conversations: ReturnType<typeof seenAndLeft>, most: number) {
  const rows = await conversations
    .select('conversations.id')
    .orderBy('conversations.last_message_at', 'desc')
    .orderBy('conversations.id', 'desc')
    .limit(most)
    .execute()
  const ids = ['', ...rows.map(({ id }) => id)]
  return conversations.where('conversations.id', 'in', ids)
}

function newestFirst(conversations: ReturnType<typeof withCodes>) {
  return conversations
    .orderBy('conversations.last_message_at', 'desc')
    .orderBy('conversations.id', 'desc')
}

/** Returns one conversation of the account, with its messages. Throws not_found. */
export async function getConversation(
  db: DbOrTrx,
  viewer: Holder,
  id: string,
  now: Date,
): Promise<ConversationWithMessages> {
  const own = seenAndLeft(db, viewer, await closedUntil(db, viewer.id))
  const row = await withCodes(own, viewer)
    .where('conversations.id', '=', id)
    .executeTakeFirstOrThrow(conversationNotFound)
  const [view] = (await toViews(db, viewer, [row], now)) as [ConversationView]
  return {
    ...view,
    ended_by_moderator: await isEndedByModerator(db, row),
    messages: await listMessagesOfSide(db, row, viewer),
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

/** Selects the conversations that the account sees and did not delete; `closed` comes from `closedUntil`. */
function seenAndLeft(db: DbOrTrx, viewer: Holder, closed: Instant | undefined) {
  return seenConversations(db, viewer, closed).where(IS_LEFT)
}

function withCodes(conversations: ReturnType<typeof seenAndLeft>, viewer: Holder) {
  return conversations
    .innerJoin('qr_codes', 'qr_codes.qr_id', 'conversations.qr_id')
    .selectAll('conversations')
    .select(['qr_codes.vehicle_registration', 'qr_codes.owner_name', 'qr_codes.thing'])
    .select(CODE_USER_COLUMNS)
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('shares')
          .select('shares.id')
          .whereRef('shares.owner_id', '=', 'conversations.account_id')
          .where('shares.person_id', 'is not', null),
      ).as('is_shared'),
    )
    .$if(holdsShares(viewer), (query) => query.select((eb) => isUnreadBy(eb, viewer).as('is_new')))
    .$narrowType<OfFinder>()
}

type Builder = ExpressionBuilder<
  Tables & { conversations: Tables['conversations']; qr_codes: QrCode },
  'conversations' | 'qr_codes'
>

/** Searches only the visible parts of the code: none when it belongs to another account now. */
function matchesSearch(eb: Builder, search: string): Expression<SqlBool> {
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
      eb('qr_codes.owner_id', '=', eb.ref('conversations.account_id')),
      eb('qr_codes.child_account_id', '=', eb.ref('conversations.account_id')),
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
  Pick<QrCode, 'vehicle_registration' | 'owner_name' | 'thing'> & {
    is_shared: SqlBool
    /** of an account with which others share */
    is_new?: SqlBool | undefined
  }

/** Describes conversations for an account. Asks for the others on the owner's side only where there are any. */
async function toViews(
  db: DbOrTrx,
  viewer: Holder,
  rows: OwnRow[],
  now: Date,
): Promise<ConversationView[]> {
  const shared = rows.filter(({ is_shared }) => is_shared)
  const others = shared.length > 0 ? await listOthersOf(db, viewer, shared, now) : undefined
  return rows.map((row) => toConversationView(row, viewer, others?.get(row.id)))
}

function toConversationView(
  row: OwnRow,
  viewer: Holder,
  { read_by, writing }: OthersOfSide = { read_by: [], writing: [] },
): ConversationView {
  const share = shareOfConversation(viewer, row)
  const isOwnCode = userOfCode(row) === row.account_id
  const { id, photo_name, photo_thumbnail_name } = row
  return {
    id,
    access: share?.role ?? 'owner',
    shared_by: share?.owner_name ?? null,
    shared: Boolean(share ?? row.is_shared),
    qr_id: knownIdOf(row, isOwnCode),
    vehicle_registration: isOwnCode ? row.vehicle_registration : null,
    owner_name: isOwnCode ? row.owner_name : null,
    reason: row.reason,
    thing: isOwnCode ? row.thing : THING_OF_OTHERS,
    status: row.status,
    muted: fromFlag(row.is_muted),
    unread: row.is_new === undefined ? fromFlag(row.is_unread) : Boolean(row.is_new),
    read_by: share && !fromFlag(row.is_unread) ? [share.owner_name, ...read_by] : read_by,
    writing,
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

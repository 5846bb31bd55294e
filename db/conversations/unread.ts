import {
  type Expression,
  type ExpressionBuilder,
  type ExpressionWrapper,
  expressionBuilder,
  type NotNull,
  type SqlBool,
  sql,
} from 'kysely'
import type { DbOrTrx } from '#db/client.ts'
import { holdsShares, isShared } from '#db/conversations/seen-conversations.ts'
import { countRows } from '#db/pages.ts'
import type { Tables } from '#db/schema.ts'
import type { ListId } from '#domain/conversations/places.ts'
import type { Holder } from '#domain/people/share.ts'

type Builder = ExpressionBuilder<Tables, 'conversations'>

/** Limits conversations to a list. In words, because an index for one of them is not found by a parameter. */
export function isIn(list: ListId) {
  return list === 'open'
    ? sql<SqlBool>`conversations.status = 'open'`
    : sql<SqlBool>`conversations.status <> 'open'`
}

/** Returns how many conversations in a list of the account have something that it has not seen. */
export async function countUnreadIn(db: DbOrTrx, viewer: Holder, list: ListId): Promise<number> {
  const own = await countRows(selectUnread(db, [viewer.id]).where(isIn(list)))
  if (!holdsShares(viewer)) return own
  return own + (await countRows(selectSharedUnread(db, viewer).where(isIn(list))))
}

/** Returns how many conversations of the account, and of those who share with it, have something that it has not seen. */
export async function countUnread(db: DbOrTrx, viewer: Holder): Promise<number> {
  const { count } = await db
    .selectNoFrom(unreadOf(db, viewer).as('count'))
    .$narrowType<{ count: NotNull }>()
    .executeTakeFirstOrThrow()
  return count
}

/** Returns the count of `countUnread`, for a statement that counts more. */
export function unreadOf(db: DbOrTrx, viewer: Holder): ExpressionWrapper<Tables, never, number> {
  const count = (query: ReturnType<typeof selectSharedUnread>) =>
    query.select(({ fn }) => fn.countAll<number>().as('count'))
  const { eb, lit } = expressionBuilder<Tables, never>()
  const shared = holdsShares(viewer) ? count(selectSharedUnread(db, viewer)) : lit(0)
  return eb(count(selectUnread(db, [viewer.id])), '+', shared).$notNull()
}

/** Counts unread conversations of the accounts' own, for the accounts that have such conversations. */
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
 * Returns the own conversations of the accounts that have something that they have not seen, without those that a
 * reset closed (`closedUntil`).
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

/** Returns the conversations that others share with the account and that have something that it has not seen. */
export function selectSharedUnread(db: DbOrTrx, viewer: Holder) {
  return db
    .selectFrom('conversations')
    .where(sql<SqlBool>`conversations.is_deleted = 0 and conversations.kind = 'finder'`)
    .where((eb) => eb.and([isShared(eb, viewer), isNewTo(eb, viewer)]))
}

/** Returns whether a conversation that the account sees has something that it has not seen. */
export function isUnreadBy(eb: Builder, viewer: Holder) {
  const isOwn = eb('conversations.account_id', '=', viewer.id)
  return eb.or([
    eb.and([isOwn, eb('conversations.is_unread', '=', 1)]),
    eb.and([eb.not(isOwn), isNewTo(eb, viewer)]),
  ])
}

/**
 * A shared conversation is new to a person until they open it, if somebody has written since it is shared. A viewer's
 * look marks nothing: it is new to a viewer until anybody has opened it.
 */
function isNewTo(eb: Builder, { id }: Holder): Expression<SqlBool> {
  const reads = eb
    .selectFrom('conversation_reads')
    .select('conversation_reads.account_id')
    .whereRef('conversation_reads.conversation_id', '=', 'conversations.id')
  const share = eb
    .selectFrom('shares')
    .select('shares.id')
    .where('shares.person_id', '=', id)
    .whereRef('shares.owner_id', '=', 'conversations.account_id')
    .whereRef('shares.created_at', '<', 'conversations.last_message_at')
  const byViewer = eb.and([
    eb('conversations.is_unread', '=', 1),
    eb.not(eb.exists(reads)),
    eb.exists(share.where('shares.role', '=', 'viewer')),
  ])
  const byOthers = eb.and([
    eb.not(eb.exists(reads.where('conversation_reads.account_id', '=', id))),
    eb.exists(share.where('shares.role', '<>', 'viewer')),
  ])
  return eb.or([byViewer, byOthers])
}

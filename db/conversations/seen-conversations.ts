import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { DbOrTrx, Trx } from '#db/client.ts'
import { sharedWith } from '#db/codes/seen-by.ts'
import { closedUntil } from '#db/families/reset-questions.ts'
import { assertShared } from '#db/people/held-shares.ts'
import { recordHelp } from '#db/people/help.ts'
import type { FinderConversationRow, Instant, OfFinder, Tables } from '#db/schema.ts'
import { conversationNotFound } from '#domain/conversations/rules.ts'
import { DomainError } from '#domain/error.ts'
import { has, type Right } from '#domain/people/roles.ts'
import { type HeldShare, type Holder, sharesFor } from '#domain/people/share.ts'

type Builder = ExpressionBuilder<Tables, 'conversations'>

/** Conversations that the account did not delete. */
export const IS_LEFT = sql<SqlBool>`conversations.is_deleted = 0`

/**
 * Selects the conversations with finders that an account sees: its own, and those about codes of which a share gives
 * it `look`; also those without a word. `closed` comes from `closedUntil`.
 */
export function seenConversations(db: DbOrTrx, viewer: Holder, closed: Instant | undefined) {
  return db
    .selectFrom('conversations')
    .where((eb) => {
      const own = eb('conversations.account_id', '=', viewer.id)
      return holdsShares(viewer) ? eb.or([own, isShared(eb, viewer)]) : own
    })
    .where(sql<SqlBool>`conversations.kind = 'finder'`)
    .$if(closed !== undefined, (query) =>
      query.where('conversations.created_at', '>', closed as Instant),
    )
}

export function holdsShares(viewer: Holder): boolean {
  return sharesFor(viewer, 'look').length > 0
}

/**
 * Conversations of another owner about a code that is still this owner's, and of which a share gives the account
 * `look`. Those that a reset closed to either account are left out.
 */
export function isShared(eb: Builder, viewer: Holder): Expression<SqlBool> {
  const owners = sharesFor(viewer, 'look').map(({ owner_id }) => owner_id)
  const code = eb
    .selectFrom('qr_codes')
    .select('qr_codes.id')
    .whereRef('qr_codes.qr_id', '=', 'conversations.qr_id')
    .whereRef('qr_codes.owner_id', '=', 'conversations.account_id')
    .where(sharedWith(viewer, 'look'))
  const reset = eb
    .selectFrom('reset_questions')
    .select('reset_questions.account_id')
    .where((each) =>
      each('reset_questions.account_id', 'in', [
        each.val(viewer.id),
        each.ref('conversations.account_id'),
      ]),
    )
    .whereRef('reset_questions.reset_at', '>=', 'conversations.created_at')
  return eb.and([
    eb('conversations.account_id', 'in', owners),
    eb.exists(code),
    eb.not(eb.exists(reset)),
  ])
}

/** Returns the share by which an account sees a conversation of another; undefined for its own. */
export function shareOfConversation(
  { id, shares = [] }: Holder,
  { account_id }: Pick<FinderConversationRow, 'account_id'>,
): HeldShare | undefined {
  return account_id === id ? undefined : shares.find(({ owner_id }) => owner_id === account_id)
}

type Needed = { right?: Right; mayBeDeleted?: boolean }

/**
 * Returns the row of a conversation that the account sees, for verbs that change it; a deleted one, of which no word
 * is left, only if it `mayBeDeleted`. Throws not_found, and forbidden where its role lacks the right.
 */
export async function getOwnConversation(
  db: DbOrTrx,
  viewer: Holder,
  id: string,
  { right = 'look', mayBeDeleted = false }: Needed = {},
): Promise<FinderConversationRow> {
  const closed = await closedUntil(db, viewer.id)
  const row = await seenConversations(db, viewer, closed)
    .$if(!mayBeDeleted, (query) => query.where(IS_LEFT))
    .selectAll('conversations')
    .where('conversations.id', '=', id)
    .$narrowType<OfFinder>()
    .executeTakeFirstOrThrow(conversationNotFound)
  const share = shareOfConversation(viewer, row)
  if (!share) return row
  if (!has(share.role, right)) throw new DomainError('forbidden.role')
  await assertShared(db, share, conversationNotFound)
  return row
}

/** Returns which of these conversations the account sees. */
export async function listSeen(db: DbOrTrx, viewer: Holder, ids: string[]): Promise<Set<string>> {
  const closed = await closedUntil(db, viewer.id)
  const rows = await seenConversations(db, viewer, closed)
    .select('conversations.id')
    .where('conversations.id', 'in', ids)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Notes an act on a conversation that a person does for its owner, as a step of the act's transaction. */
export async function recordConversationHelp(
  trx: Trx,
  viewer: Holder,
  { id: subject_id, account_id: owner_id }: Pick<FinderConversationRow, 'id' | 'account_id'>,
  act: 'reopened' | 'closed' | 'returned' | 'blocked' | 'unblocked' | 'reported' | 'deleted',
  now: Date,
): Promise<void> {
  const subject = { subject_type: 'conversation', subject_id } as const
  await recordHelp(trx, viewer, { owner_id, action: `conversation.${act}`, ...subject }, now)
}

import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { DbOrTrx } from '#db/client.ts'
import { containsText } from '#db/codes/qr-search.ts'
import type { Page } from '#db/pages.ts'
import type { Tables } from '#db/schema.ts'
import type { DecisionAction, DecisionStatus } from '#domain/decision.ts'

/** Filters pending and decided requests. */
export type DecisionPage = Page & {
  status?: DecisionStatus | undefined
  search?: string | null
  /** ids that keep their places among the pending ones */
  kept?: string[] | undefined
}

/** An admin's decision about one request. */
export type Decision = { id: string; action: DecisionAction }

/** The account of a request, and the decider. */
export type AccountAndDecider = {
  user_name: string
  user_email: string | null
  user_mobile: string | null
  decider_name: string | null
}

type Builder = ExpressionBuilder<Tables, 'accounts'>

/** Returns whether an account's name or contact contains this text, in any letter case. */
export function isAboutAccount({ or, ref }: Builder, search: string) {
  const columns = ['accounts.name', 'accounts.email', 'accounts.mobile'] as const
  return or(columns.map((column) => containsText(ref(column), search)))
}

type Requests = 'promo_redemptions' | 'upgrade_requests'

/**
 * Returns whether a request is pending, or was so when the list was opened: decided ones of then keep their places,
 * so that no other slides under the pointer.
 */
export function isWaiting(table: Requests, kept: string[] = []): Expression<SqlBool> {
  const pending = sql<SqlBool>`${sql.ref(`${table}.status`)} = 'pending'`
  if (kept.length === 0) return pending
  return sql<SqlBool>`(${pending} or ${sql.ref(`${table}.id`)} in (${sql.join(kept)}))`
}

/** Returns how many requests are pending. */
export async function countPending(db: DbOrTrx, table: Requests): Promise<number> {
  return (await pendingOf(db, table).executeTakeFirstOrThrow()).count
}

/** Returns the query of `countPending`, for a statement that counts more. */
export function pendingOf(db: DbOrTrx, table: Requests) {
  return db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('status', '=', 'pending')
}

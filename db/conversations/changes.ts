import { toFlag, toInstant } from '#db/cast.ts'
import type { DbOrTrx, Trx } from '#db/client.ts'

/** Numbers of changes that are committed out of order lie no further apart than this. */
const LOOK_BACK = 200
/** Read at once; more wait for the next look. */
const MOST_CHANGES = 5_000

export type Changed = { id: string; account_id: string }
export type Change = {
  n: number
  conversation_id: string
  account_id: string
  concerns_finder: 0 | 1
}

/** Notes that a conversation changed, as a step of the transaction that changed it. */
export async function noteChanges(
  trx: Trx,
  conversations: Changed[],
  now: Date,
  { concernsFinder = true }: { concernsFinder?: boolean } = {},
): Promise<void> {
  if (conversations.length === 0) return
  const rows = conversations.map(({ id, account_id }) => ({
    conversation_id: id,
    account_id,
    concerns_finder: toFlag(concernsFinder),
    changed_at: toInstant(now),
  }))
  await trx.insertInto('conversation_changes').values(rows).execute()
}

/** Returns the number of the newest change; 0 before the first. */
export async function findLastChange(db: DbOrTrx): Promise<number> {
  const row = await db
    .selectFrom('conversation_changes')
    .select(({ fn }) => fn.max<number | null>('n').as('last'))
    .executeTakeFirstOrThrow()
  return row.last ?? 0
}

/**
 * Returns the changes after number `last`, and again those shortly before it: one that was numbered earlier
 * can be committed later.
 */
export async function listChanges(db: DbOrTrx, last: number): Promise<Change[]> {
  return db
    .selectFrom('conversation_changes')
    .select(['n', 'conversation_id', 'account_id', 'concerns_finder'])
    .where('n', '>', last - LOOK_BACK)
    .orderBy('n')
    .limit(MOST_CHANGES)
    .execute()
}

/** Returns which numbers `listChanges` can answer once more after number `last`. */
export function isWithinLookBack(n: number, last: number): boolean {
  return n > last - LOOK_BACK
}

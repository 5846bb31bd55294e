import { toInstant } from '#db/cast.ts'
import type { Db } from '#db/client.ts'
import type { Account } from '#db/schema.ts'
import { STEPS } from '#db/tables/registry.ts'
import type { Removing } from '#db/tables/table.ts'
import { inTransaction } from '#db/transaction.ts'

/** Claims the next account, except some, whose deletion can no longer be withdrawn. */
export async function claimDueDeletion(
  db: Db,
  except: readonly string[],
  now: Date,
): Promise<Account | undefined> {
  const at = toInstant(now)
  const found = await db
    .selectFrom('account_deletions')
    .innerJoin('accounts', 'accounts.id', 'account_id')
    .selectAll('accounts')
    .where('ends_at', '<=', at)
    .where('account_id', 'not in', except)
    .orderBy('ends_at')
    .limit(1)
    .executeTakeFirst()
  if (!found) return undefined
  return inTransaction(db, async (trx) => {
    const claimed = await trx
      .updateTable('account_deletions')
      .set({ token_hash: null })
      .where('account_id', '=', found.id)
      .where('ends_at', '<=', at)
      .executeTakeFirst()
    return claimed.numUpdatedRows > 0n ? found : undefined
  })
}

/**
 * Removes everything of an account, a step in each turn, and yields the stored files that no longer have a row.
 * After a stop or a crash the next call continues. `notify` is called with codes that others used.
 */
export async function* removeAccount(db: Db, removing: Removing): AsyncGenerator<string[]> {
  for (const step of STEPS) {
    for (;;) {
      const { count, stored_names = [] } = await inTransaction(db, (trx) => step(trx, removing))
      yield stored_names
      if (count === 0) break
    }
  }
}

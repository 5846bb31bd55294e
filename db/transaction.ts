import type { Kysely, Transaction } from 'kysely'
import type { Tables } from '#db/schema.ts'

/** What each transaction that is running calls when it is committed. */
const afterCommits = new WeakMap<Kysely<Tables>, Set<() => void>>()

/**
 * Runs a closure as one write transaction: all of it is committed, or nothing when it throws. The
 * closure may be run again from its beginning when other writers got in its way, so it must change
 * nothing outside of the transaction. Secrets and ids are made before it or anew in each run.
 */
export async function inTransaction<Result>(
  db: Kysely<Tables>,
  closure: (trx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  const acts = new Set<() => void>()
  const result = await db.transaction().execute((trx) => {
    acts.clear()
    afterCommits.set(trx, acts)
    return closure(trx)
  })
  for (const act of acts) act()
  return result
}

/**
 * Calls back, once for the same function, when a transaction is committed, and never when it is
 * rolled back: nobody else sees before what it wrote.
 */
export function afterCommit(trx: Kysely<Tables>, act: () => void): void {
  const acts = afterCommits.get(trx)
  if (!acts) throw new Error('There is no transaction to wait for')
  acts.add(act)
}

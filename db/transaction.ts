import type { Kysely, Transaction } from 'kysely'
import type { Tables } from '#db/schema.ts'

/**
 * Runs a closure as one write transaction: all of it is committed, or nothing when it throws. The
 * closure may be run again from its beginning when other writers got in its way, so it must change
 * nothing outside of the transaction. Secrets and ids are made before it or anew in each run.
 */
export function inTransaction<Result>(
  db: Kysely<Tables>,
  closure: (trx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(closure)
}

import type { Kysely, Transaction } from 'kysely'
import type { Tables } from '#db/schema.ts'

export type Db = Kysely<Tables>
export type Trx = Transaction<Tables>
/** For verbs that may also be a step of another verb's transaction. */
export type DbOrTrx = Db | Trx

/** Returns true when the database answers a query. */
export async function isAnswering(db: Db): Promise<boolean> {
  return db
    .selectFrom('meta')
    .select('key')
    .limit(1)
    .execute()
    .then(
      () => true,
      () => false,
    )
}

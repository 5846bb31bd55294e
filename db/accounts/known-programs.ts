import { secondsAfter, toInstant } from '#db/cast.ts'
import type { DbOrTrx } from '#db/client.ts'

/** Seconds for which a program is known after it was last used. */
export const KNOWN_SECONDS = 90 * 86_400

/**
 * Notes that an account was logged in with a program, as a step of that sign-in. Returns whether it was known
 * before.
 */
export async function noteProgram(
  trx: DbOrTrx,
  accountId: string,
  programHash: string,
  now: Date,
): Promise<boolean> {
  const seen = { seen_at: toInstant(now) }
  const { numUpdatedRows: known } = await trx
    .updateTable('known_programs')
    .set(seen)
    .where('account_id', '=', accountId)
    .where('program_hash', '=', programHash)
    .where('seen_at', '>', toInstant(secondsAfter(now, -KNOWN_SECONDS)))
    .executeTakeFirstOrThrow()
  if (known) return true
  await trx
    .insertInto('known_programs')
    .values({ account_id: accountId, program_hash: programHash, ...seen })
    .onConflict((each) => each.columns(['account_id', 'program_hash']).doUpdateSet(seen))
    .execute()
  return false
}

/** Forgets the programs of an account, because an intruder with the earlier password may have used them. */
export async function forgetPrograms(trx: DbOrTrx, accountId: string): Promise<void> {
  await trx.deleteFrom('known_programs').where('account_id', '=', accountId).execute()
}

import { hasPins } from '#db/admin/inspection.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import { keyedHash, type SecretKey } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'

const FINGERPRINT = 'secret_key_fingerprint'

/** What is said of a key that is not the right one. */
export const OTHER_KEY =
  'is not the key that the PINs were made with, none of them is accepted: restore it from a backup'

/** Tells keys apart, and says nothing about them. */
export function fingerprint(key: SecretKey): string {
  return keyedHash(key, 'fingerprint').slice(0, 16)
}

/** The fingerprint of the key that a database was used with last; undefined when none was. */
export async function findFingerprint(db: DbOrTrx): Promise<string | undefined> {
  const known = db.selectFrom('meta').select('value').where('key', '=', FINGERPRINT)
  return (await known.executeTakeFirst())?.value
}

/**
 * Whether this is the key that the PINs in the database were made with. Without a PIN nothing
 * depends on it, and it is from now on. A key that was lost is made anew without a word, and all
 * PINs would be wrong without a reason.
 */
export async function isOwnKey(db: Db, key: SecretKey): Promise<boolean> {
  const value = fingerprint(key)
  return inTransaction(db, async (trx) => {
    const noted = await findFingerprint(trx)
    if (noted === value) return true
    if (noted !== undefined && (await hasPins(trx))) return false
    await trx
      .insertInto('meta')
      .values({ key: FINGERPRINT, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute()
    return true
  })
}

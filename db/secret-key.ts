import { hasPins } from '#db/admin/inspection.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import { keyedHash, type SecretKey } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'

const FINGERPRINT = 'secret_key_fingerprint'

/** The message about a key that does not belong to the database. */
export const OTHER_KEY =
  'is not the key that the PINs were made with, none of them is accepted: restore it from a backup'

/** Identifies a key without revealing it. */
export function fingerprint(key: SecretKey): string {
  return keyedHash(key, 'fingerprint').slice(0, 16)
}

/** The fingerprint of the last key that the database was used with; undefined if there is none. */
export async function findFingerprint(db: DbOrTrx): Promise<string | undefined> {
  const known = db.selectFrom('meta').select('value').where('key', '=', FINGERPRINT)
  return (await known.executeTakeFirst())?.value
}

/**
 * Whether the PINs in the database were made with this key. Without PINs any key is accepted and
 * becomes the database's. A lost key is replaced by a new one without an error, so without this
 * check all PINs would be wrong for no visible reason.
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

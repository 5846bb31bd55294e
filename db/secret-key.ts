import type Sqlite from 'better-sqlite3'
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
export function findFingerprint(connection: Sqlite.Database): string | undefined {
  const found = connection.prepare('select value from meta where key = ?').pluck().get(FINGERPRINT)
  return found as string | undefined
}

/**
 * Whether this is the key that the PINs in the database were made with. Without a PIN nothing
 * depends on it, and it is from now on. A key that was lost is made anew without a word, and all
 * PINs would be wrong without a reason.
 */
export async function isOwnKey(db: Db, key: SecretKey): Promise<boolean> {
  const value = fingerprint(key)
  return inTransaction(db, async (trx) => {
    const known = trx.selectFrom('meta').select('value').where('key', '=', FINGERPRINT)
    const { value: noted } = (await known.executeTakeFirst()) ?? {}
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

/** To find that no code has a PIN takes a look at all of them. */
async function hasPins(db: DbOrTrx): Promise<boolean> {
  const pins = db.selectFrom('qr_codes').select('id').where('pin_hash', 'is not', null)
  return (await pins.limit(1).executeTakeFirst()) !== undefined
}

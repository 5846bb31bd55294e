import type { Db } from '#db/client.ts'
import { listReplacedIds } from '#db/codes/replaced-ids.ts'
import { countTry, lockedFor } from '#db/codes/wrong-tries.ts'
import type { QrCode } from '#db/schema.ts'
import { keyedHash, type SecretKey, sameHash } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'

/**
 * Returns the keyed hash of a code's PIN. Guessing it needs the key, and equal PINs of two codes have
 * different hashes.
 */
export function hashPin(key: SecretKey, qrId: string, pin: string): string {
  return keyedHash(key, 'pin', qrId, pin)
}

export type PinTry =
  | { outcome: 'opened'; code: QrCode }
  | { outcome: 'incorrect' }
  | { outcome: 'no_pin' }
  | { outcome: 'locked'; retryAfter: number }

/**
 * Checks one try of an active code's PIN. A right one resets the count of wrong ones. The fifth wrong one
 * locks the code for 15 minutes, for right ones too. `retryAfter` is in seconds.
 */
export async function tryPin(
  db: Db,
  key: SecretKey,
  qrId: string,
  pin: string,
  now: Date,
): Promise<PinTry> {
  return inTransaction(db, async (trx): Promise<PinTry> => {
    const code = await trx
      .selectFrom('qr_codes')
      .selectAll()
      .where('qr_id', '=', qrId)
      .where('is_active', '=', 1)
      .executeTakeFirst()
    if (!code?.pin_hash) return { outcome: 'no_pin' }
    const before = { tries: code.pin_tries, locked_until: code.pin_locked_until }
    const retryAfter = lockedFor(before, now)
    if (retryAfter) return { outcome: 'locked', retryAfter }
    // A PIN that was set before the id was replaced is hashed with the id of that time.
    const ids = [qrId, ...(await listReplacedIds(trx, code.id))]
    const { pin_hash } = code
    const isRight = ids.some((id) => sameHash(pin_hash, hashPin(key, id, pin)))
    const { tries: pin_tries, locked_until: pin_locked_until } = countTry(before, isRight, now)
    await trx
      .updateTable('qr_codes')
      .set({ pin_tries, pin_locked_until })
      .where('id', '=', code.id)
      .execute()
    return isRight ? { outcome: 'opened', code } : { outcome: 'incorrect' }
  })
}

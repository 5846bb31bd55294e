import { secondsAfter, secondsUntil, toInstant } from '#db/cast.ts'
import type { Db } from '#db/client.ts'
import type { QrCode } from '#db/schema.ts'
import { keyedHash, type SecretKey, sameHash } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { PIN_LOCK_MINUTES, PIN_MAX_TRIES } from '#domain/codes/qr.ts'

const PIN_LOCK_SECONDS = PIN_LOCK_MINUTES * 60

/**
 * The keyed hash of a code's PIN. Guessing it needs the key, and equal PINs of two codes have
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
 * One try of an active code's PIN. A right one resets the count of wrong ones. The fifth wrong one
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
    const locked = code.pin_locked_until && secondsUntil(code.pin_locked_until, now)
    // A lock with more than its full time left was set before the clock was set back.
    if (locked && locked <= PIN_LOCK_SECONDS) return { outcome: 'locked', retryAfter: locked }
    const right = sameHash(code.pin_hash, hashPin(key, qrId, pin))
    // A lock that has ended is removed.
    const pin_tries = right ? 0 : (code.pin_tries % PIN_MAX_TRIES) + 1
    const pin_locked_until =
      pin_tries === PIN_MAX_TRIES ? toInstant(secondsAfter(now, PIN_LOCK_SECONDS)) : null
    await trx
      .updateTable('qr_codes')
      .set({ pin_tries, pin_locked_until })
      .where('id', '=', code.id)
      .execute()
    return right ? { outcome: 'opened', code } : { outcome: 'incorrect' }
  })
}

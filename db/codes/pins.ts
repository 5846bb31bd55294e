import type { Db } from '#db/client.ts'
import { listReplacedIds } from '#db/codes/replaced-ids.ts'
import { countTry, type Trying } from '#db/codes/wrong-tries.ts'
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
 * Checks one try of an active code's PIN. Wrong ones lock it for the networks that they came from (`countTry`).
 * `retryAfter` is in seconds.
 */
export async function tryPin(db: Db, qrId: string, pin: string, trying: Trying): Promise<PinTry> {
  return inTransaction(db, async (trx): Promise<PinTry> => {
    const code = await trx
      .selectFrom('qr_codes')
      .selectAll()
      .where('qr_id', '=', qrId)
      .where('is_active', '=', 1)
      .executeTakeFirst()
    if (!code?.pin_hash) return { outcome: 'no_pin' }
    // A PIN that was set before the id was replaced is hashed with the id of that time.
    const ids = [qrId, ...(await listReplacedIds(trx, code.id))]
    const { id: code_id, pin_hash } = code
    const isRight = ids.some((id) => sameHash(pin_hash, hashPin(trying.secretKey, id, pin)))
    const secret = { code_id, kind: 'pin', hash: pin_hash } as const
    const tried = await countTry(trx, secret, isRight, trying)
    if (tried.outcome === 'locked') return tried
    return tried.outcome === 'right' ? { outcome: 'opened', code } : { outcome: 'incorrect' }
  })
}

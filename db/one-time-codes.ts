import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import type { Tell } from '#db/outbox.ts'
import type { Instant, OneTimeCodePurpose } from '#db/schema.ts'
import { keyedHash, type SecretKey, sameHash } from '#db/secrets.ts'
import { OTP_MAX_TRIES, OTP_VALID_SECONDS } from '#domain/registration.ts'

/** What an OTP is good for. Only the hash is kept, which takes purpose, contact and key to guess. */
export type OneTimeCode = { purpose: OneTimeCodePurpose; contact: string; code_hash: string }

export function toOneTimeCode(
  key: SecretKey,
  purpose: OneTimeCodePurpose,
  contact: string,
  otp: string,
): OneTimeCode {
  return { purpose, contact, code_hash: keyedHash(key, 'otp', purpose, contact, otp) }
}

/**
 * Stores a code for 600 seconds unless the contact has one already, which then stays as it is,
 * void or not: whoever guesses five times must not get five more by asking again. `tell` is told
 * when a stored code ends.
 */
export async function storeOneTimeCode(
  db: Db,
  code: OneTimeCode,
  now: Date,
  tell: Tell<Instant>,
): Promise<{ stored: boolean; expiresAt: Instant }> {
  return db.transaction().execute(async (trx) => {
    const at = toInstant(now)
    // One from the future is from a clock that was set back since: nobody must wait for it.
    await trx
      .deleteFrom('one_time_codes')
      .where((eb) => eb.or([eb('expires_at', '<=', at), eb('created_at', '>', at)]))
      .execute()
    const earlier = await trx
      .selectFrom('one_time_codes')
      .select('expires_at')
      .where('purpose', '=', code.purpose)
      .where('contact', '=', code.contact)
      .executeTakeFirst()
    if (earlier) return { stored: false, expiresAt: earlier.expires_at }
    const expiresAt = toInstant(secondsAfter(now, OTP_VALID_SECONDS))
    const row = { ...code, tries: 0, created_at: at, expires_at: expiresAt }
    await trx.insertInto('one_time_codes').values(row).execute()
    await tell(trx, expiresAt)
    return { stored: true, expiresAt }
  })
}

/** Says whether a code is right without using it up. A wrong one counts, and the fifth voids it. */
export async function tryOneTimeCode(db: Db, code: OneTimeCode, now: Date): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const live = await trx
      .selectFrom('one_time_codes')
      .select('code_hash')
      .where('purpose', '=', code.purpose)
      .where('contact', '=', code.contact)
      .where('tries', '<', OTP_MAX_TRIES)
      .where('expires_at', '>', toInstant(now))
      .executeTakeFirst()
    if (!live) return false
    if (sameHash(live.code_hash, code.code_hash)) return true
    await trx
      .updateTable('one_time_codes')
      .set(({ eb }) => ({ tries: eb('tries', '+', 1) }))
      .where('purpose', '=', code.purpose)
      .where('contact', '=', code.contact)
      .execute()
    return false
  })
}

/** Uses a right code up, once for all who try at the same time; false when it is no longer live. */
export async function useOneTimeCode(db: DbOrTrx, code: OneTimeCode, now: Date): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('one_time_codes')
    .where('purpose', '=', code.purpose)
    .where('contact', '=', code.contact)
    .where('code_hash', '=', code.code_hash)
    .where('tries', '<', OTP_MAX_TRIES)
    .where('expires_at', '>', toInstant(now))
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

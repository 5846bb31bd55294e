import { addGuess, findGuessWait, type GuessSource } from '#db/accounts/wrong-guesses.ts'
import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import type { Notify } from '#db/outbox.ts'
import type { Instant, OneTimeCodePurpose } from '#db/schema.ts'
import { keyedHash, type SecretKey, sameHash } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import type { GuessWait } from '#domain/accounts/guesses.ts'
import {
  OTP_MAX_TRIES,
  OTP_MAX_TRIES_ELSEWHERE,
  OTP_VALID_SECONDS,
} from '#domain/accounts/registration.ts'
import { SKEW_SECONDS } from '#domain/time.ts'

/** The purpose of a code, and the browser that requests or tries it: a hash, or '' without a cookie. */
export type CodeUse = { purpose: OneTimeCodePurpose; contact: string; browser_hash: string }

/** A code as stored: its hash, which includes purpose, contact and the secret key. */
export type OneTimeCode = CodeUse & { code_hash: string }

export function toOneTimeCode(key: SecretKey, use: CodeUse, otp: string): OneTimeCode {
  return { ...use, code_hash: keyedHash(key, 'otp', use.purpose, use.contact, otp) }
}

/**
 * Stores a code for 600 seconds, unless the contact already has one in this browser. An earlier
 * code stays as it is, even when its tries are used up: five wrong tries must not be renewed by
 * requesting again. `notify` gets the time at which a stored code ends.
 */
export async function storeOneTimeCode(
  db: Db,
  code: OneTimeCode,
  now: Date,
  notify: Notify<Instant>,
): Promise<{ stored: boolean; expiresAt: Instant }> {
  return inTransaction(db, async (trx) => {
    const at = toInstant(now)
    // A code from the future was made before the clock was set back: nobody must wait for it. One that is a little
    // ahead was asked for later and stored sooner.
    const ahead = toInstant(secondsAfter(now, SKEW_SECONDS))
    await trx
      .deleteFrom('one_time_codes')
      .where((eb) => eb.or([eb('expires_at', '<=', at), eb('created_at', '>', ahead)]))
      .execute()
    const expiresAt = toInstant(secondsAfter(now, OTP_VALID_SECONDS))
    const row = {
      ...code,
      tries: 0,
      tries_elsewhere: 0,
      created_at: at,
      expires_at: expiresAt,
    }
    const { numInsertedOrUpdatedRows: inserted } = await trx
      .insertInto('one_time_codes')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    if (inserted) {
      await notify(trx, expiresAt)
      return { stored: true, expiresAt }
    }
    const earlier = await trx
      .selectFrom('one_time_codes')
      .select('expires_at')
      .where('purpose', '=', code.purpose)
      .where('contact', '=', code.contact)
      .where('browser_hash', '=', code.browser_hash)
      .executeTakeFirstOrThrow()
    return { stored: false, expiresAt: earlier.expires_at }
  })
}

/**
 * Returns whether a code is right, without using it up, or how long to wait before the next try. A
 * wrong try counts for the code and, if given, for the source. A browser without its own code tries
 * the newest one of another browser, whose own tries are not used up.
 */
export async function tryOneTimeCode(
  db: Db,
  code: OneTimeCode,
  source: GuessSource | undefined,
  now: Date,
): Promise<boolean | GuessWait> {
  return inTransaction(db, async (trx) => {
    const wait = source && (await findGuessWait(trx, source, now))
    if (wait) return wait
    const live = await findLive(trx, code, now)
    if (!live) return false
    if (sameHash(live.code_hash, code.code_hash)) return true
    const tries = live.browser_hash === code.browser_hash ? 'tries' : 'tries_elsewhere'
    await trx
      .updateTable('one_time_codes')
      .set(({ eb }) => ({ [tries]: eb(tries, '+', 1) }))
      .where('purpose', '=', code.purpose)
      .where('contact', '=', code.contact)
      .where('browser_hash', '=', live.browser_hash)
      .execute()
    if (source) await addGuess(trx, source, now)
    return false
  })
}

/** The code that a browser's tries count for; undefined when there is none, or no try is left. */
async function findLive(db: DbOrTrx, code: OneTimeCode, now: Date) {
  const row = await db
    .selectFrom('one_time_codes')
    .select(['browser_hash', 'code_hash', 'tries', 'tries_elsewhere'])
    .where('purpose', '=', code.purpose)
    .where('contact', '=', code.contact)
    .where('expires_at', '>', toInstant(now))
    .orderBy(({ eb }) => eb('browser_hash', '=', code.browser_hash), 'desc')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return undefined
  const isOwn = row.browser_hash === code.browser_hash
  const hasTries = isOwn ? row.tries < OTP_MAX_TRIES : row.tries_elsewhere < OTP_MAX_TRIES_ELSEWHERE
  return hasTries ? row : undefined
}

/** Uses up a right code, once for concurrent callers; false when it is no longer valid. */
export async function useOneTimeCode(db: DbOrTrx, code: OneTimeCode, now: Date): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('one_time_codes')
    .where('purpose', '=', code.purpose)
    .where('contact', '=', code.contact)
    .where('code_hash', '=', code.code_hash)
    .where(({ eb, or, and }) =>
      or([
        and([eb('browser_hash', '=', code.browser_hash), eb('tries', '<', OTP_MAX_TRIES)]),
        and([
          eb('browser_hash', '!=', code.browser_hash),
          eb('tries_elsewhere', '<', OTP_MAX_TRIES_ELSEWHERE),
        ]),
      ]),
    )
    .where('expires_at', '>', toInstant(now))
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/**
 * Notes for 600 seconds that a code was used, in a row that names no contact and fits no try: the browser that used
 * it may ask again, because the answer was lost.
 */
export async function noteUsedCode(db: DbOrTrx, code: OneTimeCode, now: Date): Promise<void> {
  if (!code.browser_hash) return
  await db
    .insertInto('one_time_codes')
    .values({
      ...usedCode(code),
      code_hash: code.code_hash,
      tries: 0,
      tries_elsewhere: 0,
      created_at: toInstant(now),
      expires_at: toInstant(secondsAfter(now, OTP_VALID_SECONDS)),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Returns whether this browser used a code before; never without a cookie, because others could guess then. */
export async function wasCodeUsed(db: DbOrTrx, code: OneTimeCode, now: Date): Promise<boolean> {
  if (!code.browser_hash) return false
  const { purpose, contact, browser_hash } = usedCode(code)
  const row = await db
    .selectFrom('one_time_codes')
    .select('expires_at')
    .where('purpose', '=', purpose)
    .where('contact', '=', contact)
    .where('browser_hash', '=', browser_hash)
    .where('expires_at', '>', toInstant(now))
    .executeTakeFirst()
  return row !== undefined
}

function usedCode({ purpose, browser_hash, code_hash }: OneTimeCode): CodeUse {
  return { purpose, browser_hash, contact: code_hash }
}

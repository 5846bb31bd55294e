import { secondsAfter, secondsUntil, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import { keyedHash, type SecretKey } from '#db/secrets.ts'
import { loginWait } from '#domain/rate-limits.ts'

/** So many wrong passwords, the newest, are remembered: whoever makes up contacts fills no disk. */
const REMEMBERED = 100_000

/** In seconds: how long this try is refused for, and how long the next one is if this one fails. */
export type LoginTry = { retryAfter: number; waitAfter: number }

/**
 * Counts a try as a wrong one before the password is looked at, so that of tries at once none goes
 * uncounted. For a contact without an account the same happens, and only a hash of it is kept.
 */
export async function takeLoginTry(
  db: Db,
  key: SecretKey,
  contact: string,
  now: Date,
): Promise<LoginTry> {
  const contact_hash = hashContact(key, contact)
  return db.transaction().execute(async (trx) => {
    const earlier = await trx
      .selectFrom('login_failures')
      .select(['failures', 'waits_until'])
      .where('contact_hash', '=', contact_hash)
      .executeTakeFirst()
    const retryAfter = earlier ? secondsUntil(earlier.waits_until, now) : 0
    const failures = (earlier?.failures ?? 0) + 1
    // A wait of more than its length is from a clock that was set back since.
    if (retryAfter > 0 && retryAfter <= loginWait(failures - 1)) return { retryAfter, waitAfter: 0 }
    const waitAfter = loginWait(failures)
    const waits_until = toInstant(secondsAfter(now, waitAfter))
    // Replaced, it gets the highest number again: by these the oldest are told.
    await trx
      .replaceInto('login_failures')
      .values({ contact_hash, failures, waits_until })
      .execute()
    await trx
      .deleteFrom('login_failures')
      .where('n', '<=', ({ selectFrom, fn, eb }) =>
        selectFrom('login_failures').select(eb(fn.max('n'), '-', REMEMBERED).as('n')),
      )
      .execute()
    return { retryAfter: 0, waitAfter }
  })
}

/** Whoever an account has let in, or given a new password, begins anew. */
export async function forgetLoginFailures(
  db: DbOrTrx,
  key: SecretKey,
  accountId: string,
): Promise<void> {
  const { email, mobile } = await db
    .selectFrom('accounts')
    .select(['email', 'mobile'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const contacts = [email, mobile].filter((contact) => contact !== null)
  const hashes = contacts.map((contact) => hashContact(key, contact))
  await db.deleteFrom('login_failures').where('contact_hash', 'in', hashes).execute()
}

function hashContact(key: SecretKey, contact: string): string {
  return keyedHash(key, 'login', contact)
}

import { secondsAfter, secondsUntil, toInstant } from '#db/cast.ts'
import type { Trx } from '#db/client.ts'
import type { Instant, Tables } from '#db/schema.ts'
import { keyedHash, type SecretKey } from '#db/secrets.ts'
import { SECRET_LOCK_MINUTES, SECRET_MAX_TRIES } from '#domain/codes/qr.ts'
import type { Network } from '#domain/networks.ts'
import { DAY } from '#domain/rate-limits.ts'
import { SKEW_SECONDS } from '#domain/time.ts'

const LOCK_SECONDS = SECRET_LOCK_MINUTES * 60

/** A short secret of a code by its hash, so that a new one begins without wrong tries. */
export type Secret = Pick<Tables['wrong_tries'], 'code_id' | 'kind'> & { hash: string }
/** The networks from which somebody tries it, the smallest first. */
export type Trying = { secretKey: SecretKey; networks: readonly Network[]; now: Date }
export type SecretTry =
  | { outcome: 'right' | 'wrong' }
  | { outcome: 'locked' /** in seconds */; retryAfter: number }

/**
 * Counts a try of a secret, and returns whether it may open anything. The fifth wrong one in a row from an address
 * locks the secret there for 15 minutes, for right ones too; from a larger network the tenth or twentieth does. A
 * right one ends the row.
 */
export async function countTry(
  trx: Trx,
  { code_id, kind, hash }: Secret,
  isRight: boolean,
  { secretKey, networks, now }: Trying,
): Promise<SecretTry> {
  const places = networks.map(({ name, times }) => ({
    network_hash: keyedHash(secretKey, 'wrong tries', code_id, hash, name),
    most: SECRET_MAX_TRIES * times,
  }))
  const hashes = places.map(({ network_hash }) => network_hash)
  const rows = await trx
    .selectFrom('wrong_tries')
    .select(['network_hash', 'tries', 'locked_until'])
    .where('code_id', '=', code_id)
    .where('kind', '=', kind)
    .where('network_hash', 'in', hashes)
    .execute()
  const retryAfter = Math.max(0, ...rows.map((row) => lockedFor(row.locked_until, now)))
  if (retryAfter > 0) return { outcome: 'locked', retryAfter }
  if (isRight) {
    await trx
      .deleteFrom('wrong_tries')
      .where('code_id', '=', code_id)
      .where('kind', '=', kind)
      .where('network_hash', 'in', hashes)
      .execute()
    return { outcome: 'right' }
  }
  for (const { network_hash, most } of places) {
    const before = rows.find((row) => row.network_hash === network_hash)?.tries ?? 0
    // A lock that has ended begins a new row of tries.
    const tries = (before % most) + 1
    const row = {
      tries,
      locked_until: tries === most ? toInstant(secondsAfter(now, LOCK_SECONDS)) : null,
      ends_at: toInstant(secondsAfter(now, DAY)),
    }
    await trx
      .insertInto('wrong_tries')
      .values({ code_id, kind, network_hash, ...row })
      .onConflict((each) => each.columns(['code_id', 'kind', 'network_hash']).doUpdateSet(row))
      .execute()
  }
  return { outcome: 'wrong' }
}

/** Returns for how many seconds a secret is still locked. */
function lockedFor(locked_until: Instant | null, now: Date): number {
  const locked = locked_until ? secondsUntil(locked_until, now) : 0
  // A lock with much more than its full time left was set before the clock was set back. With a little more it
  // was set by a try that began later and came first.
  return locked > LOCK_SECONDS + SKEW_SECONDS ? 0 : Math.min(locked, LOCK_SECONDS)
}

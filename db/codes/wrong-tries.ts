import { secondsAfter, secondsUntil, toInstant } from '#db/cast.ts'
import type { Instant } from '#db/schema.ts'
import { SECRET_LOCK_MINUTES, SECRET_MAX_TRIES } from '#domain/codes/qr.ts'
import { SKEW_SECONDS } from '#domain/time.ts'

const LOCK_SECONDS = SECRET_LOCK_MINUTES * 60

/** Wrong tries in a row of a short secret, a PIN or an activation code. */
export type WrongTries = { tries: number; locked_until: Instant | null }

/** Returns the seconds for which a secret is still locked; undefined when it is not. */
export function lockedFor({ locked_until }: WrongTries, now: Date): number | undefined {
  const locked = locked_until && secondsUntil(locked_until, now)
  // A lock with much more than its full time left was set before the clock was set back. With a little more it
  // was set by a try that began later and came first.
  if (!locked || locked > LOCK_SECONDS + SKEW_SECONDS) return undefined
  return Math.min(locked, LOCK_SECONDS)
}

/**
 * Returns the count after one more try. A right one resets it. The fifth wrong one locks the secret for 15
 * minutes, for right tries too.
 */
export function countTry(before: WrongTries, isRight: boolean, now: Date): WrongTries {
  // A lock that has ended is removed.
  const tries = isRight ? 0 : (before.tries % SECRET_MAX_TRIES) + 1
  const isLocked = tries === SECRET_MAX_TRIES
  return { tries, locked_until: isLocked ? toInstant(secondsAfter(now, LOCK_SECONDS)) : null }
}

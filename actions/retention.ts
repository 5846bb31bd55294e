import type { ActionDeps } from '#actions/deps.ts'
import { secondsAfter, toInstant } from '#db/cast.ts'
import { forgetOldActs, forgetOldGuesses, forgetOldScans, forgetOldViews } from '#db/retention.ts'

/** Twice the time in which the waits after wrong guesses grow to their longest. */
const GUESSES_DAYS = 180

/**
 * Deletes scans, document views and the audit log that are older than the settings say, and wrong guesses that are
 * older than half a year, in small steps. What a stop leaves, and what another server does at the same time, is
 * neither counted twice nor lost.
 */
export async function sweepOld(
  { db, clock, config }: Pick<ActionDeps, 'db' | 'clock' | 'config'>,
  signal?: AbortSignal,
): Promise<void> {
  const { scans, views, audit } = config.retention
  const works = [
    [scans, forgetOldScans],
    [views, forgetOldViews],
    [audit, forgetOldActs],
    [GUESSES_DAYS, forgetOldGuesses],
  ] as const
  for (const [days, forget] of works) {
    if (days > 0) await forget(db, toInstant(secondsAfter(clock(), -days * 86_400)), signal)
  }
}

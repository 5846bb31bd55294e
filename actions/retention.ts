import { makingOf } from '#actions/codes/making.ts'
import type { ActionDeps } from '#actions/deps.ts'
import { removeStoredFiles } from '#actions/papers/files.ts'
import { SWEEPS } from '#db/tables/registry.ts'

/**
 * Deletes rows of all tables that are old enough, with their files. A failed sweep does not stop the others.
 * A stop or another server at work neither loses rows nor counts them twice.
 */
export async function sweepTables(
  deps: Pick<ActionDeps, 'db' | 'clock' | 'config' | 'files' | 'log'>,
  signal?: AbortSignal,
): Promise<void> {
  const { db, log } = deps
  const { timezone, retention } = deps.config
  for (const sweep of SWEEPS) {
    try {
      const stored_names = await sweep(db, { ...makingOf(deps), timezone, retention, signal })
      if (stored_names) await removeStoredFiles(deps, { stored_names })
    } catch (err) {
      log.error({ err }, SWEEP_FAILED)
    }
  }
}

export const SWEEP_FAILED = 'what is old could not be swept'

import type { ActionDeps } from '#actions/deps.ts'
import { removeStoredFiles } from '#actions/papers/files.ts'
import { removeDecidedReports } from '#db/conversations/report-decisions.ts'
import {
  closeOldConversations,
  forgetSenders,
  forgetShared,
  removeOldConversations,
} from '#db/conversations/retention.ts'

/**
 * Closes, empties and removes conversations that are old enough, with the files of their photos, and
 * removes reports that were decided long ago.
 */
export async function sweepConversations(
  deps: Pick<ActionDeps, 'db' | 'clock' | 'files' | 'log'>,
): Promise<void> {
  const { db, clock } = deps
  const now = clock()
  await closeOldConversations(db, now)
  await removeStoredFiles(deps, await forgetShared(db, now))
  await removeStoredFiles(deps, await removeOldConversations(db, now))
  await forgetSenders(db, now)
  await removeDecidedReports(db, now)
}

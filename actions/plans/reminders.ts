import { setImmediate as nextTurn } from 'node:timers/promises'
import { alertOrigin, byAlert } from '#actions/alerts/alerting.ts'
import type { ActionDeps } from '#actions/deps.ts'
import { endDuePermissions } from '#db/accounts/permission-types.ts'
import { type DueReminder, makeReminders } from '#db/plans/reminders.ts'
import { renewHref } from '#domain/dashboard.ts'
import { hasPlans } from '#domain/plans/offer.ts'
import { planEndAlert } from '#mail/plan-ends.ts'

type Deps = Pick<ActionDeps, 'db' | 'clock' | 'config' | 'outbox'>

/**
 * Alerts of plans that end soon, or have ended, each time once. Returns how many alerts that were. Permissions end also
 * where there are no plans.
 */
export async function remindOfEnds(deps: Deps): Promise<number> {
  const { db, clock, config } = deps
  const now = clock()
  // A permission that has ended gives no plan any more.
  await endDuePermissions(db, now)
  if (!hasPlans()) return 0
  await nextTurn()
  const notify = byAlert(deps, ({ accountId, ...ending }: DueReminder) => {
    const renewUrl = config.publicUrl + renewHref(ending.plan)
    return { accountId, ...planEndAlert({ ...ending, renewUrl }, alertOrigin(deps)) }
  })
  return makeReminders(db, now, notify)
}

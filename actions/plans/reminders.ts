import { alertOrigin, byAlert } from '#actions/alerts/alerting.ts'
import type { ActionDeps } from '#actions/deps.ts'
import { endDuePermissions } from '#db/accounts/permission-types.ts'
import { type DueReminder, makeReminders } from '#db/plans/reminders.ts'
import { renewHref } from '#domain/dashboard.ts'
import { planEndAlert } from '#mail/plan-ends.ts'

type Deps = Pick<ActionDeps, 'db' | 'clock' | 'config' | 'log' | 'outbox'>

const REMIND_EVERY_MS = 60_000

/** Alerts of plans that end soon, or have ended, each time once. Returns how many alerts that were. */
export async function remindOfEnds(deps: Omit<Deps, 'log'>): Promise<number> {
  const { db, clock, config } = deps
  const now = clock()
  // A permission that has ended gives no plan any more.
  await endDuePermissions(db, now)
  const notify = byAlert(deps, ({ accountId, ...ending }: DueReminder) => {
    const renewUrl = config.publicUrl + renewHref(ending.plan)
    return { accountId, ...planEndAlert({ ...ending, renewUrl }, alertOrigin(deps)) }
  })
  return makeReminders(db, now, notify)
}

/** Reminds now and every minute; the answer stops it after the current time. */
export function keepReminding(deps: Deps): () => Promise<void> {
  let reminding = Promise.resolve()
  const remind = () => {
    reminding = reminding
      .then(() => remindOfEnds(deps))
      .then(() => {})
      .catch((err) => deps.log.error({ err }, 'nobody was reminded of plans that end'))
  }
  remind()
  const timer = setInterval(remind, REMIND_EVERY_MS).unref()
  return () => {
    clearInterval(timer)
    return reminding
  }
}

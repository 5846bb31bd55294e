import { setTimeout as sleep } from 'node:timers/promises'
import { alertOrigin, byAlert } from '#actions/alerts/alerting.ts'
import type { ActionDeps } from '#actions/deps.ts'
import {
  type FiledRequest,
  fileResetRequest,
  type ResetAsked,
} from '#db/families/password-resets.ts'
import { resetRequestAlert } from '#mail/alerts.ts'

/** Longer than it takes to write alerts, so that the time does not show whether there was one. */
const LEAST_MS = 100

/** Requests a new password from a code's owner, who is alerted, if the contact is the child user's. */
export async function requestReset(deps: ActionDeps, request: ResetAsked): Promise<void> {
  const notify = byAlert(deps, ({ owner_id, ...about }: FiledRequest) => ({
    accountId: owner_id,
    ...resetRequestAlert(about, alertOrigin(deps)),
  }))
  const { db, clock } = deps
  await Promise.all([fileResetRequest(db, request, clock(), notify), sleep(LEAST_MS)])
}

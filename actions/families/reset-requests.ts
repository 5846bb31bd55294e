import { setTimeout as sleep } from 'node:timers/promises'
import { alertOrigin, byAlert } from '#actions/alerts/alerting.ts'
import type { ActionDeps } from '#actions/deps.ts'
import {
  type FiledRequest,
  fileResetRequest,
  type ResetRequestInput,
} from '#db/families/password-resets.ts'
import { resetRequestAlert } from '#mail/alerts.ts'

/** Exceeds the time that writing alerts takes, so that the response time does not show whether one was written. */
const MIN_RESPONSE_MS = 100

/** Stores a request for a new password and alerts the code's owner, if the contact is the child user's. */
export async function requestReset(deps: ActionDeps, request: ResetRequestInput): Promise<void> {
  const notify = byAlert(deps, ({ owner_id, ...about }: FiledRequest) => ({
    accountId: owner_id,
    ...resetRequestAlert(about, alertOrigin(deps)),
  }))
  const { db, clock } = deps
  await Promise.all([fileResetRequest(db, request, clock(), notify), sleep(MIN_RESPONSE_MS)])
}

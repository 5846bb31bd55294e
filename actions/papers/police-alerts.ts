import { alertOrigin } from '#actions/alerts/alerting.ts'
import type { ActionDeps } from '#actions/deps.ts'
import { findAlertedCode } from '#db/conversations/code-user.ts'
import type { Notify } from '#db/outbox.ts'
import type { ViewedDocuments } from '#db/papers/document-views.ts'
import { policeViewAlert } from '#mail/alerts.ts'

/** Alerts the code's user that the authority page was opened. */
export function aboutPoliceViews(deps: ActionDeps): Notify<ViewedDocuments> {
  return async (trx, { qr_id }) => {
    const code = await findAlertedCode(trx, qr_id)
    if (!code) return
    const { accountId } = code
    const alert = policeViewAlert({ ...code, now: deps.clock() }, alertOrigin(deps))
    await deps.outbox.alert(trx, { accountId, ...alert })
  }
}

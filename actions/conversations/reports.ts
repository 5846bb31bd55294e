import type { ActionDeps } from '#actions/deps.ts'
import { assertMailCanBeSent, byMailTo, mailOrigin } from '#actions/mail.ts'
import { fileUrl } from '#actions/papers/view.ts'
import type { Actor } from '#db/admin/audit-events.ts'
import type { ListedReport } from '#db/conversations/moderated-reports.ts'
import { answerReport } from '#db/conversations/report-answers.ts'
import { readText } from '#domain/conversations/message.ts'
import { reportAnsweredMail } from '#mail/conversations.ts'

/**
 * Mails an answer to the account that reported a conversation. Throws the errors of `answerReport`, invalid for a text
 * that is empty or too long, and unavailable without mail.
 */
export async function answerReporter(
  deps: ActionDeps,
  actor: Actor,
  id: string,
  sent: string | null | undefined,
): Promise<ListedReport> {
  assertMailCanBeSent(deps)
  const text = readText(sent)
  const notify = byMailTo(deps, ({ account_id: accountId, ...report }: ListedReport) => {
    const { vehicle_registration, owner_name } = shownIn(report)
    const code = { qr_id: report.qr_id, vehicle_registration, owner_name }
    return { accountId, ...reportAnsweredMail({ ...mailOrigin(deps), ...code, text }) }
  })
  return answerReport(deps.db, actor, { id, text }, deps.clock(), notify)
}

/** Returns the code as it was shown when it was reported. */
export function shownIn(report: Pick<ListedReport, 'kind' | 'snapshot'>) {
  const reported = report as ListedReport
  return reported.kind === 'page' ? reported.snapshot.fields : reported.snapshot
}

/** Returns a report as moderators see it. A deleted image has no `url`. */
export function toReportView(report: ListedReport) {
  const { id, reason, text, qr_id, status, action, created_at, decided_at, decider_name } = report
  const { answer, answered_at } = report
  const facts = { id, reason, text, qr_id, status, created_at }
  return {
    ...facts,
    ...toSnapshot(report),
    action,
    decided_by: decider_name,
    decided_at,
    answer,
    answered_at,
  }
}

function toSnapshot(report: ListedReport) {
  if (report.kind === 'conversation') return { kind: report.kind, snapshot: report.snapshot }
  const { kind, snapshot, images_left } = report
  const images = snapshot.images.map(({ id, stored_name }) => ({
    id,
    url: images_left.includes(id) ? fileUrl(stored_name) : null,
  }))
  return { kind, snapshot: { ...snapshot, images } }
}

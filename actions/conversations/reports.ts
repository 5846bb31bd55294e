import { fileUrl } from '#actions/papers/view.ts'
import type { ListedReport } from '#db/conversations/moderated-reports.ts'

/** Returns a report as moderators see it. A deleted image has no `url`. */
export function toReportView(report: ListedReport) {
  const { id, reason, text, qr_id, status, action, created_at, decided_at, decider_name } = report
  const facts = { id, reason, text, qr_id, status, created_at }
  return {
    ...facts,
    ...toSnapshot(report),
    action,
    decided_by: decider_name,
    decided_at,
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

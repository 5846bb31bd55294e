import type { ReactNode } from 'react'
import { ReportCard, type ReportCardView } from '#components/conversations/report-card.tsx'
import { Empty } from '#components/ui/empty.tsx'
import {
  REPORT_LISTS,
  type ReportsPlace,
  reportsHref,
} from '#domain/conversations/report-places.ts'

type ReportListProps = {
  place: ReportsPlace
  reports: ReportCardView[]
  pager: ReactNode
  /** the reports that the reader may decide, the oldest first */
  waiting?: ReactNode
}

/** The reports, newest first. The tab's own page begins with them; elsewhere they are a part. */
export function ReportList({ place, reports, pager, waiting }: ReportListProps) {
  const { on, status, report } = place
  return (
    <>
      <div className="head">
        {on === '/dashboard' ? <h1 tabIndex={-1}>Reports</h1> : <h2>Reports</h2>}
        <nav className="segments" aria-label="Show">
          {REPORT_LISTS.map(({ id, label }) => (
            <a
              key={id}
              href={reportsHref({ on, status: id, page: 1 })}
              aria-current={id === status && !report ? 'page' : undefined}
            >
              {label}
            </a>
          ))}
        </nav>
      </div>
      {waiting}
      {reports.length > 0 ? (
        <section className="cards cards-20" aria-label="Reports">
          {reports.map((view) => (
            <ReportCard key={view.id} view={view} place={place} />
          ))}
        </section>
      ) : (
        <NoReports place={place} />
      )}
      {pager}
    </>
  )
}

function NoReports({ place: { on, status } }: { place: ReportsPlace }) {
  const heading = on === '/dashboard' ? 'h2' : 'h3'
  if (status === 'decided') {
    return (
      <Empty icon="flag" title="No decided reports" heading={heading}>
        <p>Decided ones stay here for 90 days.</p>
      </Empty>
    )
  }
  return (
    <Empty icon="flag" title="No open reports" heading={heading}>
      <p>When a finder reports a page, or an owner a conversation, it appears here.</p>
    </Empty>
  )
}

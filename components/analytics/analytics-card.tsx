import { type ChartDay, ScanChart } from '#components/analytics/scan-chart.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { CodeHeading, type CodeHeadingView } from '#components/papers/code-heading.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { counted, formatCount } from '#domain/number.ts'

export type ScansView = { total: number; days: ChartDay[] }

export type CodeScansView = ScansView & {
  heading: CodeHeadingView
  /** the code's name, as a screen reader reads it */
  about: string
  qr_id_text: string
  /** the ids that lead here, which the code had before */
  replaces: string[]
  /** the newest scans, with date and time as they are shown, and the replaced id on the tag */
  recent: { at: string; text: string; tag: string | null }[]
  /** when it was lost, newest first; `until` is null while it is */
  lost: { since: string; from: string; until: string | null; scans: number }[]
}

/** The number of scans of one code, and the last one. */
export function CodeScansCard({ view }: { view: CodeScansView }) {
  const { heading, about, qr_id_text, replaces, total, days, recent, lost } = view
  return (
    <article className="card" aria-label={about}>
      <div className="row gap-1 scans-head">
        <CodeHeading view={heading} />
        <code className="push small soft">{qr_id_text}</code>
      </div>
      {total > 0 ? (
        <>
          <Figures total={total} days={days} />
          {/* Those of before a transfer have no times. */}
          {recent.length > 0 && <RecentScans recent={recent} />}
        </>
      ) : (
        <NoScans />
      )}
      {lost.length > 0 && <LostPeriods lost={lost} />}
      {replaces.length > 0 && (
        <p className="small soft">{`Replaced tags: ${replaces.join(', ')}`}</p>
      )}
    </article>
  )
}

function RecentScans({ recent }: Pick<CodeScansView, 'recent'>) {
  return (
    <div className="stack gap-1">
      <h3 className="small">Recent scans</h3>
      <ol className="stack small soft num gap-0">
        {recent.map(({ at, text, tag }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two scans may share a millisecond
          <li key={i}>
            <time dateTime={at}>{text}</time>
            {tag && (
              <>
                {' '}
                <Badge tone="warn">{`Replaced tag ${tag}`}</Badge>
              </>
            )}
          </li>
        ))}
      </ol>
    </div>
  )
}

/** The scans while the code was lost, apart from the others. */
function LostPeriods({ lost }: Pick<CodeScansView, 'lost'>) {
  return (
    <div className="stack gap-1">
      <h3 className="small">While it was lost</h3>
      <ol className="stack small soft num gap-0">
        {lost.map(({ since, from, until, scans }) => (
          <li key={since}>
            {`${until ? `${from} to ${until}` : `Since ${from}`}: ${counted(scans, 'scan')}`}
          </li>
        ))}
      </ol>
    </div>
  )
}

/** All codes of the account together. */
export function AccountScansCard({ view }: { view: ScansView }) {
  return (
    <article className="card" aria-label="All QR codes">
      <h2 className="text-lg">All QR codes</h2>
      {view.total > 0 ? <Figures {...view} /> : <NoScans />}
    </article>
  )
}

function Figures({ total, days }: ScansView) {
  return (
    <>
      <div className="row bottom">
        <div className="stat card stat-plain">
          <b>{formatCount(total)}</b>
          <span>{total === 1 ? 'total scan' : 'total scans'}</span>
        </div>
        <span className="push small soft">{`Last ${days.length} days`}</span>
      </div>
      <ScanChart days={days} />
    </>
  )
}

function NoScans() {
  return (
    <div className="empty empty-tight">
      <span className="sign">
        <Icon name="eye" />
      </span>
      <h3>No scans yet</h3>
      <p>You will see every scan here, with date and time.</p>
    </div>
  )
}

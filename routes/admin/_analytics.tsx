import type { ReactElement } from 'react'
import { ScanChart } from '#components/analytics/scan-chart.tsx'
import { countActivePerDay } from '#db/accounts/active-days.ts'
import { sumRevenuePerDay } from '#db/plans/revenue.ts'
import { listAllScansPerDay } from '#db/scans/scan-days.ts'
import type { Account } from '#db/schema.ts'
import { formatCount, formatRupees } from '#domain/number.ts'
import { hasPlans } from '#domain/plans/offer.ts'
import { formatDayOfMonth } from '#domain/time.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { renderAdmin } from '#routes/admin/_page.tsx'

const CHART_DAYS = 14

/** Renders active users, scans and revenue, day by day. */
export async function renderAdminAnalytics(c: AppContext, account: Account): Promise<Response> {
  const { db, clock, config } = c.var.deps
  const { timezone } = config
  const scanDays = await listAllScansPerDay(db, { days: CHART_DAYS, now: clock(), timezone })
  const days = scanDays.map(({ day }) => day)
  const active = await countActivePerDay(db, days)
  const revenue = hasPlans() && (await renderRevenue(c, days))
  const scans = scanDays.map((day) => day.scans)
  return renderAdmin(
    c,
    account,
    { tab: 'analytics' },
    <section className="cards cards-fit" aria-label="Figures">
      <FigureCard
        label="Daily active users"
        figure={formatCount(active.at(-1) ?? 0)}
        note={`Today. The chart shows the last ${CHART_DAYS} days`}
        days={days}
        figures={active}
      />
      <FigureCard
        label="Scans"
        figure={formatCount(sum(scans))}
        note={`In the last ${CHART_DAYS} days`}
        days={days}
        figures={scans}
      />
      {revenue}
    </section>,
  )
}

async function renderRevenue(c: AppContext, days: string[]): Promise<ReactElement> {
  const { db, config } = c.var.deps
  const revenue = await sumRevenuePerDay(db, days, config.timezone)
  return (
    <FigureCard
      label="Revenue"
      figure={formatRupees(sum(revenue))}
      note={`Approved upgrades of the last ${CHART_DAYS} days`}
      days={days}
      figures={revenue}
      format={formatRupees}
    />
  )
}

type FigureCardProps = {
  label: string
  figure: string
  note: string
  days: string[]
  figures: number[]
  format?: (figure: number) => string
}

function FigureCard({ label, figure, note, days, figures, format }: FigureCardProps) {
  const charted = days.map((day, i) => ({ label: formatDayOfMonth(day), scans: figures[i] ?? 0 }))
  return (
    <article className="card stat" aria-label={label}>
      <h2 className="text-md">{label}</h2>
      <b>{figure}</b>
      <ScanChart days={charted} label={label} {...(format && { format })} />
      <span>{note}</span>
    </article>
  )
}

function sum(figures: number[]): number {
  return figures.reduce((total, figure) => total + figure, 0)
}

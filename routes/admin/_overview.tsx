import type { ReactElement } from 'react'
import { missingForOwners } from '#actions/plans/payment.ts'
import { MissingSettings } from '#components/admin/missing-settings.tsx'
import { QuickActions } from '#components/admin/quick-actions.tsx'
import { RevenueCard } from '#components/plans/revenue-card.tsx'
import { StatCard } from '#components/ui/stat-card.tsx'
import { readEarlierTotals, readStatistics } from '#db/admin/statistics.ts'
import { sumRevenuePerMonth } from '#db/plans/revenue.ts'
import type { Account } from '#db/schema.ts'
import { trendText } from '#domain/scans/trend.ts'
import { formatMonth } from '#domain/time.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { renderActivity } from '#routes/admin/_activity.tsx'
import { renderAdmin } from '#routes/admin/_page.tsx'

/** Renders the figures of the installation and the last acts of its admins. */
export async function renderOverview(c: AppContext, account: Account): Promise<Response> {
  const activity = await renderActivity(c)
  return renderAdmin(
    c,
    account,
    { tab: 'overview' },
    <>
      <MissingSettings missing={missingForOwners(c.var.deps.config)} />
      {await renderStats(c)}
      <div className="cards cards-fit cards-20 top">
        {await renderRevenue(c)}
        {activity}
        <QuickActions />
      </div>
    </>,
  )
}

async function renderStats(c: AppContext): Promise<ReactElement> {
  const { db, clock } = c.var.deps
  const now = clock()
  const total = await readStatistics(db, now)
  const before = await readEarlierTotals(db, now)
  return (
    <section className="cards cards-fit cards-9" aria-label="Statistics">
      <StatCard
        label="Total Users"
        icon="users"
        count={total.totalUsers}
        note={trendText(total.totalUsers, before.users)}
      />
      <StatCard
        label="QR Codes"
        icon="qr"
        count={total.totalQRCodes}
        note={trendText(total.totalQRCodes, before.codes)}
      />
      <StatCard
        label="Total Scans"
        icon="eye"
        count={total.totalScans}
        note={trendText(total.totalScans, before.scans)}
      />
      <StatCard
        label="Active Devices"
        icon="mobile"
        count={total.activeDevices}
        note="In the last 30 days"
      />
    </section>
  )
}

const CHART_MONTHS = 12

/** Renders the approved revenue month by month, as a chart and as a table. */
async function renderRevenue(c: AppContext): Promise<ReactElement> {
  const { db, clock, config } = c.var.deps
  const { timezone } = config
  const months = await sumRevenuePerMonth(db, { count: CHART_MONTHS, now: clock(), timezone })
  const named = months.map(({ month, amount }) => ({ label: formatMonth(month), amount }))
  return <RevenueCard months={named} />
}

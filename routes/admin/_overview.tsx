import type { ReactElement } from 'react'
import { checkSetup, type SetupCheck } from '#actions/operations/setup.ts'
import { QuickActions } from '#components/admin/quick-actions.tsx'
import { SetupList, type SetupView } from '#components/admin/setup-list.tsx'
import { RevenueCard } from '#components/plans/revenue-card.tsx'
import { StatCard } from '#components/ui/stat-card.tsx'
import { readEarlierTotals, readStatistics } from '#db/admin/statistics.ts'
import { sumRevenuePerMonth } from '#db/plans/revenue.ts'
import type { Account } from '#db/schema.ts'
import { adminHref } from '#domain/admin/admin.ts'
import { hasPlans } from '#domain/plans/offer.ts'
import { trendText } from '#domain/scans/trend.ts'
import { settingsHref } from '#domain/settings.ts'
import { formatMonth } from '#domain/time.ts'
import { renderWaiting } from '#routes/_admin/waiting.tsx'
import type { AppContext } from '#routes/_http/context.ts'
import { renderActivity } from '#routes/admin/_activity.tsx'
import { renderAdmin } from '#routes/admin/_page.tsx'

/** Renders the work that waits, then the figures of the installation and the last acts of its admins. */
export async function renderOverview(c: AppContext, account: Account): Promise<Response> {
  const activity = await renderActivity(c)
  return renderAdmin(
    c,
    account,
    { tab: 'overview' },
    <div className="overview">
      {await renderWaiting(c, account, '/admin')}
      <div className="stack">
        {await renderSetup(c)}
        {await renderStats(c)}
        <QuickActions />
        {hasPlans() && (await renderRevenue(c))}
      </div>
      {activity}
    </div>,
  )
}

/** The pages on which parts of the installation are set up; the others are settings of the server. */
const SETUP_PAGES: Partial<Record<SetupCheck['name'], SetupView['page']>> = {
  Backups: { label: 'Open System', href: adminHref('system') },
  Admins: { label: 'Open Security', href: settingsHref('security') },
}

/** Renders what the operator has still to set up. */
async function renderSetup(c: AppContext): Promise<ReactElement | null> {
  const { db, clock, config } = c.var.deps
  const checks = await checkSetup(db, config, clock())
  const views = checks.map(
    ({ name, status, message }): SetupView => ({
      name,
      missing: status === 'ok' ? null : message,
      page: SETUP_PAGES[name],
    }),
  )
  return views.some(({ missing }) => missing) ? <SetupList views={views} /> : null
}

async function renderStats(c: AppContext): Promise<ReactElement> {
  const { db, clock } = c.var.deps
  const now = clock()
  const total = await readStatistics(db, now)
  const before = await readEarlierTotals(db, now)
  return (
    <section className="cards cards-fit cards-8" aria-label="Statistics">
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

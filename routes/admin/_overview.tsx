import type { ReactElement } from 'react'
import { ActivityList } from '#components/activity-list.tsx'
import { AdminPager } from '#components/admin-pager.tsx'
import { Icon, type IconName } from '#components/icon.tsx'
import { StatCard } from '#components/stat-card.tsx'
import { listActs } from '#db/audit-events.ts'
import type { Account } from '#db/schema.ts'
import { readEarlierTotals, readStatistics } from '#db/statistics.ts'
import { actWords } from '#domain/act.ts'
import { adminHref, adminPageHref } from '#domain/admin.ts'
import { formatAgo } from '#domain/ago.ts'
import { readPage } from '#domain/dashboard.ts'
import { trendText } from '#domain/trend.ts'
import { Island } from '#islands/_island.tsx'
import type { AppContext } from '#routes/_deps.ts'
import { renderAdmin } from '#routes/admin/_page.tsx'

const ACTS_A_PAGE = 10

/** The whole installation at a glance, and what its admins did last. */
export async function renderOverview(c: AppContext, account: Account): Promise<Response> {
  const activity = await renderActivity(c)
  if (activity instanceof Response) return activity
  return renderAdmin(
    c,
    account,
    { tab: 'overview', islands: <Island name="code-export" props={{}} /> },
    <>
      {await renderStats(c)}
      <div className="cards cards-fit cards-20">
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

const ICONS: Record<string, IconName> = {
  account: 'user',
  promo_code: 'ticket',
  redemption: 'ticket',
  upgrade_request: 'crown',
  qr_code: 'qr',
}

/** Leads to the last page when there are fewer than the address says. */
async function renderActivity(c: AppContext): Promise<ReactElement | Response> {
  const { db, clock, config } = c.var.deps
  const page = readPage(c.req.query('page'))
  const offset = (page - 1) * ACTS_A_PAGE
  const { acts, total } = await listActs(db, { limit: ACTS_A_PAGE, offset })
  const pages = Math.max(1, Math.ceil(total / ACTS_A_PAGE))
  if (page > pages) return c.redirect(adminPageHref('overview', pages))
  const views = acts.map((act) => ({
    ...actWords(act, config.timezone),
    id: act.id,
    icon: ICONS[act.subject_type] ?? 'gear',
    at: act.happened_at,
    ago: formatAgo(act.happened_at, clock(), config.timezone),
  }))
  return (
    <section className="card">
      <h2 className="text-lg">Recent Activity</h2>
      {total === 0 && <p className="soft">What admins do is noted here.</p>}
      <ActivityList acts={views} />
      <AdminPager tab="overview" page={page} pages={pages} />
    </section>
  )
}

const QUICK_ACTIONS: { label: string; icon: IconName; href: string }[] = [
  { label: 'Manage Users', icon: 'users', href: adminHref('users') },
  { label: 'Create Promo Code', icon: 'ticket', href: adminHref('promo-codes', { create: '1' }) },
  { label: 'View Analytics', icon: 'chart', href: adminHref('analytics') },
]

function QuickActions() {
  return (
    <section className="card">
      <h2 className="text-lg">Quick Actions</h2>
      <div className="stack gap-2">
        {QUICK_ACTIONS.map(({ label, icon, href }) => (
          <a key={label} className="btn btn-block" href={href}>
            <Icon name={icon} />
            {label}
          </a>
        ))}
        <a
          className="btn btn-block"
          href="/api/admin/qr-codes/export/csv"
          download
          data-action="export-codes"
        >
          <Icon name="download" />
          <span>Export Data</span>
        </a>
      </div>
    </section>
  )
}

import type { ReactElement } from 'react'
import { ActivityList } from '#components/admin/activity-list.tsx'
import { AdminPager } from '#components/admin/admin-pager.tsx'
import type { IconName } from '#components/icons/icon.tsx'
import { listActs } from '#db/admin/audit-events.ts'
import { describeAct } from '#domain/admin/act.ts'
import { adminPageHref } from '#domain/admin/admin.ts'
import { formatAgo } from '#domain/ago.ts'
import { readPageNumber } from '#domain/dashboard.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { countPages, rowsOfPage } from '#routes/_http/lists.ts'

const ACTS_A_PAGE = 10

const ICONS: Record<string, IconName> = {
  account: 'user',
  promo_code: 'ticket',
  redemption: 'ticket',
  upgrade_request: 'crown',
  qr_code: 'qr',
}

/** Renders the last acts of admins. */
export async function renderActivity(c: AppContext): Promise<ReactElement> {
  const { db, clock, config } = c.var.deps
  const page = readPageNumber(c.req.query('page'))
  const { acts, total } = await listActs(db, rowsOfPage(page, ACTS_A_PAGE))
  const pages = countPages({ total, size: ACTS_A_PAGE, page }, (last) =>
    adminPageHref('overview', last),
  )
  const views = acts.map((act) => ({
    ...describeAct(act, config.timezone),
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

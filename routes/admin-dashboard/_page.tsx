import type { ReactNode } from 'react'
import { type ManagementFrame, ManagementShell } from '#components/admin/management-shell.tsx'
import { readDashboardStats } from '#db/admin/dashboard-stats.ts'
import { countWaitingForAdmins } from '#db/admin/waiting.ts'
import type { Account } from '#db/schema.ts'
import { mayGrantToSelf } from '#routes/_http/client-address.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { renderPage } from '#routes/_http/render.tsx'

type ManagementPage = Omit<ManagementFrame, 'role' | 'mayGrant' | 'stats' | 'pending'> & {
  title: string
}

/** Renders a tab of the admin management page; without a panel only its dialog. */
export async function renderManagement(
  c: AppContext,
  account: Account,
  { title, ...frame }: ManagementPage,
  panel: ReactNode,
): Promise<Response> {
  const stats = panel === null ? undefined : await readStats(c)
  const { redemptions, upgrades, reports, tickets } = await countWaitingForAdmins(c.var.deps.db)
  const pending = {
    'promo-codes': redemptions,
    'upgrade-requests': upgrades,
    reports,
    support: tickets,
  }
  return renderPage(
    c,
    { title, sheet: 'app', part: frame.tab === 'support' ? ['admin', 'tickets'] : 'admin' },
    <ManagementShell
      role={account.role}
      mayGrant={mayGrantToSelf(c)}
      stats={stats}
      pending={pending}
      {...frame}
    >
      {panel}
    </ManagementShell>,
  )
}

async function readStats(c: AppContext): Promise<ManagementFrame['stats']> {
  const { db, clock, config } = c.var.deps
  const { users, qr_codes, activity } = await readDashboardStats(db, clock(), config.timezone)
  const { total, active } = users
  return { users: total, active, codes: qr_codes.total, scansToday: activity.today_scans }
}

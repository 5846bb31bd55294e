import type { ReactNode } from 'react'
import { TabbedPage } from '#components/frame/tabbed-page.tsx'
import { AdminDashboardBar } from '#components/frame/top-bar.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { RoleBadge } from '#components/ui/badge.tsx'
import { StatCard } from '#components/ui/stat-card.tsx'
import { MANAGEMENT_TABS, type ManagementTab, managementHref } from '#domain/admin/management.ts'
import { onOffer } from '#domain/plans/offer.ts'

export type ManagementFrame = {
  role: string
  /** whether admins may make themselves super admins here */
  mayGrant: boolean
  tab: ManagementTab
  /** what to say when the tab could not be loaded again */
  failure: string
  /** how many things wait on a tab */
  pending: Partial<Record<ManagementTab, number>>
  /** what the four cards count */
  stats: { users: number; active: number; codes: number; scansToday: number } | undefined
  /** what became of the form that led here */
  outcome?: ReactNode
  /** stands before the figures */
  first?: ReactNode
  dialog?: ReactNode
}

/** Tabs whose things are open until somebody has done something. */
const OPEN: ManagementTab[] = ['reports', 'support']

/** Bars, head and frame of the admin management page; its children are the tab. */
export function ManagementShell(frame: ManagementFrame & { children: ReactNode }) {
  const { role, mayGrant, tab, failure, pending, stats, outcome, first, dialog, children } = frame
  return (
    <TabbedPage
      bar={<AdminDashboardBar role={role} mayGrant={mayGrant} outcome={outcome} />}
      label="Admin management"
      tabs={onOffer(MANAGEMENT_TABS).map((entry) => ({
        ...entry,
        href: managementHref(entry.id),
        pending: pending[entry.id] ?? 0,
        ...(OPEN.includes(entry.id) && { pendingWord: 'open' }),
      }))}
      current={tab}
      failure={failure}
      dialog={dialog}
    >
      <div className="head">
        <div className="row">
          <h1 tabIndex={-1}>Admin Dashboard</h1>
          <RoleBadge role={role} />
        </div>
        <a
          className="btn"
          href="/api/admin/qr-codes/export/csv"
          download
          data-action="export-codes"
          data-script="exports"
        >
          <Icon name="download" />
          <span>Export QR Codes CSV</span>
        </a>
      </div>
      {first}
      {stats && (
        <section className="cards cards-fit cards-8" aria-label="Statistics">
          <StatCard label="Total Users" count={stats.users} />
          <StatCard label="Active Users" count={stats.active} />
          <StatCard label="Total QR Codes" count={stats.codes} />
          <StatCard label="Today's Scans" count={stats.scansToday} />
        </section>
      )}
      {children}
    </TabbedPage>
  )
}

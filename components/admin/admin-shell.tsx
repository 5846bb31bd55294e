import type { ReactNode } from 'react'
import { TabbedPage } from '#components/frame/tabbed-page.tsx'
import { AdminTopBar } from '#components/frame/top-bar.tsx'
import { ADMIN_TABS, type AdminTab, adminHref } from '#domain/admin/admin.ts'
import { onOffer } from '#domain/plans/offer.ts'

export type AdminFrame = {
  /** the name of the signed-in admin */
  name: string
  tab: AdminTab
  /** how many things are open on a tab */
  pending: Partial<Record<AdminTab, number>>
  /** what the tab offers to make, beside its name */
  action?: ReactNode
  /** what to say when the tab could not be loaded again */
  failure?: string
  /** what became of the form that led here */
  outcome?: ReactNode
  /** the dialog over the tab, if one is open */
  dialog?: ReactNode
}

/** Bars, breadcrumb and frame of the super admin's page; the tab's name is its h1. */
export function AdminShell(frame: AdminFrame & { children: ReactNode }) {
  const { name, tab, pending, action, outcome, dialog, children } = frame
  const title = ADMIN_TABS.find(({ id }) => id === tab)?.label
  return (
    <TabbedPage
      bar={<AdminTopBar name={name} outcome={outcome} />}
      label="Admin"
      tabs={onOffer(ADMIN_TABS).map((each) => ({
        ...each,
        href: adminHref(each.id),
        pending: pending[each.id] ?? 0,
        pendingWord: 'open',
      }))}
      current={tab}
      failure={frame.failure ?? 'Failed to load admin dashboard data'}
      tight
      dialog={dialog}
    >
      <nav aria-label="Breadcrumb">
        <ol className="crumbs">
          <li>
            <a href="/">DriveQR</a>
          </li>
          <li>
            <a href="/admin">Admin</a>
          </li>
          <li>
            <span aria-current="page">{title}</span>
          </li>
        </ol>
      </nav>
      <div className="head">
        <h1 tabIndex={-1}>{title}</h1>
        {action}
      </div>
      {children}
    </TabbedPage>
  )
}

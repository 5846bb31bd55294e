import type { ReactNode } from 'react'
import { type Tab, Tabs } from '#components/tabs.tsx'
import { TopBar, type TopBarAccount } from '#components/top-bar.tsx'

export const DASHBOARD_TABS = [
  { id: 'my-qrs', label: 'My QR Codes', icon: 'qr' },
  { id: 'popup-images', label: 'Popup Images', icon: 'image' },
  { id: 'documents', label: 'Documents', icon: 'doc' },
  { id: 'gallery', label: 'Gallery', icon: 'gallery' },
  { id: 'password-requests', label: 'Reset Requests', icon: 'reset' },
  { id: 'analytics', label: 'Analytics', icon: 'chart' },
] as const

export type DashboardTab = (typeof DASHBOARD_TABS)[number]['id']

/** Bars and frame of the owner's dashboard; its children begin with the tab's h1. */
export function DashboardShell({
  account,
  tab,
  pendingResets,
  children,
}: {
  account: TopBarAccount
  tab: DashboardTab
  pendingResets: number
  children: ReactNode
}) {
  const tabs: Tab[] = DASHBOARD_TABS.map((entry) => ({
    ...entry,
    href: `/dashboard?tab=${entry.id}`,
    pending: entry.id === 'password-requests' ? pendingResets : 0,
  }))
  return (
    <>
      <TopBar account={account} />
      <Tabs label="Dashboard" tabs={tabs} current={tab} />
      <main className="wrap main" id="main">
        {children}
      </main>
    </>
  )
}

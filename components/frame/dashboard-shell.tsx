import type { ReactNode } from 'react'
import { TabbedPage } from '#components/frame/tabbed-page.tsx'
import { TopBar, type TopBarAccount } from '#components/frame/top-bar.tsx'
import { type DashboardTab, tabHref, tabsOf } from '#domain/dashboard.ts'

export type DashboardFrame = {
  account: TopBarAccount
  tab: DashboardTab
  /** the counts on the tabs */
  pending?: Partial<Record<DashboardTab, number>>
  notice?: ReactNode
  /** what became of the form that led here */
  outcome?: ReactNode
  /** the dialog over the tab, if one is open */
  dialog?: ReactNode
  /** the Upgrade dialog, which opens above another dialog */
  upgrade?: ReactNode
}

/** The text of a failure to load a tab's list again; the other tabs list codes. */
const FAILURES: Partial<Record<DashboardTab, string>> = {
  messages: 'Failed to load messages',
  reports: 'Failed to load reports',
  gallery: 'Failed to load document gallery',
  'popup-images': 'Failed to load popup images',
  'password-requests': 'Failed to load reset requests',
}

/** The island of a tab's main button. */
const ISLANDS: Partial<Record<DashboardTab, string>> = {
  'my-qrs': 'qr-form',
  'popup-images': 'popup-upload',
  documents: 'document-upload',
}

/** The meaning of a tab's count, where that is not pending. */
const PENDING_WORDS: Partial<Record<DashboardTab, string>> = {
  messages: 'unread',
  reports: 'open',
}

/** Bars and frame of the owner's dashboard; its children begin with the tab's h1. */
export function DashboardShell(frame: DashboardFrame & { children: ReactNode }) {
  const { account, tab, pending, notice, outcome, dialog, upgrade, children } = frame
  const tabs = tabsOf(account.role).map((entry) => ({
    ...entry,
    href: tabHref(entry.id),
    pending: pending?.[entry.id] ?? 0,
    ...(PENDING_WORDS[entry.id] && { pendingWord: PENDING_WORDS[entry.id] }),
  }))
  return (
    <TabbedPage
      bar={<TopBar account={account} outcome={outcome} />}
      label="Dashboard"
      tabs={tabs}
      current={tab}
      failure={FAILURES[tab] ?? 'Failed to load QR codes'}
      notice={notice}
      dialog={dialog}
      above={<div id="upgrade">{upgrade}</div>}
      soon={dialog ? undefined : ISLANDS[tab]}
    >
      {children}
    </TabbedPage>
  )
}

import type { ReactNode } from 'react'
import { type Tab, Tabs } from '#components/frame/tabs.tsx'

type TabbedPageProps = {
  bar: ReactNode
  /** what the tabs are of */
  label: string
  tabs: Tab[]
  current: string
  /** what to say when the panel could not be loaded again */
  failure: string
  tight?: boolean
  /** what every tab of the page says above its panel */
  notice?: ReactNode
  /** the dialog over the tab, if one is open */
  dialog?: ReactNode
  /** the Upgrade dialog, which opens above another dialog */
  above?: ReactNode
  /** the island that the next tap probably loads */
  soon?: string | undefined
  children: ReactNode
}

/**
 * Bar, tabs and frame of a signed-in page; its children begin with the h1. A change replaces the
 * panel; a dialog is outside of it, so that it stays open.
 */
export function TabbedPage(props: TabbedPageProps) {
  const { bar, label, tabs, current, failure, tight, notice, dialog, above, soon } = props
  return (
    <>
      {bar}
      <Tabs label={label} tabs={tabs} current={current} />
      <main className="wrap" id="main" data-soon={soon}>
        {notice}
        <div className={tight ? 'main main-tight' : 'main'} id="panel" data-failure={failure}>
          {props.children}
        </div>
        <div id="dialog">{dialog}</div>
        {above}
      </main>
    </>
  )
}

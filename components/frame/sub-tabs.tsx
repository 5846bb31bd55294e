import type { ReactNode } from 'react'
import { PendingCount } from '#components/frame/tabs.tsx'

export type SubTab = { id: string; href: string; label: string; pending?: number }

/** Tabs within a tab: links too, on the sheet that they change. */
export function SubTabs({
  label,
  tabs,
  current,
  children,
}: {
  label: string
  tabs: SubTab[]
  current: string
  children: ReactNode
}) {
  return (
    <div className="sheet sheet-tight">
      <nav className="tabs tabs-even" aria-label={label}>
        {tabs.map(({ id, href, label: name, pending }) => (
          <a key={id} href={href} aria-current={id === current ? 'page' : undefined}>
            {name}
            {pending ? <PendingCount count={pending} /> : null}
          </a>
        ))}
      </nav>
      <div className="stack sub-tab">{children}</div>
    </div>
  )
}

import { Icon, type IconName } from '#components/icons/icon.tsx'

export type Tab = {
  id: string
  href: string
  label: string
  icon: IconName
  pending?: number
}

/** Page-level tabs: plain links, each a page of its own. */
export function Tabs({ label, tabs, current }: { label: string; tabs: Tab[]; current: string }) {
  return (
    <nav className="tabs-bar" aria-label={label}>
      <div className="wrap">
        <div className="tabs">
          {tabs.map((tab) => (
            <a key={tab.id} href={tab.href} aria-current={tab.id === current ? 'page' : undefined}>
              <Icon name={tab.icon} />
              {tab.label}
              {tab.pending ? <PendingCount count={tab.pending} /> : null}
            </a>
          ))}
        </div>
      </div>
    </nav>
  )
}

export function PendingCount({ count }: { count: number }) {
  return (
    <span className="count">
      {count}
      <span className="vh"> pending</span>
    </span>
  )
}

import { Icon, type IconName } from '#components/icons/icon.tsx'

export type Tab = {
  id: string
  href: string
  label: string
  icon: IconName
  pending?: number
  /** what the pending ones are, for screen readers */
  pendingWord?: string
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
              {tab.pending ? <PendingCount count={tab.pending} word={tab.pendingWord} /> : null}
            </a>
          ))}
        </div>
      </div>
    </nav>
  )
}

export function PendingCount({ count, word = 'pending' }: { count: number; word?: string }) {
  return (
    <span className="count">
      {count}
      <span className="vh">{` ${word}`}</span>
    </span>
  )
}

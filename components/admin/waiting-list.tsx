import { Icon, type IconName } from '#components/icons/icon.tsx'
import { Empty } from '#components/ui/empty.tsx'
import { hasPlans } from '#domain/plans/offer.ts'

export type WaitingView = {
  id: string
  icon: IconName
  title: string
  about: string
  href: string
  /** when it began to wait, and for how long or how late, as it is shown */
  since: string
  wait: string
  isLate: boolean
  isGrave?: boolean
}

/** The work of all kinds that waits for the reader, the oldest first. */
export function WaitingList({ items, hasMore }: { items: WaitingView[]; hasMore: boolean }) {
  if (items.length === 0) {
    return (
      <Empty icon="check" title="Nothing is waiting">
        <p>{`${hasPlans() ? 'Upgrade requests, promo codes, reports' : 'Reports'} and tickets appear here.`}</p>
      </Empty>
    )
  }
  return (
    <section className="sheet wait" aria-labelledby="waiting">
      <header>
        <h2 id="waiting">Waiting for you</h2>
        <span className="count">{hasMore ? `${items.length}+` : items.length}</span>
        <span className="small soft push">Oldest first</span>
      </header>
      <ol>
        {items.map((item) => (
          <Item key={item.id} view={item} />
        ))}
      </ol>
    </section>
  )
}

function Item({ view }: { view: WaitingView }) {
  const { icon, title, about, href, since, wait, isLate, isGrave } = view
  return (
    <li>
      <a href={href}>
        <span className={isGrave ? 'avatar avatar-stop' : 'avatar'}>
          <Icon name={icon} />
        </span>
        <span className="any-break">
          <b>{title}</b>
          <small>{about}</small>
        </span>
        <time className={isLate ? 'when late' : 'when'} dateTime={since}>
          {wait}
        </time>
      </a>
    </li>
  )
}

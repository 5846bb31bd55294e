import type { ReactNode } from 'react'
import { Icon, type IconName } from '#components/icons/icon.tsx'

/** Shows an empty state: an icon, a title, an explanation and one action. */
export function Empty({
  icon,
  title,
  heading: Heading = 'h2',
  stop,
  within,
  badge,
  children,
  action,
}: {
  icon: IconName
  title: string
  heading?: 'h1' | 'h2' | 'h3'
  stop?: boolean
  /** inside a sheet, so that it draws no sheet of its own */
  within?: boolean
  badge?: ReactNode
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <div className={within ? 'empty' : 'sheet empty'}>
      <span className={stop ? 'sign sign-stop' : 'sign'}>
        <Icon name={icon} />
      </span>
      {badge}
      <Heading>{title}</Heading>
      {children}
      {action}
    </div>
  )
}

type NothingFoundProps = { what: string; href: string; children: ReactNode }

/** Shows that a search found nothing; `href` is the page without the search. */
export function NothingFound({ what, href, children }: NothingFoundProps) {
  const clear = (
    <a className="btn" href={href}>
      Clear Search
    </a>
  )
  return (
    <Empty icon="search" title={`No ${what} found`} action={clear}>
      <p>{children}</p>
    </Empty>
  )
}

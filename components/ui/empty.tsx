import type { ReactNode } from 'react'
import { Icon, type IconName } from '#components/icons/icon.tsx'

/** Nothing there: a sign on a post, a sentence, one way on. */
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
  /** inside a sheet, which it needs no second one of */
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

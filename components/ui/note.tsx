import type { ComponentProps, ReactNode } from 'react'
import { Icon, type IconName } from '#components/icons/icon.tsx'

export type NoteTone = 'info' | 'go' | 'warn' | 'stop'

const ICONS = { info: 'info', go: 'check', warn: 'alert', stop: 'alert' } as const

/** A lasting message at its place on the page. The ink bar says the result of an act: `Outcome`. */
export function Note({
  tone = 'info',
  icon = ICONS[tone],
  title,
  action,
  children,
  ...rest
}: Omit<ComponentProps<'div'>, 'title'> & {
  tone?: NoteTone
  icon?: IconName
  title?: ReactNode
  action?: ReactNode
  children: ReactNode
}) {
  return (
    <div className={tone === 'info' ? 'note' : `note note-${tone}`} {...rest}>
      <Icon name={icon} />
      <span>
        {title && <b>{title}</b>}
        {children}
      </span>
      {action && <span className="push">{action}</span>}
    </div>
  )
}

import type { ReactNode } from 'react'
import type { IconName } from '#components/icons/icon.tsx'
import { ScanIcon } from '#components/scans/scan-icon.tsx'

/**
 * A page for finders that says one thing, with what belongs to it, and offers one way on if there is any.
 * `foot` stands below.
 */
export function ScanNotice(notice: {
  icon: IconName
  title: string
  text: string
  action?: { href: string; label: string; main: boolean } | undefined
  children?: ReactNode
  foot?: ReactNode
}) {
  const { icon, title, text, action, children, foot } = notice
  return (
    <main className="center">
      <div className="sheet">
        <ScanIcon name={icon} big />
        <h1>{title}</h1>
        <p>{text}</p>
        {children}
        {action && (
          <a className={action.main ? 'b call' : 'b'} href={action.href}>
            {action.label}
          </a>
        )}
      </div>
      {foot && <footer className="foot">{foot}</footer>}
    </main>
  )
}

import type { ReactNode } from 'react'
import type { IconName } from '#components/icons/icon.tsx'
import { ScanIcon } from '#components/scans/scan-icon.tsx'

/** A page for finders with one message and its details, and a link if there is a next step. `foot` stands below. */
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

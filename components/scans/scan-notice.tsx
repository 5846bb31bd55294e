import type { IconName } from '#components/icons/icon.tsx'
import { ScanIcon } from '#components/scans/scan-icon.tsx'

/** A page for finders that says one thing, and offers one way on if there is any. */
export function ScanNotice(notice: {
  icon: IconName
  title: string
  text: string
  action?: { href: string; label: string; main: boolean }
}) {
  const { icon, title, text, action } = notice
  return (
    <main className="center">
      <div className="sheet">
        <ScanIcon name={icon} big />
        <h1>{title}</h1>
        <p>{text}</p>
        {action && (
          <a className={action.main ? 'b call' : 'b'} href={action.href}>
            {action.label}
          </a>
        )}
      </div>
    </main>
  )
}

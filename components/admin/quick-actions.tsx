import { Icon, type IconName } from '#components/icons/icon.tsx'
import { adminHref } from '#domain/admin/admin.ts'

const QUICK_ACTIONS: { label: string; icon: IconName; href: string }[] = [
  { label: 'Manage Users', icon: 'users', href: adminHref('users') },
  { label: 'Create Promo Code', icon: 'ticket', href: adminHref('promo-codes', { create: '1' }) },
  { label: 'View Analytics', icon: 'chart', href: adminHref('analytics') },
]

/** The most frequent acts of a super admin. */
export function QuickActions() {
  return (
    <section className="card">
      <h2 className="text-lg">Quick Actions</h2>
      <div className="stack gap-2">
        {QUICK_ACTIONS.map(({ label, icon, href }) => (
          <a key={label} className="btn btn-block" href={href}>
            <Icon name={icon} />
            {label}
          </a>
        ))}
        <a
          className="btn btn-block"
          href="/api/admin/qr-codes/export/csv"
          download
          data-action="export-codes"
          data-script="exports"
        >
          <Icon name="download" />
          <span>Export Data</span>
        </a>
      </div>
    </section>
  )
}

import { Icon, type IconName } from '#components/icons/icon.tsx'
import { type AdminTab, adminHref } from '#domain/admin/admin.ts'
import { onOffer } from '#domain/plans/offer.ts'

const QUICK_ACTIONS: { id: AdminTab; label: string; icon: IconName; href: string }[] = [
  { id: 'users', label: 'Manage Users', icon: 'users', href: adminHref('users') },
  {
    id: 'promo-codes',
    label: 'Create Promo Code',
    icon: 'ticket',
    href: adminHref('promo-codes', { create: '1' }),
  },
  { id: 'analytics', label: 'View Analytics', icon: 'chart', href: adminHref('analytics') },
]

/** The most frequent acts of a super admin. */
export function QuickActions() {
  return (
    <section className="sheet stack gap-3" aria-labelledby="quick">
      <h2 className="text-lg" id="quick">
        Quick Actions
      </h2>
      <ul className="rows">
        {onOffer(QUICK_ACTIONS).map(({ label, icon, href }) => (
          <li key={label} className="to">
            <a href={href}>
              <Icon name={icon} />
              {label}
              <Icon name="next" />
            </a>
          </li>
        ))}
        <li className="to">
          <a
            href="/api/admin/qr-codes/export/csv"
            download
            data-action="export-codes"
            data-script="exports"
          >
            <Icon name="download" />
            <span>Export Data</span>
            <Icon name="next" />
          </a>
        </li>
      </ul>
    </section>
  )
}

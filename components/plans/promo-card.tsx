import { ActiveBadge, Badge } from '#components/ui/badge.tsx'
import { Facts } from '#components/ui/facts.tsx'
import { managementAction } from '#domain/admin/management.ts'
import { formatCount } from '#domain/number.ts'

export type PromoCardView = {
  id: string
  code: string
  description: string | null
  child_qr_quantity: number
  used_count: number
  max_uses: number
  usage_percentage: number
  /** the date as it is shown */
  expiry: string
  is_active: boolean
  is_expired: boolean
}

/** The one state of a promo code: one that has expired is not active any more, however it is switched. */
export function PromoBadge({ is_active, is_expired }: { is_active: boolean; is_expired: boolean }) {
  if (!is_expired) return <ActiveBadge active={is_active} />
  return (
    <Badge tone="stop" dot="full">
      Expired
    </Badge>
  )
}

/** Returns the uses of a promo code, such as `412/1,000`. */
export function usesText({ used_count, max_uses }: { used_count: number; max_uses: number }) {
  return `${formatCount(used_count)}/${formatCount(max_uses)}`
}

/** A promo code on the admin management page. */
export function PromoCard({ view }: { view: PromoCardView }) {
  const { id, code, description, used_count, max_uses, is_active } = view
  const used = `${usesText(view)} · ${view.usage_percentage.toFixed(1)}%`
  return (
    <article className="card" aria-label={code}>
      <div className="row">
        <h3 className="text-lg any-break" id={`promo-${id}`} tabIndex={-1}>
          <code>{code}</code>
        </h3>
        <span className="push">
          <PromoBadge {...view} />
        </span>
      </div>
      {description && <p className="small soft any-break">{description}</p>}
      <Facts
        facts={[
          { label: 'Child QR slots', value: formatCount(view.child_qr_quantity) },
          { label: 'Used', value: used },
          { label: 'Expiry', value: view.expiry },
        ]}
      />
      <progress max={max_uses} value={used_count} aria-label={`Used of ${code}`} />
      <div className="row">
        <form
          method="post"
          action={managementAction('promo-codes', `/${id}/toggle`)}
          data-enhance
          data-failed="Failed to toggle promo code status"
        >
          <input type="hidden" name="is_active" value={String(!is_active)} />
          <button className="btn btn-sm" type="submit">
            {is_active ? 'Deactivate' : 'Activate'}
            <span className="vh">{` ${code}`}</span>
          </button>
        </form>
      </div>
    </article>
  )
}

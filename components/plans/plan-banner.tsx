import { PlanBadge, type PlanId } from '#components/ui/badge.tsx'
import { upgradeHref } from '#domain/dashboard.ts'

export type PlanBannerView = {
  subscription_plan: PlanId
  qr_count: number
  /** -1 means unlimited */
  qr_limit: number
  /** how many child codes are left to create */
  child_qr_quota: number
}

export function PlanBanner({ view }: { view: PlanBannerView }) {
  const { subscription_plan, qr_count, qr_limit, child_qr_quota } = view
  return (
    <section className="sheet plan" aria-label="Plan">
      <PlanBadge plan={subscription_plan} />
      <span className="plan-counts">
        <span>
          <b className="num">{qr_count}</b>
          {' of '}
          <Limit limit={qr_limit} />
          {' QR codes'}
        </span>
        {child_qr_quota > 0 && (
          <span>
            <b className="num">{child_qr_quota}</b>
            {' child QRs left'}
          </span>
        )}
      </span>
      {subscription_plan === 'free' && (
        <a className="btn btn-sm" href={upgradeHref()} data-dialog="upgrade">
          Upgrade
        </a>
      )}
      {qr_limit >= 0 && <progress max={qr_limit} value={qr_count} aria-label="QR codes used" />}
    </section>
  )
}

/** A limit of -1 is infinity to the eye and "unlimited" to the ear. */
export function Limit({ limit }: { limit: number }) {
  if (limit >= 0) return <span className="num">{limit}</span>
  return (
    <span role="img" aria-label="unlimited">
      ∞
    </span>
  )
}

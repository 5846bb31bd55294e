import { Icon } from '#components/icons/icon.tsx'
import { PlanBadge } from '#components/ui/badge.tsx'
import { Note } from '#components/ui/note.tsx'
import { renewHref, upgradeHref } from '#domain/dashboard.ts'
import { formatCount } from '#domain/number.ts'
import { type PaidPlan, PLANS, type PlanId } from '#domain/plans/plan.ts'

export type PlanBannerView = {
  subscription_plan: PlanId
  /** those that count against the limit; without one those of the list */
  qr_count: number
  /** -1 means unlimited */
  qr_limit: number
  /** how many child codes are left to create */
  child_qr_quota: number
  /** the day on which the plan ends, as it is shown */
  until?: string | undefined
  /** the plan that ended, until it is renewed, and how many codes of any kind the account has */
  ended?: { plan: PaidPlan; on: string; codes: number } | undefined
}

export function PlanBanner({ view }: { view: PlanBannerView }) {
  const { subscription_plan, qr_count, qr_limit, until, ended } = view
  if (ended) return <PlanOver ended={ended} />
  return (
    <section className="sheet plan" aria-label="Plan">
      <span className="row gap-2">
        <PlanBadge plan={subscription_plan} />
        {until && <span className="small soft">{`until ${until}`}</span>}
      </span>
      <PlanCounts view={view} />
      {subscription_plan === 'free' && (
        <a className="btn btn-sm" href={upgradeHref()} data-dialog="upgrade">
          Upgrade
        </a>
      )}
      {qr_limit >= 0 && <progress max={qr_limit} value={qr_count} aria-label="QR codes used" />}
    </section>
  )
}

type Ended = NonNullable<PlanBannerView['ended']>

/** Says that a plan ended, what that means, and leads to its renewal. */
function PlanOver({ ended: { plan, on, codes } }: { ended: Ended }) {
  const all = codes === 1 ? 'Your code stays' : `All ${formatCount(codes)} codes stay`
  const kept = codes > 0 ? `${all} reachable and nothing is deleted.` : 'Nothing is deleted.'
  return (
    <section className="sheet stack gap-3" aria-label="Plan">
      <Note tone="warn" icon="clock" title={`${PLANS[plan].name} ended on ${on}.`}>
        {` ${kept} What the plan gave waits for you.`}
      </Note>
      <div className="row">
        <a className="btn btn-main" href={renewHref(plan)} data-dialog="upgrade">
          <Icon name="crown" />
          Renew
        </a>
      </div>
    </section>
  )
}

type PlanCounted = Pick<PlanBannerView, 'qr_count' | 'qr_limit' | 'child_qr_quota'>

/** The number of codes, their limit where there is one, and the number that may still be made. */
export function PlanCounts({ view }: { view: PlanCounted }) {
  const { qr_count, qr_limit, child_qr_quota } = view
  const noun = qr_count === 1 ? 'QR code' : 'QR codes'
  return (
    <span className="plan-counts">
      <span>
        <b className="num">{formatCount(qr_count)}</b>
        {qr_limit < 0 ? ` ${noun}` : ` of ${formatCount(qr_limit)} QR codes`}
      </span>
      {child_qr_quota > 0 && (
        <span>
          <b className="num">{formatCount(child_qr_quota)}</b>
          {` ${child_qr_quota === 1 ? 'child QR' : 'child QRs'} left`}
        </span>
      )}
    </span>
  )
}

import { Icon } from '#components/icons/icon.tsx'
import { PlanBadge } from '#components/ui/badge.tsx'
import { Note } from '#components/ui/note.tsx'
import { renewHref, upgradeHref } from '#domain/dashboard.ts'
import { formatCount } from '#domain/number.ts'
import { hasPlans } from '#domain/plans/offer.ts'
import { type PaidPlan, PLANS, type PlanId } from '#domain/plans/plan.ts'

export type PlanWordsView = {
  subscription_plan: PlanId
  /** those that count against the limit; without one those of the list */
  qr_count: number
  /** -1 means unlimited */
  qr_limit: number
  /** the day on which the plan ends, as it is shown */
  until?: string | undefined
  /** the plan that ended, until it is renewed, and how many codes of any kind the account has */
  ended?: { plan: PaidPlan; on: string; codes: number } | undefined
}

/** The plan in one line: its name, how many codes of how many, and its end. */
export function PlanWords({ view }: { view: PlanWordsView }) {
  const { subscription_plan, until } = view
  if (!hasPlans()) return <JustCount view={view} />
  return (
    <section className="plan-words" aria-label="Plan">
      <PlanBadge plan={subscription_plan} />
      <CodeCount view={view} />
      {until && <span>{`Until ${until}`}</span>}
      {subscription_plan === 'free' && (
        <a href={upgradeHref()} data-dialog="upgrade">
          Upgrade
        </a>
      )}
    </section>
  )
}

/** Without plans the number of codes, once there are some. */
function JustCount({ view }: { view: Counted }) {
  return view.qr_count > 0 ? (
    <p className="plan-words">
      <CodeCount view={view} />
    </p>
  ) : null
}

type Counted = Pick<PlanWordsView, 'qr_count' | 'qr_limit'>

function CodeCount({ view: { qr_count, qr_limit } }: { view: Counted }) {
  const noun = qr_count === 1 ? 'QR code' : 'QR codes'
  return (
    <span>
      <b className="num">{formatCount(qr_count)}</b>
      {qr_limit < 0 ? ` ${noun}` : ` of ${formatCount(qr_limit)} QR codes`}
    </span>
  )
}

type Ended = NonNullable<PlanWordsView['ended']>

/** Says that a plan ended, what that means, and leads to its renewal. */
export function PlanOver({ ended: { plan, on, codes } }: { ended: Ended }) {
  const all = codes === 1 ? 'Your code stays' : `All ${formatCount(codes)} codes stay`
  const kept = codes > 0 ? `${all} reachable and nothing is deleted.` : 'Nothing is deleted.'
  return (
    <section className="sheet stack gap-3" aria-label="Plan">
      <Note tone="warn" icon="clock" title={`${PLANS[plan].name} ended on ${on}.`}>
        {` ${kept} Renew, and all is back.`}
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

/** The number of codes, their limit where there is one, and the number of child codes that may still be made. */
export function PlanCounts({ view }: { view: Counted & { child_qr_quota: number } }) {
  const { child_qr_quota } = view
  return (
    <span className="row small">
      <CodeCount view={view} />
      {child_qr_quota > 0 && (
        <span>
          <b className="num">{formatCount(child_qr_quota)}</b>
          {` ${child_qr_quota === 1 ? 'child QR' : 'child QRs'} left`}
        </span>
      )}
    </span>
  )
}

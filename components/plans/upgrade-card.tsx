import { DecideLinks } from '#components/admin/decide-links.tsx'
import { UserCell } from '#components/admin/user-table.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { PlanBadge, StatusBadge } from '#components/ui/badge.tsx'
import { Facts } from '#components/ui/facts.tsx'
import { managementHref } from '#domain/admin/management.ts'
import { type DecisionStatus, OWN_REQUEST } from '#domain/decision.ts'
import { formatRupees } from '#domain/number.ts'
import type { PaidPlan, PlanId } from '#domain/plans/plan.ts'
import { monthsText } from '#domain/plans/term.ts'
import { needsSeenPayment } from '#domain/plans/upgrade.ts'

const UPGRADE_GONE = 'Upgrade request not found'

export type UpgradeCardView = {
  id: string
  name: string
  contact: string
  status: DecisionStatus
  /** true for a request of the reading admin, who may not decide it */
  is_own: boolean
  current_plan: PlanId
  requested_plan: PaidPlan
  /** asked for, then approved; null without end */
  months: number | null
  /** in whole rupees, for all months */
  amount: number
  payment_method: string | null
  payment_reference: string | null
  /** the date as it is shown */
  requested: string
  notes: string | null
  /** the decision, if it was made while the list was open */
  outcome: string | null
}

/** The requesting account, and the outcome. */
export function UpgradeUser({
  view,
}: {
  view: Pick<UpgradeCardView, 'name' | 'contact' | 'status'>
}) {
  return (
    <div className="row">
      <UserCell name={view.name} contact={view.contact} />
      <span className="push">
        <StatusBadge status={view.status} />
      </span>
    </div>
  )
}

export function PlanChange({ from, to }: { from: PlanId; to: PaidPlan }) {
  return (
    <span className="row gap-2">
      <PlanBadge plan={from} />
      <Icon name="next" />
      <span className="vh">to</span>
      <PlanBadge plan={to} />
    </span>
  )
}

/** An account's request for a paid plan. */
export function UpgradeCard({ view }: { view: UpgradeCardView }) {
  const { id, name, status, is_own, outcome } = view
  const isUnnamed = status === 'pending' && needsSeenPayment(view)
  const facts = [
    { label: 'Months', value: monthsText(view.months) },
    { label: 'Amount', value: formatRupees(view.amount) },
    { label: 'Method', value: view.payment_method },
    isUnnamed
      ? { label: 'Reference', value: 'none given' }
      : { label: 'Reference', value: view.payment_reference, ltr: true },
    { label: 'Requested', value: view.requested },
    { label: 'Notes', value: view.notes },
  ]
  return (
    <article
      className={outcome && status === 'approved' ? 'card decided' : 'card'}
      aria-label={`${name}, ${status}`}
      id={`request-${id}`}
      tabIndex={-1}
    >
      <UpgradeUser view={view} />
      <PlanChange from={view.current_plan} to={view.requested_plan} />
      <Facts facts={facts.filter(({ value }) => value)} />
      {outcome && <p className="small">{`${outcome} It stays here until you leave the page.`}</p>}
      <div className="row gap-2">
        {status === 'pending' && (is_own ? <OwnRequest /> : <Decide view={view} />)}
        <a
          className="btn btn-sm btn-quiet push"
          href={managementHref('upgrade-requests', { request: id })}
          data-dialog="request"
          data-gone={UPGRADE_GONE}
        >
          Details
          <span className="vh">{` of ${name}`}</span>
        </a>
      </div>
    </article>
  )
}

/** Shown instead of the buttons where another admin has to decide. */
export function OwnRequest() {
  return <p className="small soft">{OWN_REQUEST}</p>
}

function Decide({ view: { id, name } }: { view: UpgradeCardView }) {
  return (
    <DecideLinks
      hrefOf={(action) => managementHref('upgrade-requests', { [action]: id })}
      about={`request of ${name}`}
      gone={UPGRADE_GONE}
    />
  )
}

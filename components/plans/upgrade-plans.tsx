import { Badge } from '#components/ui/badge.tsx'
import { formatRupees } from '#domain/number.ts'
import type { PaidPlan, PlanView } from '#domain/plans/plan.ts'

/** A plan that can be had, and what it costs this account with its promo codes. */
export type PlanOffer = PlanView & { id: PaidPlan; amount: number }

const MARKS = {
  premium: <Badge tone="premium">Recommended</Badge>,
  enterprise: <Badge tone="enterprise">Unlimited</Badge>,
}

/** The plans to choose from, as radios named `requested_plan`. */
export function UpgradePlans({ offers, chosen }: { offers: PlanOffer[]; chosen: PaidPlan }) {
  return (
    <fieldset className="fields-2">
      <legend className="vh">Plan</legend>
      {offers.map((offer) => (
        <label key={offer.id} className="card choice">
          <span className="row">
            <input
              type="radio"
              name="requested_plan"
              value={offer.id}
              defaultChecked={offer.id === chosen}
            />
            <b>{offer.name}</b>
            {MARKS[offer.id]}
          </span>
          <span>
            <b className="text-xl num">{formatRupees(offer.amount)}</b>
            <span className="soft"> per month</span>
            {offer.amount < offer.price && (
              <span className="small soft block">
                {`${formatRupees(offer.price)} without your promo code`}
              </span>
            )}
          </span>
          <span className="small soft">{offer.features.join(', ')}</span>
        </label>
      ))}
    </fieldset>
  )
}

import { SelectField } from '#components/forms/field.tsx'
import { FeatureLinks } from '#components/plans/feature-links.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { formatRupees } from '#domain/number.ts'
import type { PaidPlan, PlanView } from '#domain/plans/plan.ts'
import { MOST_MONTHS, monthsText } from '#domain/plans/term.ts'

/** A plan on offer, and its price a month for this account with its promo codes. */
export type PlanOffer = PlanView & {
  id: PaidPlan
  amount: number
  /** the effect on the plan that the account has now */
  effect?: string | undefined
}

const EACH_NUMBER = Array.from({ length: MOST_MONTHS }, (_, i) => i + 1)

const MARKS = {
  premium: <Badge tone="premium">Recommended</Badge>,
  enterprise: <Badge tone="enterprise">Unlimited</Badge>,
}

type Props = { offers: PlanOffer[]; chosen: PaidPlan; months: number }

/** The plans to choose from, as radios named `requested_plan`, and for how many months. */
export function UpgradePlans({ offers, chosen, months }: Props) {
  return (
    <>
      <fieldset className="fields-2">
        <legend className="vh">Plan</legend>
        {offers.map((offer) => (
          <Offer key={offer.id} offer={offer} isChosen={offer.id === chosen} />
        ))}
      </fieldset>
      <SelectField
        label="Months"
        hint="You pay the price of a month for each"
        name="months"
        defaultValue={String(months)}
      >
        {EACH_NUMBER.map((count) => (
          <option key={count} value={count}>
            {monthsText(count)}
          </option>
        ))}
      </SelectField>
    </>
  )
}

function Offer({ offer, isChosen }: { offer: PlanOffer; isChosen: boolean }) {
  return (
    <label className="card choice">
      <span className="row">
        <input type="radio" name="requested_plan" value={offer.id} defaultChecked={isChosen} />
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
      {offer.effect && <span className="small">{offer.effect}</span>}
      <span className="small soft">
        <FeatureLinks plan={offer.id} />
      </span>
    </label>
  )
}

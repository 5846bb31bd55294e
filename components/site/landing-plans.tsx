import { Icon } from '#components/icons/icon.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { formatRupees } from '#domain/number.ts'

export type PlanOffer = {
  id: string
  name: string
  /** whole rupees a month */
  price: number
  /** -1 means unlimited */
  qr_limit: number
  child_qr_limit: number
  features: string[]
}

export function LandingPlans({ plans }: { plans: PlanOffer[] }) {
  return (
    <section className="band" id="pricing">
      <div className="wrap stack gap-6">
        <h2>Plans</h2>
        <div className="prices">
          {plans.map((plan) => (
            <PriceCard key={plan.id} plan={plan} />
          ))}
        </div>
      </div>
    </section>
  )
}

function PriceCard({ plan }: { plan: PlanOffer }) {
  const { id, name, price, features } = plan
  return (
    <article className="card price">
      <div className="row">
        <h3>{name}</h3>
        {id === 'premium' && <Badge tone="premium">Recommended</Badge>}
      </div>
      <p>
        <b className="text-xl num">{formatRupees(price)}</b>
        <span className="soft"> per month</span>
      </p>
      <ul className="small">
        {features.map((feature) => (
          <li key={feature}>
            <Icon name="check" />
            {feature}
          </li>
        ))}
      </ul>
      <a className="btn" href="/login">
        {`Choose ${name}`}
      </a>
    </article>
  )
}

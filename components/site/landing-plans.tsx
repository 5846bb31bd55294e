import { Icon } from '#components/icons/icon.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { formatRupees } from '#domain/number.ts'
import { PLANS, type PlanView } from '#domain/plans/plan.ts'

export type PlanOffer = PlanView

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
  const { id, name, price } = plan
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
        {PLANS[id].links.map(({ text, href }) => (
          <li key={text}>
            <Icon name="check" />
            <a href={href}>{text}</a>
          </li>
        ))}
      </ul>
      <a className="btn" href="/login">
        {`Choose ${name}`}
      </a>
    </article>
  )
}

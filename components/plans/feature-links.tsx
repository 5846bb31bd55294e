import { Fragment } from 'react'
import { PLANS, type PlanId } from '#domain/plans/plan.ts'

/** The features of a plan in a line, each with a link to the thing itself. */
export function FeatureLinks({ plan }: { plan: PlanId }) {
  return PLANS[plan].links.map(({ text, href }, n) => (
    <Fragment key={text}>
      {n > 0 && ', '}
      <a href={href}>{text}</a>
    </Fragment>
  ))
}

import { type PaidPlan, PLANS, type PlanId } from '#domain/plans/plan.ts'
import { formatDate } from '#domain/time.ts'
import { asAlert, type WrittenAlert } from '#mail/alerts.ts'
import { writeLetter } from '#mail/letter.ts'

type Origin = { site: string; timezone: string; publicUrl: string }
type Ending = {
  plan: PaidPlan
  endsAt: string
  hasEnded: boolean
  /** what the account has then */
  after: PlanId
  renewUrl: string
}

/** Writes the alert that a plan ends soon, or has ended. */
export function planEndAlert(
  { plan, endsAt, hasEnded, after, renewUrl }: Ending,
  { site, timezone }: Origin,
): WrittenAlert {
  const { name } = PLANS[plan]
  const day = formatDate(endsAt, timezone)
  const becomes =
    after === 'free'
      ? 'your account is free again'
      : `your account has the ${PLANS[after].name} plan`
  const letter = writeLetter({
    subject: hasEnded ? `Your ${name} plan ended on ${day}` : `Your ${name} plan ends on ${day}`,
    site,
    reason: hasEnded
      ? `Your ${name} plan ended on ${day}: ${becomes}.`
      : `Your ${name} plan ends on ${day}. After that ${becomes}.`,
    parts: [
      'Nothing is deleted, finders reach you as before, and child users keep their codes. Renew, and the rest is back.',
      ...(hasEnded ? [] : ['If you renew it now, the new months are added to its end.']),
      { label: `Renew ${name}`, url: renewUrl },
    ],
  })
  return asAlert(letter, { event: 'plan', url: renewUrl })
}

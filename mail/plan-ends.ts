import { type PaidPlan, PLANS } from '#domain/plans/plan.ts'
import { formatDate } from '#domain/time.ts'
import { asAlert, type WrittenAlert } from '#mail/alerts.ts'
import { writeLetter } from '#mail/letter.ts'

type Origin = { site: string; timezone: string; publicUrl: string }
type Ending = { plan: PaidPlan; endsAt: string; hasEnded: boolean; renewUrl: string }

/** That a plan ends soon, or has ended. */
export function planEndAlert(
  { plan, endsAt, hasEnded, renewUrl }: Ending,
  { site, timezone }: Origin,
): WrittenAlert {
  const { name } = PLANS[plan]
  const day = formatDate(endsAt, timezone)
  const letter = writeLetter({
    subject: hasEnded ? `Your ${name} plan ended on ${day}` : `Your ${name} plan ends on ${day}`,
    site,
    reason: hasEnded
      ? `Your ${name} plan ended on ${day}: your account is free again.`
      : `Your ${name} plan ends on ${day}. After that your account is free again.`,
    parts: [
      'Nothing is deleted, every code stays reachable for finders, and child users keep theirs. What the plan gives sleeps until you renew it.',
      ...(hasEnded ? [] : ['If you renew it now, the new months are added to its end.']),
      { label: `Renew ${name}`, url: renewUrl },
    ],
  })
  return asAlert(letter, { event: 'plan', url: renewUrl })
}

import type { ReactNode } from 'react'
import { roleLabel, roleNow } from '#domain/accounts/roles.ts'
import type { DecisionStatus } from '#domain/decision.ts'
import { hasPlans } from '#domain/plans/offer.ts'
import type { PlanId } from '#domain/plans/plan.ts'

export type BadgeTone = 'go' | 'stop' | 'warn' | 'premium' | 'enterprise' | 'whose' | 'lost'

/** A word on a pill. `dot` marks a state that can change; a hollow one means off. A `long` one wraps. */
export function Badge({
  tone,
  dot,
  long,
  children,
}: {
  tone?: BadgeTone
  dot?: 'full' | 'hollow'
  long?: boolean
  children: ReactNode
}) {
  const classes = ['badge']
  if (tone) classes.push(`badge-${tone}`)
  if (!dot) classes.push('badge-plain')
  if (dot === 'hollow') classes.push('badge-off')
  if (long) classes.push('badge-long')
  return <span className={classes.join(' ')}>{children}</span>
}

export function ActiveBadge({ active }: { active: boolean }) {
  return active ? (
    <Badge tone="go" dot="full">
      Active
    </Badge>
  ) : (
    <Badge dot="hollow">Inactive</Badge>
  )
}

export function VisibilityBadge({ isPublic }: { isPublic: boolean }) {
  return isPublic ? (
    <Badge tone="go" dot="full">
      Public
    </Badge>
  ) : (
    <Badge>Private</Badge>
  )
}

/** Closed to its own account until a reset of the password is confirmed. */
export function LockedBadge() {
  return (
    <Badge tone="warn" dot="full">
      Locked
    </Badge>
  )
}

export function PlanBadge({ plan }: { plan: PlanId }) {
  if (!hasPlans()) return null
  if (plan === 'premium') return <Badge tone="premium">Premium</Badge>
  if (plan === 'enterprise') return <Badge tone="enterprise">Enterprise</Badge>
  return <Badge>Free</Badge>
}

const ROLE_TONES: Record<string, BadgeTone> = {
  premium: 'premium',
  moderator: 'enterprise',
  admin: 'warn',
  super_admin: 'premium',
}

export function RoleBadge({ role }: { role: string }) {
  const tone = ROLE_TONES[roleNow(role)]
  return <Badge {...(tone && { tone })}>{roleLabel(role)}</Badge>
}

const DECISIONS = {
  pending: { tone: 'warn', word: 'Pending' },
  approved: { tone: 'go', word: 'Approved' },
  rejected: { tone: 'stop', word: 'Rejected' },
} as const

export function StatusBadge({ status }: { status: DecisionStatus }) {
  const { tone, word } = DECISIONS[status]
  return (
    <Badge tone={tone} dot="full">
      {word}
    </Badge>
  )
}

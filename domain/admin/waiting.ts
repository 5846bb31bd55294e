import { isAdmin, isOfStaff } from '#domain/accounts/roles.ts'
import { formatWait } from '#domain/ago.ts'
import { onOffer } from '#domain/plans/offer.ts'
import { HOUR } from '#domain/rate-limits.ts'

/** The kinds of work that wait for the staff. */
export const WAITING_KINDS = ['report', 'ticket', 'upgrade', 'redemption'] as const
export type WaitingKind = (typeof WAITING_KINDS)[number]

/** The most lines of the list. */
export const WAITING_SHOWN = 20

/** Upgrades are promised within so many hours; the operator sets those of tickets. */
const PROMISED_HOURS = 24

/** Returns the kinds of work that a role may do. */
export function waitingKindsOf(role: string): readonly WaitingKind[] {
  if (isAdmin(role)) return onOffer(WAITING_KINDS)
  return isOfStaff(role) ? ['report'] : []
}

type Work = { kind: WaitingKind; since: string }

/** Returns how long work has waited, or is late, as it is shown: `9 h`, `3 h late`, `2 days late`. */
export function describeWait(
  { kind, since }: Work,
  ticketHours: number,
  now: Date,
): { text: string; isLate: boolean } {
  const hours = kind === 'ticket' ? ticketHours : PROMISED_HOURS
  const due = new Date(Date.parse(since) + hours * HOUR * 1000)
  if (now <= due) return { text: formatWait(since, now), isLate: false }
  return { text: `${formatWait(due.toISOString(), now)} late`, isLate: true }
}

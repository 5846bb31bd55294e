import { isAdmin, isOfStaff } from '#domain/accounts/roles.ts'
import { formatWait } from '#domain/ago.ts'
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
  if (isAdmin(role)) return WAITING_KINDS
  return isOfStaff(role) ? ['report'] : []
}

type Work = { kind: WaitingKind; since: string }

/** Returns how long work has waited, as it is shown, and whether that is too long: `26 h of 24`, `3 days`. */
export function describeWait(
  { kind, since }: Work,
  ticketHours: number,
  now: Date,
): { text: string; isLate: boolean } {
  const hours = kind === 'ticket' ? ticketHours : PROMISED_HOURS
  const waited = now.getTime() - Date.parse(since)
  const isLate = waited > hours * HOUR * 1000
  const text = formatWait(since, now)
  return {
    text: isLate && kind === 'ticket' && text.endsWith(' h') ? `${text} of ${hours}` : text,
    isLate,
  }
}

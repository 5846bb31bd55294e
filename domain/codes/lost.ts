import type { PlanId } from '#domain/plans/plan.ts'

/** The day since which a code is lost, and the owner's words at the top of its page. */
export type Lost = { since: string; note: string | null; reward: string | null }

export const LOST_LENGTHS = { note: 200, reward: 60 } as const

export type LostColumns = {
  lost_since: string | null
  lost_note: string | null
  lost_reward: string | null
}

export function lostOf({ lost_since, lost_note, lost_reward }: LostColumns): Lost | null {
  return lost_since === null ? null : { since: lost_since, note: lost_note, reward: lost_reward }
}

/** Returns whether one of the plans, of the account and of the owner of its code, has Loss & Found. */
export function canMarkLost(plans: readonly PlanId[]): boolean {
  return plans.some((plan) => plan !== 'free')
}

import { DomainError } from '#domain/error.ts'

/** After how many minutes without anybody having opened a message the next person hears of it. */
export const STEP_MINUTES = [5, 15, 30, 60] as const
export type StepMinutes = (typeof STEP_MINUTES)[number]
export const LONGEST_STEP_MINUTES = 60

/** Returns the minutes that a form names, or null for off. Throws invalid for any others. */
export function readStepMinutes(typed: string | undefined): StepMinutes | null {
  const minutes = STEP_MINUTES.find((each) => String(each) === typed)
  if (minutes === undefined && typed !== 'off') throw new DomainError('invalid.escalation_minutes')
  return minutes ?? null
}

type Move = { id: string; by: -1 | 1 }

/** Returns an order in which one person stands a place earlier or later. */
export function moved(order: readonly string[], { id, by }: Move): string[] {
  const from = order.indexOf(id)
  const to = from + by
  if (from < 0 || to < 0 || to >= order.length) return [...order]
  const rest = order.filter((each) => each !== id)
  return [...rest.slice(0, to), id, ...rest.slice(to)]
}

type Placed = { is_at_once: boolean }

/** Returns after how many minutes each person of an order is told; 0 at once. The owner is told before them. */
export function turnsOf(people: readonly Placed[], minutes: StepMinutes | null): number[] {
  let turn = 0
  return people.map(({ is_at_once }) => (minutes === null || is_at_once ? 0 : minutes * ++turn))
}

import { DomainError } from '#domain/error.ts'
import { hasApiAccess, type PlanId } from '#domain/plans/plan.ts'
import { cleanLine, LENGTHS, lengthProblem } from '#domain/text.ts'
import type { Refusal } from '#locales/refusal.ts'

/** Lets people and secret scanners recognise a leaked key. */
export const KEY_PREFIX = 'dqk_'
export const MOST_KEYS = 20
export const NO_API_ACCESS = 'API access is available on the Enterprise plan'

/** Throws forbidden for a plan without API access. */
export function assertApiAccess({ subscription_plan }: { subscription_plan: PlanId }): void {
  if (!hasApiAccess(subscription_plan)) throw new DomainError('forbidden.api_access')
}

/** Returns why a key cannot have this name. */
export function keyNameProblem(typed: string | null | undefined): Refusal | undefined {
  const name = cleanLine(typed)
  return name ? lengthProblem('Name', name, LENGTHS.name) : 'invalid.key_name_missing'
}

import { assertNotHeld } from '#domain/codes/claim.ts'
import { DomainError } from '#domain/error.ts'
import { registrationState } from '#domain/scans/scan.ts'

type Stopped = { stopped_by_report: string | null }
type Holdable = { hold_until: string | null }

/** For how many days a moderator holds a reported code. */
export const HOLD_DAYS = 7
type Code = Parameters<typeof assertNotHeld>[0] &
  Parameters<typeof registrationState>[0] &
  Stopped &
  Holdable

/** Throws conflict for a code that a moderator switched off. */
export function assertNotStopped({ stopped_by_report }: Stopped): void {
  if (!stopped_by_report) return
  throw new DomainError('conflict.code_stopped')
}

/** Throws conflict while a moderator looks at a code: it changes neither its owner nor its id. */
export function assertNotLookedAt({ hold_until }: Holdable, now: Date): void {
  if (!hold_until || Date.parse(hold_until) <= now.getTime()) return
  throw new DomainError('conflict.code_on_hold')
}

/**
 * Throws conflict for a code without a page, for one that is held by a claimer, and for one that a
 * moderator switched off or holds, whose report names it by its id.
 */
export function assertMayReplace(code: Code, now: Date): void {
  assertNotHeld(code)
  if (registrationState(code) !== 'contact') throw new DomainError('conflict.nobody_has_code')
  assertNotStopped(code)
  assertNotLookedAt(code, now)
}

import { assertNotHeld } from '#domain/codes/claim.ts'
import { DomainError } from '#domain/error.ts'
import { registrationState } from '#domain/scans/scan.ts'

type Stopped = { stopped_by_report: string | null }
type Code = Parameters<typeof assertNotHeld>[0] & Parameters<typeof registrationState>[0] & Stopped

/** Throws conflict for a code that a moderator switched off. */
export function assertNotStopped({ stopped_by_report }: Stopped): void {
  if (!stopped_by_report) return
  throw new DomainError('conflict.code_stopped')
}

/**
 * Throws conflict for a code without a page, for one that is held by a claimer, and for one that a
 * moderator switched off, whose report names it by its id.
 */
export function assertMayReplace(code: Code): void {
  assertNotHeld(code)
  if (registrationState(code) !== 'contact') throw new DomainError('conflict.nobody_has_code')
  assertNotStopped(code)
}

import { isEmail } from '#domain/accounts/contact.ts'
import { assertNotHeld } from '#domain/codes/claim.ts'
import { normalizeRegistration, type QrColumn } from '#domain/codes/qr.ts'
import { parseQrId } from '#domain/codes/qr-id.ts'
import { assertNotLookedAt, assertNotStopped } from '#domain/codes/replacement.ts'
import { DomainError } from '#domain/error.ts'
import type { Refusal } from '#locales/refusal.ts'

export const TRANSFER_HOURS = 72

export const TRANSFER_TEXTS = {
  started: 'Transfer started. The new owner gets a mail.',
  cancelled: 'Transfer cancelled',
  accepted: 'The vehicle is yours now.',
  declined: 'Transfer declined',
} as const

/** The fields of the vehicle. All other fields of a code belong to its old owner alone. */
export const MOVING_FIELDS = [
  'vehicle_registration',
  'vehicle_make_model',
  'company_fleet_name',
  'insurance_expiry_date',
  'next_service_due',
] as const satisfies QrColumn[]

/** The recipient of a code. */
export type TransferInput = { email: string; include_documents: boolean }

/** Returns the problem of a transfer's input. */
export function transferProblem({ email }: TransferInput): Refusal | undefined {
  return isEmail(email) ? undefined : 'invalid.email'
}

type Confirmed = { qr_id: string; vehicle_registration: string | null }

/** Throws invalid unless the number plate or the code itself was typed, in any spacing. */
export function assertConfirmed(typed: string, code: Confirmed): void {
  const plate = normalizeRegistration(typed)
  if (plate && plate === code.vehicle_registration) return
  if (parseQrId(typed) === code.qr_id) return
  throw new DomainError(
    code.vehicle_registration ? 'invalid.plate_unconfirmed' : 'invalid.code_unconfirmed',
  )
}

type Flag = boolean | number
type Transferable = {
  qr_type: string
  is_claimed: Flag
  claimed_at: string | null
  stopped_by_report: string | null
  hold_until: string | null
}

/** Throws conflict for a code that nobody has claimed, a held one, and one that a moderator switched off or holds. */
export function assertTransferable(code: Transferable, now: Date): void {
  assertNotHeld(code)
  assertNotStopped(code)
  assertNotLookedAt(code, now)
  if (code.qr_type === 'child' || code.is_claimed) return
  throw new DomainError('conflict.nobody_has_code')
}

/** Returns whether a code counts against the plan of an account that does not have it, as its issuer's does. */
export function countsFor(
  code: { qr_type: string; created_by: string },
  account: { id: string },
): boolean {
  return code.qr_type === 'normal' && code.created_by === account.id
}

/** Returns the error for everybody but the recipient of a transfer. */
export function transferNotFound(): DomainError {
  return new DomainError('not_found.dead_link')
}

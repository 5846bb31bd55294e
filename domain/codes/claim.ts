import type { Anyway } from '#domain/codes/phones.ts'
import { cleanQrFields, cleanTicks, type QrFields, qrFieldsProblem } from '#domain/codes/qr.ts'
import type { Visibility } from '#domain/codes/visibility.ts'
import { DomainError } from '#domain/error.ts'
import type { Refusal, RefusalCode } from '#locales/refusal.ts'

/** The fields of a claim, in the order of its form. */
export const CLAIM_FIELDS = [
  'owner_name',
  'contact_phone',
  'email',
  'city_area',
  'emergency_contact_name',
  'emergency_contact_phone',
  'public_message',
] as const

export type ClaimField = (typeof CLAIM_FIELDS)[number]
export type Claim = Pick<QrFields, ClaimField> & Partial<Visibility & Anyway>

/** Returns a claim as it is stored. Every text is present; an empty one is null. */
export function cleanClaim(sent: Record<string, unknown>): Claim {
  const texts = CLAIM_FIELDS.map((name) => [name, sent[name] ?? null])
  const cleaned = cleanQrFields(Object.fromEntries(texts)) as Pick<QrFields, ClaimField>
  return { ...cleaned, ...cleanTicks(sent) }
}

/** The refusals of the details of a code without a vehicle. */
export const HOLDER_REFUSALS = [
  'invalid.email',
  'invalid.emergency_phone',
  'invalid.finder_number_missing',
  'invalid.full_name_missing',
  'invalid.mobile',
  'invalid.too_long',
] as const satisfies RefusalCode[]

/** Returns the first problem of a claim. Only the name and the mobile number are required. */
export function claimProblem(claim: Claim): Refusal | undefined {
  return qrFieldsProblem(claim)
}

type Flag = boolean | number
type Code = { qr_type: string; is_active: Flag; is_claimed: Flag }

export type ClaimState = 'not_found' | 'child' | 'claimed' | 'open'

/** The refusals of a code that is not open for a claim. */
export const NOT_CLAIMABLE = {
  child: 'conflict.must_register',
  claimed: 'conflict.claimed',
} as const satisfies Partial<Record<ClaimState, RefusalCode>>

const UNDO_DAYS = 7
export const UNDO_TEXTS = {
  done: 'Claim undone. The QR code is unclaimed again.',
} as const

type Claimed = { claimed_at: string | null }

/**
 * Returns whether a person without an account claimed the code. Until an account takes the code,
 * its issuer cannot change it and sees no more of it than the scan page shows.
 */
export function isHeldByClaimer({ claimed_at }: Claimed): boolean {
  return claimed_at !== null
}

/** Throws conflict for a code that `isHeldByClaimer`. */
export function assertNotHeld(code: Claimed): void {
  if (isHeldByClaimer(code)) throw new DomainError('conflict.claimed')
}

/** Returns the instant until which the issuer may undo the claim; null without a claim. */
export function undoEndsAt({ claimed_at }: Claimed): Date | null {
  return claimed_at ? new Date(Date.parse(claimed_at) + UNDO_DAYS * 86_400_000) : null
}

/** Throws conflict when there is no claim, or when it is older than seven days. */
export function assertMayUndo(code: Claimed, now: Date): void {
  const endsAt = undoEndsAt(code)
  if (!endsAt) throw new DomainError('conflict.no_claim')
  if (now > endsAt)
    throw new DomainError({ code: 'conflict.claim_too_old', values: { days: UNDO_DAYS } })
}

export function claimState(code: Code | undefined): ClaimState {
  if (!code?.is_active) return 'not_found'
  if (code.qr_type === 'child') return 'child'
  return code.is_claimed ? 'claimed' : 'open'
}

/** Throws not_found for a missing or inactive code, and conflict for one that cannot be claimed. */
export function assertClaimable<C extends Code>(code: C | undefined): asserts code is C {
  const state = claimState(code)
  if (state === 'not_found') throw new DomainError('not_found.qr_code')
  if (state !== 'open') throw new DomainError(NOT_CLAIMABLE[state])
}

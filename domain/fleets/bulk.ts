import { cleanQrFields, qrFieldProblem } from '#domain/codes/qr.ts'
import { type ContactMode, cleanVisibility } from '#domain/codes/visibility.ts'
import { DomainError } from '#domain/error.ts'
import { counted, toNumber } from '#domain/number.ts'
import { has, ownersOnly } from '#domain/people/roles.ts'
import { accessTo, type Holder, isBoundToCompany } from '#domain/people/share.ts'

export const BULK_ACTIONS = [
  'activate',
  'deactivate',
  'set_company_fleet_name',
  'set_contact_mode',
  'delete',
] as const
export type BulkAction = (typeof BULK_ACTIONS)[number]

/** The most codes that one act changes. */
export const BULK_MAX = 10_000

/** An act on many codes. To delete them, one says how many they are. */
export type BulkAct =
  | { action: 'activate' | 'deactivate' }
  | { action: 'set_company_fleet_name'; value: string | null }
  | { action: 'set_contact_mode'; value: ContactMode }
  | { action: 'delete'; value: number }

/** Throws invalid for an unknown action. */
export function readAction(action: unknown): BulkAction {
  const known = BULK_ACTIONS.find((each) => each === action)
  if (known) return known
  throw new DomainError({
    code: 'invalid.bulk_action',
    values: { actions: BULK_ACTIONS.join(', ') },
  })
}

/** Reads a sent act. Throws invalid. */
export function readBulkAct(sent: { action?: unknown; value?: unknown }): BulkAct {
  const { value } = sent
  const action = readAction(sent.action)
  switch (action) {
    case 'activate':
    case 'deactivate':
      return { action }
    case 'set_company_fleet_name':
      return { action, value: readCompany(value) }
    case 'set_contact_mode': {
      const { contact_mode } = cleanVisibility({ contact_mode: value ?? null })
      return { action, value: contact_mode as ContactMode }
    }
    case 'delete':
      return { action, value: toNumber(value) }
  }
}

/** An empty name removes the company; without any nobody said so. */
function readCompany(value: unknown): string | null {
  if (value !== null && typeof value !== 'string') {
    throw new DomainError('invalid.bulk_value')
  }
  const { company_fleet_name = null } = cleanQrFields({ company_fleet_name: value })
  const problem = qrFieldProblem('company_fleet_name', company_fleet_name)
  if (problem) throw new DomainError(problem)
  return company_fleet_name
}

type Code = {
  id: string
  owner_id: string
  child_account_id: string | null
  company_fleet_name: string | null
  claimed_at: string | null
  stopped_by_report: string | null
  is_ending: boolean | number
}

/** Returns the reason why a code that the account sees cannot be changed so. */
export function bulkRefusal(
  action: BulkAction,
  code: Code,
  viewer: Holder,
): DomainError | undefined {
  const { claimed_at, stopped_by_report, is_ending } = code
  const access = accessTo(viewer, code)
  if (claimed_at !== null) return new DomainError('conflict.claimed')
  if (action === 'activate' && stopped_by_report) return new DomainError('conflict.code_stopped')
  if (action === 'activate' && is_ending) return new DomainError('conflict.user_leaving')
  if (action === 'delete' && !has(access, 'own')) return ownersOnly(access, 'forbidden.delete_code')
  if (
    !has(access, 'edit') ||
    (action === 'set_company_fleet_name' && isBoundToCompany(viewer, code))
  ) {
    return new DomainError('forbidden.role')
  }
  return undefined
}

/** Throws invalid unless the typed count is that of the codes which an act would delete. */
export function assertTypedCount(act: BulkAct, count: number): void {
  if (act.action !== 'delete' || act.value === count) return
  throw new DomainError({
    code: 'invalid.bulk_count',
    values: { count, codes: countOfCodes(count) },
  })
}

/** Returns `1 QR code`, `48 QR codes`. */
export function countOfCodes(count: number): string {
  return counted(count, 'QR code')
}

import { OTP_LENGTH, stripOtp } from '#domain/accounts/registration.ts'
import { isAdmin } from '#domain/accounts/roles.ts'
import { DomainError } from '#domain/error.ts'
import type { Refusal } from '#locales/refusal.ts'

/** The accounts that must have a second factor. */
const FACTOR_RULES = ['none', 'admin', 'all'] as const
export type FactorRule = (typeof FACTOR_RULES)[number]

/** For so long a sign-in waits for its second factor, and a new app for its first code. */
export const WAIT_SECONDS = 600
export const TICKET_TRIES = 5
export const TRUST_DAYS = 30
export const RECOVERY_CODES = 10

/** The kinds of a second factor: a code of an authenticator app, or a passkey. */
export const FACTOR_WAYS = ['code', 'passkey'] as const
export type FactorWay = (typeof FACTOR_WAYS)[number]

/** Where who must have a second factor is led. */
export const SET_UP_HREF = '/settings/security/authenticator'

export function mustHaveFactor(rule: FactorRule, role: string): boolean {
  return rule === 'all' || (rule === 'admin' && isAdmin(role))
}

/** The fields of a form for a second factor. */
export type TypedCodes = {
  code?: string | null | undefined
  recovery_code?: string | null | undefined
}

export function factorProblem({ code, recovery_code }: TypedCodes): Refusal | undefined {
  if (recovery_code || stripOtp(code ?? '').length === OTP_LENGTH) return undefined
  return 'invalid.factor_code'
}

export function wrongCode(): DomainError {
  return new DomainError('unauthenticated.second_factor')
}

export function appIsOn(): DomainError {
  return new DomainError('conflict.authenticator_on')
}

/** Returns the error for a ticket of a sign-in that is unknown, used, too old or void after wrong tries. */
export function deadTicket(): DomainError {
  return new DomainError('unauthenticated.sign_in_ended')
}

/** Without the letters that are taken for digits or for each other. */
const SIGNS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const RECOVERY_LENGTH = 8
/** Returns `4F7K-92QX`, of eight random bytes. */
export function recoveryCode(random: Uint8Array): string {
  const signs = [...random.subarray(0, RECOVERY_LENGTH)].map((byte) => SIGNS[byte % SIGNS.length])
  return `${signs.slice(0, 4).join('')}-${signs.slice(4).join('')}`
}

/** Returns a typed recovery code as it was shown; undefined when it cannot be one. */
export function readRecoveryCode(typed: string): string | undefined {
  const signs = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  if (signs.length !== RECOVERY_LENGTH || [...signs].some((sign) => !SIGNS.includes(sign))) {
    return undefined
  }
  return `${signs.slice(0, 4)}-${signs.slice(4)}`
}

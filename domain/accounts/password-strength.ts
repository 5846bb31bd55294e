import { COMMON_PASSWORD, isCommonPassword } from '#domain/accounts/common-passwords.ts'
import { type NewPassword, PASSWORD_MIN, passwordProblem } from '#domain/accounts/registration.ts'
import { isAdmin } from '#domain/accounts/roles.ts'
import type { Refusal } from '#locales/refusal.ts'

/** Admins see everybody's codes and papers. */
export const ADMIN_PASSWORD_MIN = 12

const STRENGTHS = { 1: 'Weak', 2: 'Fair', 3: 'Strong' } as const
export type Strength = keyof typeof STRENGTHS

const FAIR_LENGTH = 10
const STRONG_LENGTH = 14

/** Rates how hard a password is to guess: its length decides, and different kinds of characters help a little. */
export function passwordStrength(password: string): { level: Strength; words: string } {
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u].filter((kind) => kind.test(password))
  if (password.length >= PASSWORD_MIN && isCommonPassword(password)) {
    return { level: 1, words: COMMON_PASSWORD }
  }
  const worth = password.length + kinds.length
  const level = worth < FAIR_LENGTH ? 1 : worth < STRONG_LENGTH ? 2 : 3
  return { level, words: STRENGTHS[level] }
}

/** Returns why an account with this role may not have a password that is good enough for others. */
export function rolePasswordProblem(role: string, password: string): Refusal | undefined {
  if (!isAdmin(role)) return undefined
  if (password.length < ADMIN_PASSWORD_MIN) {
    return { code: 'invalid.admin_password', values: { least: ADMIN_PASSWORD_MIN } }
  }
  if (isCommonPassword(password)) return 'invalid.common_password'
}

/** Returns the first problem of a new password for a known account. */
export function ownPasswordProblem(role: string, typed: NewPassword): Refusal | undefined {
  return (
    (typed.password ? rolePasswordProblem(role, typed.password) : undefined) ??
    passwordProblem(typed)
  )
}

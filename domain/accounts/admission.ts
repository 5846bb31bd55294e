import { DomainError } from '#domain/error.ts'
import type { Refusal } from '#locales/refusal.ts'

export type RegistrationMode = 'open' | 'invite' | 'closed'

/** The operator's rule: who may make an account. `domains` are in lower case, and none means any. */
export type RegistrationRule = { mode: RegistrationMode; domains: readonly string[] }

/**
 * The reason to admit a new account: none, the link of a claimed code, an owner's invitation to shared codes, an
 * admin's invitation or the operator's.
 */
export type Pass = 'none' | 'claim' | 'share' | 'admin' | 'operator'

const ADMITTED: Record<RegistrationMode, readonly Pass[]> = {
  open: ['none', 'claim', 'share', 'admin', 'operator'],
  invite: ['claim', 'share', 'admin', 'operator'],
  closed: ['operator'],
}

/** Returns the reason why a pass admits no new account. */
export function passProblem({ mode }: RegistrationRule, pass: Pass): Refusal | undefined {
  if (ADMITTED[mode].includes(pass)) return undefined
  return mode === 'closed' ? 'forbidden.registration_closed' : 'forbidden.registration_invite'
}

/**
 * Returns the reason why an address may not make an account. Every way asks this rule, except a child registration
 * and `driveqr user create`, which are always allowed.
 */
export function admissionProblem(
  rule: RegistrationRule,
  pass: Pass,
  email: string,
): Refusal | undefined {
  const problem = passProblem(rule, pass)
  if (problem) return problem
  const { mode, domains } = rule
  const domain = email.split('@').at(-1) ?? ''
  if (mode === 'closed' || domains.length === 0 || domains.includes(domain)) return undefined
  return { code: 'forbidden.registration_domain', values: { domains: domains.join(', ') } }
}

/** Throws forbidden where `admissionProblem` refuses. */
export function assertAdmitted(rule: RegistrationRule, pass: Pass, email: string): void {
  const problem = admissionProblem(rule, pass, email)
  if (problem) throw new DomainError(problem)
}

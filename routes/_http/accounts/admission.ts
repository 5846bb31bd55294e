import { findClaimToTake } from '#db/codes/claims.ts'
import { assertAdmitted, type Pass, passProblem } from '#domain/accounts/admission.ts'
import { englishText } from '#locales/refusal.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { takeCookie } from '#routes/_http/cookies.ts'

/** Returns the pass that this browser carries: the link of a claimed code counts where people need one. */
async function passOf(c: AppContext): Promise<Pass> {
  const { db, config } = c.var.deps
  const token = config.registration.mode === 'invite' ? takeCookie.read(c) : undefined
  return token && (await findClaimToTake(db, token)) ? 'claim' : 'none'
}

/** Returns the reason why nobody can register in this browser. */
export async function registrationRefusal(c: AppContext): Promise<string | undefined> {
  const problem = passProblem(c.var.deps.config.registration, await passOf(c))
  return problem && englishText(problem)
}

/** Throws forbidden before anything is sent. It asks nothing about the address but its domain. */
export async function assertMayRegister(c: AppContext, email: string): Promise<void> {
  assertAdmitted(c.var.deps.config.registration, await passOf(c), email)
}

/** Returns the operator's rule and the link in this browser, for the verb that makes the account. */
export function admissionOf(c: AppContext) {
  return { rule: c.var.deps.config.registration, takeToken: takeCookie.read(c) }
}

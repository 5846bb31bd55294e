import { findClaimToTake } from '#db/codes/claims.ts'
import type { Admission } from '#db/invitations/admission.ts'
import { findInvitation, type Invitation } from '#db/invitations/invitations.ts'
import {
  admissionProblem,
  assertAdmitted,
  type Pass,
  passProblem,
} from '#domain/accounts/admission.ts'
import { passOfInvitation } from '#domain/accounts/invitation.ts'
import { englishText } from '#locales/refusal.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { inviteCookie, takeCookie } from '#routes/_http/cookies.ts'

/**
 * Returns the pass that this browser carries, for an address or for the best one. An invitation counts for its own
 * address, and the link of a claimed code where people need one.
 */
async function passOf(c: AppContext, email?: string): Promise<Pass> {
  const invitation = await carriedInvitation(c)
  if (invitation && (email === undefined || email === invitation.email)) {
    return passOfInvitation(invitation)
  }
  const { db, config } = c.var.deps
  const token = config.registration.mode === 'invite' ? takeCookie.read(c) : undefined
  return token && (await findClaimToTake(db, token)) ? 'claim' : 'none'
}

/** Returns the invitation whose link was opened in this browser, if it still counts. */
async function carriedInvitation(c: AppContext): Promise<Invitation | undefined> {
  const { db, clock } = c.var.deps
  const token = inviteCookie.read(c)
  return token ? findInvitation(db, token, clock()) : undefined
}

/** Checks whether this browser carries an invitation that makes an account. */
export async function isInvited(c: AppContext): Promise<boolean> {
  const invitation = await carriedInvitation(c)
  if (!invitation) return false
  const { registration } = c.var.deps.config
  return !admissionProblem(registration, passOfInvitation(invitation), invitation.email)
}

/** Returns the reason why nobody can register in this browser. */
export async function registrationRefusal(c: AppContext): Promise<string | undefined> {
  const problem = passProblem(c.var.deps.config.registration, await passOf(c))
  return problem && englishText(problem)
}

/** Throws forbidden before anything is sent. It asks nothing about the address but its domain. */
export async function assertMayRegister(c: AppContext, email: string): Promise<void> {
  assertAdmitted(c.var.deps.config.registration, await passOf(c, email), email)
}

/** Returns the operator's rule and the links in this browser, for the verb that makes the account. */
export function admissionOf(c: AppContext): Admission {
  return {
    rule: c.var.deps.config.registration,
    takeToken: takeCookie.read(c),
    inviteToken: inviteCookie.read(c),
  }
}

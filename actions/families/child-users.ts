import { makingOf } from '#actions/codes/making.ts'
import type { ActionDeps } from '#actions/deps.ts'
import { byMailTo, mailOrigin } from '#actions/mail.ts'
import { removeStoredFiles } from '#actions/papers/files.ts'
import type { Caller } from '#db/accounts/credentials.ts'
import { type NewChild, registerChild } from '#db/families/child-registrations.ts'
import { confirmWard, type Ward } from '#db/families/guardians.ts'
import { type LeftFamily, leaveFamily } from '#db/families/leaving-family.ts'
import { hashPassword } from '#db/secrets.ts'
import { childLeftMail, guardianAskedMail, guardianConfirmedMail } from '#mail/families.ts'

type Registration = Omit<NewChild, 'passwordHash' | 'notice' | 'waits'> & {
  password: string
  /** whether the child user claims to be 18 or older; undefined when the form did not ask */
  adult: boolean | undefined
  queueKeys: string[]
}

/** `waits` is true for an account that waits for its guardian. */
export type RegisteredChild = { waits: boolean; login_id: string | null }

/**
 * Registers the user of a child code. `queueKeys` are the keys of the queue for hashing. The account of a minor
 * waits for the owner of the code, who gets a mail. `login_id` is the account's login when another account has the
 * typed address, and null otherwise. Throws the errors of `registerChild`.
 */
export async function registerChildUser(
  deps: ActionDeps,
  qrId: string,
  { password, queueKeys, adult, ...child }: Registration,
): Promise<RegisteredChild> {
  const { db, clock, config } = deps
  const passwordHash = await hashPassword(password, queueKeys)
  const waits = !(adult ?? !config.requireAdult)
  const added = { ...child, passwordHash, notice: config.noticeVersion, waits }
  const notify = byMailTo(deps, ({ owner_id, ...ward }: Ward) => ({
    accountId: owner_id,
    ...guardianAskedMail({ ...mailOrigin(deps), ...ward, publicUrl: config.publicUrl }),
  }))
  return { waits, login_id: await registerChild(db, qrId, added, clock(), notify) }
}

/** Removes the caller, a child user, from the family, and mails the owner of the code. Throws the errors of `leaveFamily`. */
export async function leaveOwnFamily(deps: ActionDeps, caller: Caller): Promise<void> {
  const notify = byMailTo(deps, ({ owner_id: accountId, ...left }: LeftFamily) => ({
    accountId,
    ...childLeftMail({ ...mailOrigin(deps), ...left }),
  }))
  await removeStoredFiles(deps, await leaveFamily(deps.db, caller, makingOf(deps), notify))
}

/** Confirms that the owner of a code is the guardian of its user, and mails the user. Throws not_found. */
export async function confirmGuardian(
  deps: ActionDeps,
  caller: Caller,
  childId: string,
): Promise<void> {
  const notify = byMailTo(deps, ({ id }: Ward) => ({
    accountId: id,
    ...guardianConfirmedMail({ ...mailOrigin(deps), publicUrl: deps.config.publicUrl }),
  }))
  await confirmWard(deps.db, caller, childId, notify)
}

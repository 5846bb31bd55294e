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
  /** whether the child user said to be 18 or older; undefined where that was not asked */
  adult: boolean | undefined
  turn: string[]
}

export type RegisteredChild = { waits: boolean; login_id: string | null }

/**
 * Registers the user of a child code. `turn` holds the keys of the queue for hashing. The account of a minor
 * waits for the owner of the code, who gets a mail. `login_id` signs in where the address is not the account's.
 */
export async function registerChildUser(
  deps: ActionDeps,
  qrId: string,
  { password, turn, adult, ...child }: Registration,
): Promise<RegisteredChild> {
  const { db, clock, config } = deps
  const passwordHash = await hashPassword(password, turn)
  const waits = !(adult ?? !config.requireAdult)
  const added = { ...child, passwordHash, notice: config.noticeVersion, waits }
  const notify = byMailTo(deps, ({ owner_id, ...ward }: Ward) => ({
    accountId: owner_id,
    ...guardianAskedMail({ ...mailOrigin(deps), ...ward, publicUrl: config.publicUrl }),
  }))
  return { waits, login_id: await registerChild(db, qrId, added, clock(), notify) }
}

/** Has a child user leave the family, and mails the owner of the code. Throws forbidden. */
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

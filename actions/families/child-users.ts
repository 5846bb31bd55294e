import type { ActionDeps } from '#actions/deps.ts'
import { byMailTo, mailOrigin } from '#actions/mail.ts'
import type { Caller } from '#db/accounts/credentials.ts'
import { type NewChild, registerChild } from '#db/families/child-registrations.ts'
import { confirmWard, type Ward } from '#db/families/guardians.ts'
import { hashPassword } from '#db/secrets.ts'
import { guardianAskedMail, guardianConfirmedMail } from '#mail/families.ts'

type Registration = Omit<NewChild, 'passwordHash' | 'notice' | 'waits'> & {
  password: string
  /** whether the child user said to be 18 or older; undefined where that was not asked */
  adult: boolean | undefined
  turn: string[]
}

/**
 * Registers the user of a child code. `turn` holds the keys of the queue for hashing. The account of a minor
 * waits for the owner of the code, who gets a mail. Returns whether it waits.
 */
export async function registerChildUser(
  deps: ActionDeps,
  qrId: string,
  { password, turn, adult, ...child }: Registration,
): Promise<boolean> {
  const { db, clock, config } = deps
  const passwordHash = await hashPassword(password, turn)
  const waits = !(adult ?? !config.requireAdult)
  const added = { ...child, passwordHash, notice: config.noticeVersion, waits }
  const notify = byMailTo(deps, ({ owner_id, ...ward }: Ward) => ({
    accountId: owner_id,
    ...guardianAskedMail({ ...mailOrigin(deps), ...ward, publicUrl: config.publicUrl }),
  }))
  await registerChild(db, qrId, added, clock(), notify)
  return waits
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

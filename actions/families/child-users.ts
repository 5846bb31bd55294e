import type { ActionDeps } from '#actions/deps.ts'
import { type NewChild, registerChild } from '#db/families/child-registrations.ts'
import { hashPassword } from '#db/secrets.ts'

type Registration = Omit<NewChild, 'passwordHash'> & { password: string; turn: string[] }

/** Registers the user of a child code. `turn` holds the keys of the queue for hashing. */
export async function registerChildUser(
  { db, clock }: ActionDeps,
  qrId: string,
  { password, turn, ...child }: Registration,
): Promise<void> {
  const passwordHash = await hashPassword(password, turn)
  await registerChild(db, qrId, { ...child, passwordHash }, clock())
}

import type { EndedAccessView } from '#components/accounts/ended-access.tsx'
import { forgetEndedAccess, listEndedAccess } from '#db/accounts/ended-access.ts'
import type { Account } from '#db/schema.ts'
import { endedSentences } from '#domain/accounts/ended-access.ts'
import { DomainError } from '#domain/error.ts'
import { formatDateTime } from '#domain/time.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { isInDoubt } from '#routes/dashboard/families/_reset-question.ts'

/** Returns the ended access that the account has not dismissed, for this device. */
export async function readEndedAccess(
  c: AppContext,
  account: Account,
): Promise<EndedAccessView | undefined> {
  const { db, config } = c.var.deps
  const ends = await listEndedAccess(db, account.id)
  if (ends.length === 0) return undefined
  return {
    ends: ends.map(({ ended_at, ...end }) => ({
      at: ended_at,
      date: formatDateTime(ended_at, config.timezone),
      sentences: endedSentences(end),
    })),
    canDismiss: !(await isInDoubt(c, account)),
  }
}

/**
 * Deletes the notices that the account has read. Throws forbidden on a device that may be the approver's of a
 * reset, who could otherwise hide the notices from the child.
 */
export async function dismissEndedAccess(
  c: AppContext,
  account: Account,
  until: string,
): Promise<void> {
  if (await isInDoubt(c, account)) {
    throw new DomainError('forbidden.device_before_reset')
  }
  await forgetEndedAccess(c.var.deps.db, account.id, until)
}

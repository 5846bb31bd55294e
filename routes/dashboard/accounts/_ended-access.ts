import type { EndedAccessView } from '#components/accounts/ended-access.tsx'
import { forgetEndedAccess, listEndedAccess } from '#db/accounts/ended-access.ts'
import type { Account } from '#db/schema.ts'
import { endedSentences } from '#domain/accounts/ended-access.ts'
import { DomainError } from '#domain/error.ts'
import { formatDateTime } from '#domain/time.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { isInDoubt } from '#routes/dashboard/families/_reset-question.ts'

/** What ended for the account and it has not read of, as this device shows it. */
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
 * Forgets what the account has read. Throws forbidden where somebody else may be signed in: whoever approved
 * a reset could otherwise hide from the child what it ended.
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

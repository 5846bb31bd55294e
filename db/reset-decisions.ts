import type { Transaction } from 'kysely'
import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import type { Tell } from '#db/outbox.ts'
import { type ResetRequest, selectRequests } from '#db/password-resets.ts'
import type { Tables } from '#db/schema.ts'
import { DECIDED, type DecisionAction, REQUEST_DECIDED } from '#domain/decision.ts'
import { DomainError } from '#domain/error.ts'
import { RESET_LINK_HOURS } from '#domain/password-reset.ts'

export type Decision = { requestId: string; action: DecisionAction; tokenHash: string }

/**
 * Decides a request, once. An approval makes the token live for 24 hours, in place of any that
 * the child has not used yet. Throws not_found for what is not the owner's to decide, and conflict
 * for what is decided.
 */
export async function decideResetRequest(
  db: Db,
  ownerId: string,
  { requestId, action, tokenHash }: Decision,
  now: Date,
  tell: Tell<ResetRequest>,
): Promise<ResetRequest> {
  return db.transaction().execute(async (trx) => {
    const request = await selectRequests(trx, ownerId)
      .where('password_reset_requests.id', '=', requestId)
      .executeTakeFirst()
    if (!request) throw new DomainError('not_found', 'Password reset request not found')
    const decided = await trx
      .updateTable('password_reset_requests')
      .set({ status: DECIDED[action], processed_at: toInstant(now), processed_by: ownerId })
      .where('id', '=', requestId)
      .where('status', '=', 'pending')
      .returning(['child_account_id', 'status', 'processed_at'])
      .executeTakeFirst()
    if (!decided) throw new DomainError('conflict', REQUEST_DECIDED)
    const { child_account_id, ...decision } = decided
    if (action === 'approve') {
      await makeLink(trx, { child_account_id, requestId, tokenHash }, now)
    }
    const outcome = { ...request, ...decision }
    await tell(trx, outcome)
    return outcome
  })
}

async function makeLink(
  trx: Transaction<Tables>,
  link: { child_account_id: string; requestId: string; tokenHash: string },
  now: Date,
): Promise<void> {
  await forgetOpenLinks(trx, link.child_account_id)
  await trx
    .insertInto('password_reset_tokens')
    .values({
      token_hash: link.tokenHash,
      account_id: link.child_account_id,
      request_id: link.requestId,
      expires_at: toInstant(secondsAfter(now, RESET_LINK_HOURS * 3600)),
    })
    .execute()
}

/** A password that is set in whatever way closes the links that were still open. */
export async function forgetOpenLinks(db: DbOrTrx, accountId: string): Promise<void> {
  await db
    .deleteFrom('password_reset_tokens')
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .execute()
}

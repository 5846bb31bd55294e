import { type Credential, inTransactionOf } from '#db/accounts/credentials.ts'
import { actorOf, recordAct } from '#db/admin/audit-events.ts'
import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import { type ResetRequest, selectRequests } from '#db/families/password-resets.ts'
import type { Notify } from '#db/outbox.ts'
import type { Account } from '#db/schema.ts'
import { DECIDED, type DecisionAction, type DecisionStatus } from '#domain/decision.ts'
import { DomainError } from '#domain/error.ts'
import { RESET_LINK_HOURS } from '#domain/families/password-reset.ts'

export type Decision = {
  requestId: string
  action: DecisionAction
  tokenHash: string
  /** whether a mail server for the link to a verified address is configured */
  canMail: boolean
  credential: Credential
}

/** A decided request, and the account of the child. */
export type DecidedRequest = ResetRequest & { child_account_id: string }

/**
 * Decides a request, once. An approval makes the token valid for 24 hours and replaces unused ones
 * of the child. The same approval, sent again because its answer was lost, changes nothing while the link is not
 * used. Throws not_found when the owner may not decide it, conflict when it is decided,
 * unavailable when the link can only be mailed and there is no mail server, and unauthenticated
 * when the owner's session has ended.
 */
export async function decideResetRequest(
  db: Db,
  owner: Account,
  { requestId, action, tokenHash, canMail, credential }: Decision,
  now: Date,
  notify: Notify<DecidedRequest>,
): Promise<DecidedRequest> {
  return inTransactionOf(db, { accountId: owner.id, credential }, async (trx) => {
    const request = await selectRequests(trx, owner.id)
      .where('password_reset_requests.id', '=', requestId)
      .executeTakeFirstOrThrow(() => new DomainError('not_found.reset_request'))
    const decided = await trx
      .updateTable('password_reset_requests')
      .set({ status: DECIDED[action], processed_at: toInstant(now), processed_by: owner.id })
      .where('id', '=', requestId)
      .where('status', '=', 'pending')
      .returning(['child_account_id', 'status', 'processed_at'])
      .executeTakeFirst()
    if (!decided) {
      const link = action === 'approve' ? await findResetLink(trx, tokenHash, now) : undefined
      if (!link?.isLive) throw new DomainError('conflict.reset_decided')
      return { ...request, child_account_id: link.account_id }
    }
    if (action === 'approve' && request.child_verified_at && !canMail) {
      throw new DomainError('unavailable.email')
    }
    if (action === 'approve') {
      const { child_account_id } = decided
      await makeLink(trx, { child_account_id, requestId, tokenHash }, now)
    }
    await noteDecision(trx, owner, decided, now)
    const outcome = { ...request, ...decided }
    await notify(trx, outcome)
    return outcome
  })
}

async function noteDecision(
  trx: Trx,
  owner: Account,
  { child_account_id, status }: { child_account_id: string; status: DecisionStatus },
  now: Date,
): Promise<void> {
  const subject = { subject_type: 'account', subject_id: child_account_id }
  const act = { ...actorOf(owner), ...subject, action: `password_reset.${status}` }
  await recordAct(trx, act, now)
}

/** Finds the account of an owner's approval link, and whether it can still be used. */
export async function findResetLink(
  db: DbOrTrx,
  tokenHash: string,
  now: Date,
): Promise<{ account_id: string; isLive: boolean } | undefined> {
  const link = await db
    .selectFrom('password_reset_tokens')
    .select(['account_id', 'used_at', 'expires_at'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  if (!link) return undefined
  const { account_id, used_at, expires_at } = link
  return { account_id, isLive: used_at === null && expires_at > toInstant(now) }
}

async function makeLink(
  trx: Trx,
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

/** Closes open links. A new password calls it, however it was set. */
export async function forgetOpenLinks(db: DbOrTrx, accountId: string): Promise<void> {
  await db
    .deleteFrom('password_reset_tokens')
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .execute()
}

/** Ends the links that an account approved and saw, because an intruder may have kept them. */
export async function endApprovedLinks(db: DbOrTrx, accountId: string): Promise<void> {
  await db
    .deleteFrom('password_reset_tokens')
    .where('used_at', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('password_reset_requests')
          .select('id')
          .whereRef('id', '=', 'password_reset_tokens.request_id')
          .where('processed_by', '=', accountId),
      ),
    )
    .execute()
}

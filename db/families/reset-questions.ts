import { noteEndedAccess } from '#db/accounts/ended-access.ts'
import { endAccess } from '#db/accounts/passwords.ts'
import { actorOf, recordAct } from '#db/admin/audit-events.ts'
import { toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import { endExports } from '#db/exports/exports.ts'
import type { Account, Instant, Tables } from '#db/schema.ts'
import { inTransaction } from '#db/transaction.ts'
import { DomainError } from '#domain/error.ts'
import type { ChildAnswer } from '#domain/families/password-reset.ts'

export type ResetQuestion = Tables['reset_questions']

/** Returns the open question of an account about a reset. */
export async function findResetQuestion(
  db: DbOrTrx,
  accountId: string,
): Promise<ResetQuestion | undefined> {
  return db
    .selectFrom('reset_questions')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirst()
}

/**
 * Returns the time before which an account's conversations are closed to it, because of a reset
 * that it has not confirmed; undefined when none are.
 */
export async function closedUntil(db: DbOrTrx, accountId: string): Promise<Instant | undefined> {
  return (await findResetQuestion(db, accountId))?.reset_at
}

/** Returns whether there are private documents or conversations that a reset closed to the account. */
export async function hasLocked(
  db: DbOrTrx,
  { account_id, reset_at }: Pick<ResetQuestion, 'account_id' | 'reset_at'>,
): Promise<boolean> {
  const document = await db
    .selectFrom('documents')
    .select('id')
    .where('account_id', '=', account_id)
    .where('is_locked', '=', 1)
    .limit(1)
    .executeTakeFirst()
  const conversation = await db
    .selectFrom('conversations')
    .select('id')
    .where('account_id', '=', account_id)
    .where('is_deleted', '=', 0)
    .where('created_at', '<=', reset_at)
    .limit(1)
    .executeTakeFirst()
  return (document ?? conversation) !== undefined
}

export type Answer = { isMine: boolean; sessionId: string | undefined }

/**
 * Answers the question about a reset. A confirmation unlocks documents and conversations. A denial keeps
 * them locked and ends all access to the account except this session; the account reads what ended. Throws conflict when the question
 * is answered or a later reset has replaced it.
 */
export async function answerResetQuestion(
  db: Db,
  account: Account,
  question: ResetQuestion,
  { isMine, sessionId }: Answer,
  now: Date,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('reset_questions')
      .set({ denied_at: toInstant(now) })
      .where('account_id', '=', account.id)
      .where('reset_at', '=', question.reset_at)
      .where('denied_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw new DomainError('conflict.question_answered')
    if (isMine) await openLockedDocuments(trx, account.id)
    else {
      await noteEndedAccess(trx, account.id, await endAccess(trx, account.id, sessionId), now)
      await noteAnswer(trx, account.id, 'denied')
    }
    const action = isMine ? 'password_reset.confirmed' : 'password_reset.denied'
    const subject = { subject_type: 'account', subject_id: account.id }
    await recordAct(trx, { ...actorOf(account), ...subject, action }, now)
  })
}

/**
 * Locks the private documents after a reset that somebody else approved, until the account confirms
 * it on a device that it used before, and ends the export that has them in it. The question is stored
 * even without private documents, so that a device that signs in after this reset is not a known one
 * at a later reset.
 */
export async function lockDocuments(
  trx: Trx,
  { accountId, requestId }: { accountId: string; requestId: string },
  now: Date,
): Promise<void> {
  await trx
    .updateTable('documents')
    .set({ is_locked: 1 })
    .where('account_id', '=', accountId)
    .where('is_public', '=', 0)
    .execute()
  await endExports(trx, accountId)
  const { name: approved_by } = await trx
    .selectFrom('password_reset_requests')
    .innerJoin('accounts', 'accounts.id', 'processed_by')
    .select('accounts.name')
    .where('password_reset_requests.id', '=', requestId)
    .executeTakeFirstOrThrow()
  const question = { approved_by, reset_at: toInstant(now), denied_at: null }
  await trx
    .insertInto('reset_questions')
    .values({ account_id: accountId, ...question, devices_before: toInstant(now) })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(question))
    .execute()
  await trx
    .updateTable('password_reset_requests')
    .set({ child_answer: 'asked' })
    .where('id', '=', requestId)
    .execute()
}

/** Unlocks the documents that a reset locked, and answers its question. */
export async function openLockedDocuments(trx: Trx, accountId: string): Promise<void> {
  await trx
    .updateTable('documents')
    .set({ is_locked: 0 })
    .where('account_id', '=', accountId)
    .where('is_locked', '=', 1)
    .execute()
  await trx.deleteFrom('reset_questions').where('account_id', '=', accountId).execute()
  await noteAnswer(trx, accountId, 'confirmed')
}

async function noteAnswer(trx: Trx, accountId: string, child_answer: ChildAnswer): Promise<void> {
  await trx
    .updateTable('password_reset_requests')
    .set({ child_answer })
    .where('child_account_id', '=', accountId)
    .where('child_answer', '=', 'asked')
    .execute()
}

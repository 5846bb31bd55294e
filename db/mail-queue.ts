import { noteEmailReached, noteEmailUnreachable } from '#db/alerts/channel-state.ts'
import { CLAIM_SECONDS } from '#db/alerts/claims.ts'
import { isStillShared } from '#db/alerts/people.ts'
import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import { noteTold } from '#db/conversations/notices.ts'
import { openMail } from '#db/sealed-mail.ts'
import type { SecretKey } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { type Mail, NOBODY, waitAfterFailure } from '#domain/mail.ts'

export type DueMail = {
  id: string
  attempts: number
  isLate: boolean
  mail: Mail | undefined
  /** the alerted account; null for a mail that is no alert */
  accountId: string | null
}

const TO_NOBODY: Mail = { to: NOBODY, subject: '', text: '', html: '' }

/** Claims the due mail that expires first, for a minute; one in `last` only if no other is due. */
export async function claimMail(
  db: Db,
  key: SecretKey,
  last: readonly string[],
  now: Date,
): Promise<DueMail | undefined> {
  if (!(await findDue(db, now, last))) return undefined
  return inTransaction(db, async (trx) => {
    const id = await findDue(trx, now, last)
    if (!id) return undefined
    const row = await trx
      .updateTable('outbox')
      .set(({ eb }) => ({
        attempts: eb('attempts', '+', 1),
        next_attempt_at: toInstant(secondsAfter(now, CLAIM_SECONDS)),
      }))
      .where('id', '=', id)
      .returningAll()
      .returning(isStillShared(now).as('is_shared'))
      .executeTakeFirstOrThrow()
    const { attempts, account_id: accountId } = row
    // Nobody gets an alert of a code that is not shared any more.
    if (!row.is_shared) return { id, attempts, isLate: false, mail: TO_NOBODY, accountId: null }
    const isLate = row.expires_at <= toInstant(now)
    return { id, attempts, isLate, mail: openMail(key, row), accountId }
  })
}

/** Postpones a mail that could not be sent; `longest` is in seconds. */
export async function postponeMail(
  db: Db,
  { id, attempts }: DueMail,
  longest: number,
  now: Date,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const row = await trx
      .selectFrom('outbox')
      .select(['created_at', 'expires_at'])
      .where('id', '=', id)
      // Otherwise another sender has claimed it meanwhile.
      .where('attempts', '=', attempts)
      .executeTakeFirst()
    if (!row) return
    const life = (Date.parse(row.expires_at) - Date.parse(row.created_at)) / 1000
    const wait = Math.min(waitAfterFailure(attempts, life), longest)
    const again = toInstant(secondsAfter(now, wait))
    // A mail that has expired is due, so that the sender finds and drops it.
    const next_attempt_at = again < row.expires_at ? again : row.expires_at
    await trx
      .updateTable('outbox')
      .set({ next_attempt_at })
      .where('id', '=', id)
      .where('attempts', '=', attempts)
      .execute()
  })
}

/** Removes a mail that was sent. The address of an alert is reachable. */
export async function removeMail(db: Db, { id, accountId }: DueMail, now: Date): Promise<void> {
  await inTransaction(db, async (trx) => {
    if (accountId) await noteTold(trx, [id], now)
    await trx.deleteFrom('outbox').where('id', '=', id).execute()
    if (accountId) await noteReached(trx, accountId, now)
  })
}

/** Notes that the address of an account is reachable, after a test was mailed to it. */
export async function noteMailed(db: Db, accountId: string, now: Date): Promise<void> {
  await inTransaction(db, (trx) => noteReached(trx, accountId, now))
}

function noteReached(trx: Trx, accountId: string, now: Date): Promise<void> {
  return noteEmailReached(trx, accountId, { now, claimSeconds: CLAIM_SECONDS })
}

/** Removes a mail that is not sent any more. The address of an alert counts as not reachable. */
export async function giveUpMail(db: Db, { id }: DueMail, now: Date): Promise<void> {
  await inTransaction(db, async (trx) => {
    const row = await trx
      .deleteFrom('outbox')
      .where('id', '=', id)
      .returning('account_id')
      .executeTakeFirst()
    // It went with its account, if that was deleted meanwhile.
    if (row?.account_id) await noteEmailUnreachable(trx, row.account_id, now)
  })
}

async function findDue(
  db: DbOrTrx,
  now: Date,
  last: readonly string[],
): Promise<string | undefined> {
  const row = await db
    .selectFrom('outbox')
    .select('id')
    .where('kind', '=', 'email')
    .where('next_attempt_at', '<=', toInstant(now))
    .orderBy(({ eb }) => eb('id', 'in', last))
    .orderBy('expires_at')
    .orderBy('created_at')
    .limit(1)
    // Leaves mails that another sender claims at this moment.
    .$if(db.isTransaction, (query) => query.forUpdate().skipLocked())
    .executeTakeFirst()
  return row?.id
}

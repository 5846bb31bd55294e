import type { Transaction } from 'kysely'
import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import type { Instant, Tables } from '#db/schema.ts'
import { randomId, type SecretKey, seal, unseal } from '#db/secrets.ts'
import { afterCommit, inTransaction } from '#db/transaction.ts'
import { MAIL_LIFE_SECONDS, type Mail, type WaitingMail, waitAfterFailure } from '#domain/mail.ts'

/** Longer than the sender tries a mail for, so that nobody else tries it meanwhile. */
const CLAIM_SECONDS = 60

/**
 * What a verb does as the last step of its transaction: puts the mail about what was done into the
 * outbox, if there is somebody to notify. What is rolled back is not sent.
 */
export type Notify<About> = (trx: Transaction<Tables>, about: About) => Promise<unknown>

export type DueMail = { id: string; attempts: number; isLate: boolean; mail: Mail | undefined }
export type Outbox = ReturnType<typeof openOutbox>

/**
 * Mails that wait to be sent. What they say is sealed with the secret key: a reset link or an OTP
 * opens an account, and a copy of the database must not. Nothing is taken in while `isOpen` is
 * false: nobody would send it.
 */
export function openOutbox(db: Db, key: SecretKey, clock: () => Date, isOpen: boolean) {
  let wake = () => {}
  const wakeUp = () => wake()

  /**
   * Does so as a step of the transaction of what the mail is about. The answer is the row's id, if
   * there is one.
   */
  async function put(trx: Transaction<Tables>, mail: WaitingMail): Promise<string | undefined> {
    if (!isOpen) return undefined
    const { to, subject, text, html } = mail
    const id = randomId()
    const now = toInstant(clock())
    const dueAt = mail.dueAt && mail.dueAt > now ? mail.dueAt : now
    const sealed = { text: seal(key, id, text), html: seal(key, id, html) }
    const times = {
      created_at: now,
      next_attempt_at: dueAt,
      expires_at: mail.expiresAt ?? toInstant(secondsAfter(new Date(dueAt), MAIL_LIFE_SECONDS)),
    }
    const row = { id, recipient: to, subject, ...sealed, attempts: 0, ...times }
    await trx.insertInto('outbox').values(row).execute()
    afterCommit(trx, wakeUp)
    return id
  }

  /**
   * As `put`, to the address of an account, once that is proven: until then it may be a stranger's,
   * who gets nothing but the one-time codes that prove it.
   */
  async function putTo(
    trx: Transaction<Tables>,
    { accountId, ...mail }: Omit<WaitingMail, 'to'> & { accountId: string },
  ): Promise<string | undefined> {
    const proven = await trx
      .selectFrom('accounts')
      .select('email')
      .where('id', '=', accountId)
      .where('email_verified_at', 'is not', null)
      .executeTakeFirst()
    return proven?.email ? put(trx, { ...mail, to: proven.email }) : undefined
  }

  /** The due mail that is worthless soonest, nobody else's for a minute. */
  async function claim(): Promise<DueMail | undefined> {
    const now = clock()
    if (!(await findDue(db, now))) return undefined
    return inTransaction(db, async (trx) => {
      const id = await findDue(trx, now)
      if (!id) return undefined
      const row = await trx
        .updateTable('outbox')
        .set(({ eb }) => ({
          attempts: eb('attempts', '+', 1),
          next_attempt_at: toInstant(secondsAfter(now, CLAIM_SECONDS)),
        }))
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
      const isLate = (row.expires_at ?? '') <= toInstant(now)
      return { id, attempts: row.attempts, isLate, mail: openRow(key, row) }
    })
  }

  /** Puts a mail off that could not be sent; `longest` is in seconds. */
  async function postpone({ id, attempts }: DueMail, longest = Infinity): Promise<void> {
    const now = clock()
    await inTransaction(db, async (trx) => {
      const row = await trx
        .selectFrom('outbox')
        .select(['created_at', 'expires_at'])
        .where('id', '=', id)
        // Otherwise somebody else has claimed it since.
        .where('attempts', '=', attempts)
        .executeTakeFirst()
      if (!row?.expires_at) return
      const life = (Date.parse(row.expires_at) - Date.parse(row.created_at)) / 1000
      const wait = Math.min(waitAfterFailure(attempts, life), longest)
      const again = toInstant(secondsAfter(now, wait))
      // When it is too late it is due, so that it is found and given up.
      const next_attempt_at = again < row.expires_at ? again : row.expires_at
      await trx.updateTable('outbox').set({ next_attempt_at }).where('id', '=', id).execute()
    })
  }

  async function remove({ id }: DueMail): Promise<void> {
    await inTransaction(db, async (trx) => {
      await trx.deleteFrom('outbox').where('id', '=', id).execute()
    })
  }

  return {
    isOpen,
    put,
    putTo,
    claim,
    postpone,
    remove,
    /** Calls back whenever mails were put in. */
    watch(onPut: () => void) {
      wake = onPut
    },
  }
}

async function findDue(db: DbOrTrx, now: Date): Promise<string | undefined> {
  const row = await db
    .selectFrom('outbox')
    .select('id')
    .where('next_attempt_at', '<=', toInstant(now))
    .orderBy('expires_at')
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/** Undefined when it was sealed with another key. */
function openRow(key: SecretKey, row: Tables['outbox']): Mail | undefined {
  const text = unseal(key, row.id, row.text)
  const html = unseal(key, row.id, row.html ?? '')
  if (text === undefined || html === undefined) return undefined
  return { to: row.recipient, subject: row.subject, text, html }
}

/** How many mails wait, and since when the oldest does. */
export async function describeOutbox(
  db: DbOrTrx,
): Promise<{ waiting: number; oldest: Instant | null }> {
  return db
    .selectFrom('outbox')
    .select(({ fn }) => [
      fn.countAll<number>().as('waiting'),
      fn.min<Instant | null>('created_at').as('oldest'),
    ])
    .executeTakeFirstOrThrow()
}

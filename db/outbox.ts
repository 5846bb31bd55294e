import { alertAccount, type NewAlert, type QueuedAlert } from '#db/alerts/alerting.ts'
import { noteEmailReached, noteEmailUnreachable } from '#db/alerts/channel-state.ts'
import { CLAIM_SECONDS, claimChannels, isDueForMany } from '#db/alerts/claims.ts'
import { type Settled, settleChannels, type TellUnreachable } from '#db/alerts/settlements.ts'
import { nameForChild } from '#db/brands/child-mails.ts'
import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import type { Tables } from '#db/schema.ts'
import { randomId, type SecretKey, seal, unseal } from '#db/secrets.ts'
import { afterCommit, inTransaction } from '#db/transaction.ts'
import type { AlertEvent } from '#domain/alerts/alert.ts'
import { MAIL_LIFE_SECONDS, type Mail, type WaitingMail, waitAfterFailure } from '#domain/mail.ts'
import type { RateLimits } from '#domain/rate-counters.ts'
import { DEFAULT_TIMEZONE } from '#domain/time.ts'

/**
 * The last step of a verb's transaction: puts the mail about the change into the outbox, if there
 * is somebody to notify. A rolled back change sends no mail.
 */
export type Notify<About> = (trx: Trx, about: About) => Promise<unknown>

export type DueMail = {
  id: string
  attempts: number
  isLate: boolean
  mail: Mail | undefined
  /** the alerted account; null for a mail that is no alert */
  accountId: string | null
}

export type Outbox = ReturnType<typeof openOutbox>

/**
 * Alerts that an account or a stranger can cause again and again. Without a limit, an account with
 * many channels at a stranger's address could make the server flood it.
 */
const LIMITED: readonly AlertEvent[] = ['security', 'police_view']

/**
 * Mails and alerts that wait to be sent. Their contents are encrypted with the secret key, because a
 * reset link or one-time code gives access to an account, and a copy of the database must not. Without
 * a mail server (`isOpen` is false) no mail is stored. `timezone` is that of quiet hours; without
 * `rateLimits`, as on the command line, alerts are not counted.
 */
export function openOutbox(
  db: Db,
  key: SecretKey,
  clock: () => Date,
  isOpen: boolean,
  timezone = DEFAULT_TIMEZONE,
  rateLimits?: RateLimits,
) {
  let wake = () => {}
  const wakeUp = () => wake()
  let tell: TellUnreachable = async () => {}

  /**
   * Adds a mail in the transaction of the change that it is about. Returns the id of its cause, if any,
   * which further mails about the same change have too.
   */
  async function put(trx: Trx, mail: WaitingMail, causeId?: string): Promise<string | undefined> {
    if (!isOpen) return undefined
    const whom = mail.accountId ? { id: mail.accountId } : { email: mail.to }
    const named = await nameForChild(trx, mail, whom, clock())
    const { to, subject, text, html, sender = null } = { ...mail, ...named }
    const id = randomId()
    const now = toInstant(clock())
    const dueAt = mail.dueAt && mail.dueAt > now ? mail.dueAt : now
    const sealed = { text: seal(key, id, text), html: seal(key, id, html) }
    const times = {
      created_at: now,
      next_attempt_at: dueAt,
      expires_at: mail.expiresAt ?? toInstant(secondsAfter(new Date(dueAt), MAIL_LIFE_SECONDS)),
    }
    const cause_id = causeId ?? id
    const about = { cause_id, kind: 'email', event: null, account_id: null } as const
    const place = { channel_id: null, qr_id: null, recipient: to, sender_name: sender }
    const row = { id, ...about, ...place, subject, ...sealed, attempts: 0, ...times }
    await trx.insertInto('outbox').values(row).execute()
    afterCommit(trx, wakeUp)
    return cause_id
  }

  /**
   * Puts a mail to the address of an account, if it is verified. An unverified address may belong
   * to a stranger, who only gets one-time codes that verify it.
   */
  async function putTo(
    trx: Trx,
    mail: Omit<WaitingMail, 'to'> & { accountId: string },
  ): Promise<string | undefined> {
    const proven = await trx
      .selectFrom('accounts')
      .select('email')
      .where('id', '=', mail.accountId)
      .where('email_verified_at', 'is not', null)
      .executeTakeFirst()
    return proven?.email ? put(trx, { ...mail, to: proven.email }) : undefined
  }

  /** Puts an alert in for each channel that is to get it, in the transaction of its cause. */
  async function alert(trx: Trx, about: NewAlert): Promise<QueuedAlert | undefined> {
    const now = clock()
    const { event } = about.alert
    const counted = LIMITED.includes(event) ? `${event} ${about.accountId}` : undefined
    const isByMailAlone = counted && rateLimits?.check('alert-channels', counted, now)
    const rules = { key, now, timezone, canMail: isOpen, isByMailAlone: Boolean(isByMailAlone) }
    const queued = await alertAccount(trx, about, rules)
    if (!queued) return undefined
    afterCommit(trx, () => {
      if (counted) rateLimits?.add('alert-channels', counted, now)
      wakeUp()
    })
    return queued
  }

  /** Claims the due mail that expires first, for a minute; one in `last` only if no other is due. */
  async function claim(last: readonly string[] = []): Promise<DueMail | undefined> {
    const now = clock()
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
        .executeTakeFirstOrThrow()
      const isLate = row.expires_at <= toInstant(now)
      const { attempts, account_id: accountId } = row
      return { id, attempts, isLate, mail: openRow(key, row), accountId }
    })
  }

  /** Postpones a mail that could not be sent; `longest` is in seconds. */
  async function postpone({ id, attempts }: DueMail, longest = Infinity): Promise<void> {
    const now = clock()
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
  async function remove({ id, accountId }: DueMail): Promise<void> {
    await inTransaction(db, async (trx) => {
      await trx.deleteFrom('outbox').where('id', '=', id).execute()
      if (accountId) await emailReached(trx, accountId)
    })
  }

  const emailReached = (trx: Trx, accountId: string) =>
    noteEmailReached(trx, accountId, { now: clock(), claimSeconds: CLAIM_SECONDS })

  /** After a test was mailed to an account: its address is reachable. */
  async function noteMailed(accountId: string): Promise<void> {
    await inTransaction(db, (trx) => emailReached(trx, accountId))
    wakeUp()
  }

  /** Removes a mail that is not sent any more. The address of an alert counts as not reachable. */
  async function giveUp({ id }: DueMail): Promise<void> {
    const now = clock()
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

  return {
    isOpen,
    put,
    putTo,
    alert,
    claim,
    postpone,
    remove,
    noteMailed,
    giveUp,
    claimChannels: (options: { most: number; withFailing: boolean }) =>
      claimChannels(db, key, options, clock()),
    isDueForMany: (many: number) => isDueForMany(db, many, clock()),
    settleChannels: (settled: Settled[]) => settleChannels(db, key, settled, clock(), tell),
    /** Sets how owners learn that a channel cannot be reached. */
    onUnreachable(how: TellUnreachable) {
      tell = how
    },
    /** Has the sender look now. */
    wake: wakeUp,
    /** Calls back after something was added. */
    watch(onPut: () => void) {
      wake = onPut
    },
  }
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

/** Undefined when the mail was encrypted with another key. */
function openRow(key: SecretKey, row: Tables['outbox']): Mail | undefined {
  const text = unseal(key, row.id, row.text)
  const html = unseal(key, row.id, row.html ?? '')
  if (text === undefined || html === undefined) return undefined
  const { recipient, subject, sender_name: sender } = row
  return { to: recipient ?? '', subject: subject ?? '', text, html, ...(sender && { sender }) }
}

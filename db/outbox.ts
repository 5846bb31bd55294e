import { alertAccount, type NewAlert, type QueuedAlert } from '#db/alerts/alerting.ts'
import { claimChannels, isDueForMany } from '#db/alerts/claims.ts'
import { type Settled, settleChannels, type TellUnreachable } from '#db/alerts/settlements.ts'
import { nameForChild } from '#db/brands/child-mails.ts'
import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Db, Trx } from '#db/client.ts'
import {
  claimMail,
  type DueMail,
  giveUpMail,
  noteMailed,
  postponeMail,
  removeMail,
} from '#db/mail-queue.ts'
import { sealMail } from '#db/sealed-mail.ts'
import { randomId, type SecretKey } from '#db/secrets.ts'
import { afterCommit } from '#db/transaction.ts'
import type { AlertEvent } from '#domain/alerts/alert.ts'
import { MAIL_LIFE_SECONDS, type WaitingMail } from '#domain/mail.ts'
import type { RateLimits } from '#domain/rate-counters.ts'
import { DEFAULT_TIMEZONE } from '#domain/time.ts'

/**
 * The last step of a verb's transaction: puts the mail about the change into the outbox, if there
 * is somebody to notify. A rolled back change sends no mail.
 */
export type Notify<About> = (trx: Trx, about: About) => Promise<unknown>

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
  let onPut = () => {}
  const wake = () => onPut()
  let tell: TellUnreachable = async () => {}

  /**
   * Adds a mail in the transaction of the change that it is about. Returns the id of its cause, if any,
   * which further mails about the same change have too.
   */
  async function put(trx: Trx, mail: WaitingMail, causeId?: string): Promise<string | undefined> {
    if (!isOpen) return undefined
    const cause = await insertMail(trx, key, mail, causeId, clock)
    afterCommit(trx, wake)
    return cause
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
      wake()
    })
    return queued
  }

  return {
    isOpen,
    put,
    /**
     * Puts a mail to the address of an account, if it is verified. An unverified address may belong
     * to a stranger, who only gets one-time codes that verify it.
     */
    async putTo(trx: Trx, mail: Omit<WaitingMail, 'to'> & { accountId: string }) {
      const to = await findVerifiedAddress(trx, mail.accountId)
      return to ? put(trx, { ...mail, to }) : undefined
    },
    alert,
    claim: (last: readonly string[] = []) => claimMail(db, key, last, clock()),
    postpone: (mail: DueMail, longest = Infinity) => postponeMail(db, mail, longest, clock()),
    remove: (mail: DueMail) => removeMail(db, mail, clock()),
    async noteMailed(accountId: string) {
      await noteMailed(db, accountId, clock())
      wake()
    },
    giveUp: (mail: DueMail) => giveUpMail(db, mail, clock()),
    claimChannels: (options: { most: number; withFailing: boolean }) =>
      claimChannels(db, key, options, clock()),
    isDueForMany: (many: number) => isDueForMany(db, many, clock()),
    settleChannels: (settled: Settled[]) => settleChannels(db, key, settled, clock(), tell),
    /** Sets how owners learn that a channel cannot be reached. */
    onUnreachable(how: TellUnreachable) {
      tell = how
    },
    /** Makes the sender check for due mails and alerts now. */
    wake,
    /** Calls back after something was added. */
    watch(callback: () => void) {
      onPut = callback
    },
  }
}

/** Inserts a mail, under the name that a child user knows the service by, and returns the id of its cause. */
async function insertMail(
  trx: Trx,
  key: SecretKey,
  mail: WaitingMail,
  causeId: string | undefined,
  clock: () => Date,
): Promise<string> {
  const whom = mail.accountId ? { id: mail.accountId } : { email: mail.to }
  const named = await nameForChild(trx, mail, whom, clock())
  const { to, subject, text, html, sender = null } = { ...mail, ...named }
  const id = randomId()
  const now = toInstant(clock())
  const dueAt = mail.dueAt && mail.dueAt > now ? mail.dueAt : now
  const sealed = sealMail(key, id, { subject, text, html })
  const times = {
    created_at: now,
    next_attempt_at: dueAt,
    expires_at: mail.expiresAt ?? toInstant(secondsAfter(new Date(dueAt), MAIL_LIFE_SECONDS)),
  }
  const cause_id = causeId ?? id
  const about = { cause_id, kind: 'email', event: null, account_id: null } as const
  const place = { channel_id: null, qr_id: null, recipient: to, sender_name: sender }
  const row = { id, ...about, ...place, ...sealed, attempts: 0, ...times }
  await trx.insertInto('outbox').values(row).execute()
  return cause_id
}

async function findVerifiedAddress(
  trx: Trx,
  accountId: string,
): Promise<string | null | undefined> {
  const account = await trx
    .selectFrom('accounts')
    .select('email')
    .where('id', '=', accountId)
    .where('email_verified_at', 'is not', null)
    .executeTakeFirst()
  return account?.email
}

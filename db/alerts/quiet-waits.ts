import { noteDue } from '#db/alerts/channel-state.ts'
import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Trx } from '#db/client.ts'
import type { Instant, Tables } from '#db/schema.ts'
import { type AlertEvent, lifeOf, SCAN_ALERT_EVERY_SECONDS } from '#domain/alerts/alert.ts'
import { endOfQuiet, type QuietHours } from '#domain/alerts/quiet-hours.ts'
import { NOTICE_EVERY_SECONDS } from '#domain/conversations/rules.ts'

type Rules = { now: Date; timezone: string }

/** Moves waiting alerts after a change of the quiet hours: to the end of the new ones, or to now if none hold. */
export async function moveQuietWaits(
  trx: Trx,
  accountId: string,
  quietHours: QuietHours | null,
  { now, timezone }: Rules,
): Promise<void> {
  const until = endOfQuiet(now, quietHours, timezone)
  for (const waiting of await listWaiting(trx, accountId, now)) {
    await move(trx, waiting, until ?? soonest(waiting, now))
  }
  await moveScans(trx, accountId, until ?? now, now)
  await moveSteps(trx, accountId, until ?? now)
}

type Waiting = {
  id: string
  cause_id: string
  channel_id: string | null
  event: AlertEvent | null
  created_at: Instant
  /** of a conversation's alert: the first message that it tells of */
  first_n: number | null
}

async function listWaiting(trx: Trx, accountId: string, now: Date): Promise<Waiting[]> {
  const rows = await trx
    .selectFrom('outbox')
    .leftJoin('conversation_mails', 'conversation_mails.outbox_id', 'outbox.cause_id')
    .select(['id', 'cause_id', 'channel_id', 'event', 'created_at', 'next_attempt_at', 'first_n'])
    .where('account_id', '=', accountId)
    .where('attempts', '=', 0)
    .where('next_attempt_at', '>', toInstant(now))
    .execute()
  return rows.filter(isQuiet)
}

/** Returns whether an alert waits longer than the limit of a conversation's alerts: only quiet hours cause that. */
export function isQuiet({
  created_at,
  next_attempt_at,
}: Pick<Tables['outbox'], 'created_at' | 'next_attempt_at'>): boolean {
  return next_attempt_at > afterLimit(created_at)
}

/**
 * Returns when an alert may go out, quiet hours apart. One that follows another one about its
 * conversation keeps its distance from that.
 */
export function soonest(
  { created_at, first_n }: Pick<Waiting, 'created_at' | 'first_n'>,
  now: Date,
): Date {
  const isFurther = first_n !== null && first_n > 1
  const allowed = isFurther ? Date.parse(afterLimit(created_at)) : 0
  return new Date(Math.max(now.getTime(), allowed))
}

function afterLimit(created_at: Instant): Instant {
  return toInstant(secondsAfter(new Date(created_at), NOTICE_EVERY_SECONDS))
}

async function move(
  trx: Trx,
  { id, cause_id, channel_id, event }: Waiting,
  due: Date,
): Promise<void> {
  const next_attempt_at = toInstant(due)
  const expires_at = toInstant(secondsAfter(due, lifeOf(event ?? 'message')))
  await trx
    .updateTable('outbox')
    .set({ next_attempt_at, expires_at })
    .where('id', '=', id)
    .execute()
  if (channel_id) await noteDue(trx, channel_id, next_attempt_at)
  // From here on the conversation's next alert keeps its distance.
  await trx
    .updateTable('conversation_mails')
    .set({ due_at: next_attempt_at })
    .where('outbox_id', '=', cause_id)
    .execute()
}

/** Scans of which the account hears and that are held back for longer than they are counted. */
async function moveScans(trx: Trx, accountId: string, due: Date, now: Date): Promise<void> {
  const seconds = SCAN_ALERT_EVERY_SECONDS.scan
  await trx
    .updateTable('scan_alerts')
    .set({ due_at: toInstant(due) })
    .where('event', '=', 'scan')
    .where('scans', '>', 0)
    .where(({ eb, or }) =>
      or([
        eb('due_at', '>', toInstant(secondsAfter(now, seconds))),
        eb('since', '<=', toInstant(secondsAfter(now, -seconds))),
      ]),
    )
    .where('account_id', '=', accountId)
    .execute()
}

/** Conversations whose turn came to the account in quiet hours. */
async function moveSteps(trx: Trx, accountId: string, due: Date): Promise<void> {
  await trx
    .updateTable('escalation_steps')
    .set({ due_at: toInstant(due) })
    .where('account_id', '=', accountId)
    .where('state', '=', 'quiet')
    .execute()
}

import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Trx } from '#db/client.ts'
import type { Instant } from '#db/schema.ts'
import { randomId } from '#db/secrets.ts'

/**
 * Notes that a test has reached a channel: failed alerts are due at once. Returns false for a
 * channel that is gone.
 */
export async function noteReached(trx: Trx, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('alert_channels')
    .set({ ...IS_WELL, delivered_at: toInstant(now) })
    .where('id', '=', id)
    .executeTakeFirst()
  await tryAgainSoon(trx, id, now)
  return numUpdatedRows > 0n
}

/** Makes failed alerts of a channel due at once. */
export async function tryAgainSoon(trx: Trx, id: string, now: Date): Promise<void> {
  await hasten(trx, [id], now)
  await endRest(trx, id, now)
}

/** The state of a channel that does not fail. */
export const IS_WELL = { failures: 0, failing_since: null, unreachable_since: null } as const

/**
 * Makes failed alerts of these channels due soon, after another alert has arrived there. Alerts
 * that were never tried wait for the end of quiet hours.
 */
export async function hasten(trx: Trx, ids: string[], now: Date): Promise<void> {
  const at = toInstant(now)
  await trx
    .updateTable('outbox')
    .set({ next_attempt_at: at })
    .where('channel_id', 'in', ids)
    .where('attempts', '>', 0)
    .where('next_attempt_at', '>', at)
    .execute()
}

/** Ends the rest of a channel after a failure, unless a sender has claimed it. */
export async function endRest(trx: Trx, id: string, now: Date): Promise<void> {
  const at = toInstant(now)
  await trx
    .updateTable('alert_channels')
    .set({ rests_until: null })
    .where('id', '=', id)
    .where(({ eb, or }) => or([eb('claim', 'is', null), eb('rests_until', '<=', at)]))
    .execute()
  await noteDue(trx, id, at)
}

/** Makes a channel due, so that the sender claims it. */
export async function noteDue(trx: Trx, id: string, dueAt: Instant): Promise<void> {
  await trx
    .updateTable('alert_channels')
    .set({ due_at: dueAt })
    .where('id', '=', id)
    .where(({ eb, or }) => or([eb('due_at', 'is', null), eb('due_at', '>', dueAt)]))
    .execute()
}

/**
 * Notes that a mail about an alert was sent: failed ones are due soon. One that another sender
 * holds is due again within `claimSeconds`, and is left alone.
 */
export async function noteEmailReached(
  trx: Trx,
  accountId: string,
  { now, claimSeconds }: { now: Date; claimSeconds: number },
): Promise<void> {
  await trx
    .deleteFrom('alert_channels')
    .where('account_id', '=', accountId)
    .where('kind', '=', 'email')
    .execute()
  await trx
    .updateTable('outbox')
    .set({ next_attempt_at: toInstant(now) })
    .where('account_id', '=', accountId)
    .where('kind', '=', 'email')
    .where('attempts', '>', 0)
    .where('next_attempt_at', '>', toInstant(secondsAfter(now, claimSeconds)))
    .execute()
}

/** Notes that a mail about an alert was given up; the first time stays. */
export async function noteEmailUnreachable(trx: Trx, accountId: string, now: Date): Promise<void> {
  const at = toInstant(now)
  const row = { id: randomId(), account_id: accountId, kind: 'email', address_hash: '' } as const
  await trx
    .insertInto('alert_channels')
    .values({ ...row, target: null, created_at: at, unreachable_since: at })
    .onConflict((each) => each.doNothing())
    .execute()
}

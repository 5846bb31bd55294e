import type { Insertable } from 'kysely'
import { endRest } from '#db/alerts/channel-state.ts'
import { channelNotFound } from '#db/alerts/channels.ts'
import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import type { Instant, Tables, WebhookDeliveryStatus } from '#db/schema.ts'
import type { Sweep } from '#db/sweep.ts'
import { inTransaction } from '#db/transaction.ts'
import {
  type AlertEvent,
  DELIVERY_LIFE_SECONDS,
  LISTED_DELIVERIES,
  lifeOf,
} from '#domain/alerts/alert.ts'
import { DomainError } from '#domain/error.ts'

/** The columns of the outbox that only mails have. */
export const NO_MAIL = { recipient: null, sender_name: null, subject: null, html: null }

/** A delivery of a webhook as its owner sees it. */
export type ListedDelivery = {
  id: string
  type: AlertEvent
  created_at: Instant
  attempts: number
  status: WebhookDeliveryStatus
  /** the last answer: `200`, or the reason for none; null before the first try */
  answer: string | null
  /** while it waits after a failure */
  next_try_at: Instant | null
}

/** Returns the last 50 deliveries of an account's webhook, the newest first. Throws not_found. */
export async function listDeliveries(
  db: DbOrTrx,
  accountId: string,
  channelId: string,
): Promise<ListedDelivery[]> {
  const { rests_until } = await getWebhook(db, accountId, channelId)
  const rows = await db
    .selectFrom('webhook_deliveries')
    .select(['id', 'event as type', 'created_at', 'attempts', 'status', 'answer'])
    .where('channel_id', '=', channelId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(LISTED_DELIVERIES)
    .execute()
  return rows.map((row) => ({
    ...row,
    next_try_at: row.status === 'waiting' && row.answer !== null ? rests_until : null,
  }))
}

async function getWebhook(db: DbOrTrx, accountId: string, id: string) {
  return db
    .selectFrom('alert_channels')
    .select(['rests_until'])
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('kind', '=', 'webhook')
    .executeTakeFirstOrThrow(channelNotFound)
}

export type DeliveryState = Pick<Tables['webhook_deliveries'], 'attempts' | 'status' | 'answer'>
const UNTRIED: DeliveryState = { attempts: 0, status: 'waiting', answer: null }

/** Notes a new delivery, as a step of a transaction; the oldest of more than 50 goes. */
export async function noteDelivery(
  trx: Trx,
  delivery: Omit<Insertable<Tables['webhook_deliveries']>, keyof DeliveryState>,
  state = UNTRIED,
): Promise<void> {
  await trx
    .insertInto('webhook_deliveries')
    .values({ ...delivery, ...state })
    .execute()
  await trx
    .deleteFrom('webhook_deliveries')
    .where('channel_id', '=', delivery.channel_id)
    .where('id', 'not in', ({ selectFrom }) =>
      selectFrom('webhook_deliveries')
        .select('id')
        .where('channel_id', '=', delivery.channel_id)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(LISTED_DELIVERIES),
    )
    .execute()
}

/** Forgets deliveries that are too old to be sent again: they hold what finders wrote. */
export const forgetOldDeliveries: Sweep = async (db, { now }) => {
  await inTransaction(db, async (trx) => {
    await trx
      .deleteFrom('webhook_deliveries')
      .where('created_at', '<=', toInstant(secondsAfter(now, -DELIVERY_LIFE_SECONDS)))
      .where('status', '!=', 'waiting')
      .execute()
  })
}

/**
 * Puts a delivery of an account's webhook into the outbox again, under the id that it had. One that still
 * waits goes out at once. Throws not_found.
 */
export async function sendAgain(
  db: Db,
  accountId: string,
  { channelId, deliveryId }: { channelId: string; deliveryId: string },
  now: Date,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await getWebhook(trx, accountId, channelId)
    const delivery = await trx
      .updateTable('webhook_deliveries')
      .set({ status: 'waiting', answer: null })
      .where('id', '=', deliveryId)
      .where('channel_id', '=', channelId)
      .returningAll()
      .executeTakeFirstOrThrow(() => new DomainError('not_found.delivery'))
    const { id, event, qr_id, share_id, content: text } = delivery
    const times = {
      created_at: toInstant(now),
      next_attempt_at: toInstant(now),
      expires_at: toInstant(secondsAfter(now, lifeOf(event))),
    }
    const to = { kind: 'webhook', account_id: accountId, channel_id: channelId } as const
    await trx
      .insertInto('outbox')
      .values({
        ...NO_MAIL,
        ...times,
        ...to,
        id,
        cause_id: id,
        event,
        qr_id,
        share_id,
        text,
        attempts: 0,
      })
      .onConflict((each) => each.column('id').doUpdateSet(times))
      .execute()
    await endRest(trx, channelId, now)
  })
}

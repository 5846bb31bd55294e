import type { DeliveryContent } from '#db/alerts/alerting.ts'
import { openTarget } from '#db/alerts/channels.ts'
import { isStillShared } from '#db/alerts/people.ts'
import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Db, Trx } from '#db/client.ts'
import type { Instant } from '#db/schema.ts'
import { randomId, type SecretKey, unseal } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import type { ConnectedKind } from '#domain/alerts/alert.ts'

/**
 * Longer than a sender takes for its claims, so that no other sender claims them meanwhile. The
 * claims of a killed sender are due within a minute.
 */
export const CLAIM_SECONDS = 55
/** Deliveries of a channel that are claimed at once. */
const BATCH = 4

export type DueDelivery = {
  id: string
  /** with this one */
  attempts: number
  isLate: boolean
  /** Opens the delivery; undefined when it was sealed with another key. */
  read(): DeliveryContent | undefined
}

/** A channel that something is due for, claimed for a minute by one sender. */
export type ClaimedChannel = {
  id: string
  claim: string
  kind: ConnectedKind
  account_id: string
  /** in a row, until now */
  failures: number
  /** undefined when it was sealed with another key */
  target: object | undefined
  /** the target as it is stored: another one once the channel is connected again */
  sealed: string | null
  deliveries: DueDelivery[]
}

/**
 * Claims up to `most` channels with something due, those that waited longest first, and some of their due
 * deliveries. Those that failed last are left out unless `withFailing`.
 */
export async function claimChannels(
  db: Db,
  key: SecretKey,
  { most, withFailing }: { most: number; withFailing: boolean },
  now: Date,
): Promise<ClaimedChannel[]> {
  const at = toInstant(now)
  const claim = randomId()
  const find = (from: Db | Trx) =>
    findDue(from, at, most)
      .$if(!withFailing, (query) => query.where('failures', '=', 0))
      .$if(from.isTransaction, (query) => query.forUpdate().skipLocked())
  // Nothing is locked while nothing is due.
  if (!(await find(db).executeTakeFirst())) return []
  const channels = await inTransaction(db, async (trx) => {
    const ids = (await find(trx).execute()).map(({ id }) => id)
    if (ids.length === 0) return []
    return trx
      .updateTable('alert_channels')
      .set({ claim, rests_until: toInstant(secondsAfter(now, CLAIM_SECONDS)) })
      .where('id', 'in', ids)
      .returningAll()
      .execute()
  })
  // A claim holds without a lock, which would hold up writers.
  const claimed: ClaimedChannel[] = []
  for (const { id, kind, account_id, failures, ...channel } of channels) {
    const target = openTarget(key, { id, ...channel })?.target
    const deliveries = await listDue(db, key, id, now)
    const connected = kind as ConnectedKind
    const sealed = channel.target
    claimed.push({ id, claim, kind: connected, account_id, failures, target, sealed, deliveries })
  }
  await inTransaction(db, async (trx) => {
    await countTries(trx, claimed)
  })
  return claimed
}

/** Returns whether deliveries are due for at least `many` channels. */
export async function isDueForMany(db: Db, many: number, now: Date): Promise<boolean> {
  return (await findDue(db, toInstant(now), many).execute()).length === many
}

function findDue(from: Db | Trx, at: Instant, most: number) {
  return from
    .selectFrom('alert_channels')
    .select('id')
    .where('due_at', '<=', at)
    .where(({ eb, or }) => or([eb('rests_until', 'is', null), eb('rests_until', '<=', at)]))
    .orderBy('due_at')
    .limit(most)
}

async function listDue(
  db: Db,
  key: SecretKey,
  channelId: string,
  now: Date,
): Promise<DueDelivery[]> {
  const at = toInstant(now)
  const rows = await db
    .selectFrom('outbox')
    .select(['id', 'attempts', 'text', 'expires_at', isStillShared(now).as('is_shared')])
    .where('channel_id', '=', channelId)
    .where('next_attempt_at', '<=', at)
    .orderBy('next_attempt_at')
    .limit(BATCH)
    .execute()
  return rows.map(({ id, attempts, text, expires_at, is_shared }) => {
    const read = () => {
      const opened = unseal(key, id, text)
      return opened === undefined ? undefined : (JSON.parse(opened) as DeliveryContent)
    }
    return { id, attempts: attempts + 1, isLate: !is_shared || expires_at <= at, read }
  })
}

async function countTries(trx: Trx, claimed: ClaimedChannel[]): Promise<void> {
  const ids = claimed.flatMap(({ deliveries }) => deliveries.map(({ id }) => id))
  if (ids.length === 0) return
  await trx
    .updateTable('outbox')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', 'in', ids)
    .execute()
}

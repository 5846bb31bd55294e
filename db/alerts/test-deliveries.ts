import type { DeliveryContent } from '#db/alerts/alerting.ts'
import { noteReached } from '#db/alerts/channel-state.ts'
import { noteDelivery } from '#db/alerts/deliveries.ts'
import { toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import { type SecretKey, seal } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import type { ConnectedKind } from '#domain/alerts/alert.ts'

/** A test of a channel, and its answer. */
export type Tested = {
  channel: { id: string; kind: ConnectedKind }
  id: string
  content: DeliveryContent
  isDelivered: boolean
  answer: string
}

/**
 * Notes the outcome of a test: a channel that it reached counts as reachable, and failed alerts are
 * due at once. A webhook lists it with its other deliveries.
 */
export async function noteTest(
  db: Db,
  key: SecretKey,
  { channel, id, content, isDelivered, answer }: Tested,
  now: Date,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const isThere = isDelivered
      ? await noteReached(trx, channel.id, now)
      : await exists(trx, channel.id)
    if (!isThere || channel.kind !== 'webhook') return
    const { event, qr_id } = content.alert
    const about = { id, channel_id: channel.id, qr_id, event, created_at: toInstant(now) }
    const status = isDelivered ? 'delivered' : 'failed'
    const sealed = seal(key, id, JSON.stringify(content))
    await noteDelivery(trx, { ...about, content: sealed }, { attempts: 1, status, answer })
  })
}

async function exists(db: DbOrTrx, channelId: string): Promise<boolean> {
  const found = db.selectFrom('alert_channels').select('id').where('id', '=', channelId)
  return (await found.executeTakeFirst()) !== undefined
}

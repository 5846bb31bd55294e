import { saveAlertSettings } from '#actions/alerts/settings.ts'
import { type ChannelView, listChannels, removeChannel } from '#db/alerts/channels.ts'
import { listDeliveries } from '#db/alerts/deliveries.ts'
import { getEscalation } from '#db/alerts/escalation-settings.ts'
import { type AlertSettings, getAlertSettings } from '#db/alerts/settings.ts'
import { vapidKeys } from '#mail/channels/vapid-keys.ts'
import { connect, sendDeliveryAgain, sendTest } from '#routes/_http/alerts/channels.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import * as channels from '#routes/api/alerts/_channel-schema.ts'
import * as settings from '#routes/api/alerts/_settings-schema.ts'

/** The alert settings and channels of an account. */
export const notifications = apiRouter()
  .openapi(settings.get, async (c) => {
    const found = await getAlertSettings(c.var.deps.db, requireAccount(c).id)
    return c.json(await toSettings(c, found), 200)
  })
  .openapi(settings.put, async (c) => {
    const change = c.req.valid('json')
    const changed = await saveAlertSettings(c.var.deps, requireAccount(c).id, change)
    return c.json(await toSettings(c, changed), 200)
  })
  .openapi(channels.list, async (c) => {
    const { db, secretKey } = c.var.deps
    const listed = await listChannels(db, secretKey, requireAccount(c).id)
    return c.json({ channels: listed.map(toChannel) }, 200)
  })
  .openapi(channels.connect, async (c) => {
    const connected = await connect(c, c.req.valid('json'))
    if ('connect_url' in connected) return c.json({ type: 'telegram' as const, ...connected }, 201)
    const { channel, secret } = connected
    return c.json({ ...toChannel(channel), ...(secret && { secret }) }, 201)
  })
  .openapi(channels.remove, async (c) => {
    await removeChannel(c.var.deps.db, requireAccount(c).id, c.req.valid('param').id)
    return c.json({ message: 'Channel removed' }, 200)
  })
  .openapi(channels.test, async (c) => {
    await sendTest(c, c.req.valid('param').id)
    return c.json({ message: 'The test arrived' }, 200)
  })
  .openapi(channels.deliveries, async (c) => {
    const { id } = c.req.valid('param')
    const deliveries = await listDeliveries(c.var.deps.db, requireAccount(c).id, id)
    return c.json({ deliveries }, 200)
  })
  .openapi(channels.again, async (c) => {
    const { id: channelId, delivery_id: deliveryId } = c.req.valid('param')
    await sendDeliveryAgain(c, { channelId, deliveryId })
    return c.json({ message: 'The delivery is sent again' }, 200)
  })

async function toSettings(c: AppContext, { choices, sharedChoices, quietHours }: AlertSettings) {
  const { db, channels, secretKey } = c.var.deps
  const { minutes, people } = await getEscalation(db, requireAccount(c).id)
  const idsOf = (some: typeof people) => some.map(({ account_id }) => account_id)
  const { message, scan, lost_scan, due } = sharedChoices
  const escalation = {
    minutes,
    order: idsOf(people),
    at_once: idsOf(people.filter(({ is_at_once }) => is_at_once)),
  }
  const vapid_public_key = channels.push?.isAvailable ? vapidKeys(secretKey).publicKey : null
  const shared_events = { message, scan, lost_scan, due }
  return {
    events: choices,
    shared_events,
    escalation,
    quiet_hours: quietHours,
    vapid_public_key,
  }
}

function toChannel({ kind, isVerified, endpoint_hash: _, ...channel }: ChannelView) {
  return { ...channel, type: kind, is_verified: isVerified }
}

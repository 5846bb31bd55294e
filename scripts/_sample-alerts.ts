import { addChannel } from '#db/alerts/channels.ts'
import { type DeliveryState, noteDelivery } from '#db/alerts/deliveries.ts'
import { changeAlertSettings } from '#db/alerts/settings.ts'
import { secondsAfter, toInstant } from '#db/cast.ts'
import { randomId, seal } from '#db/secrets.ts'
import { setUnreachable } from '#db/seed.ts'
import { inTransaction } from '#db/transaction.ts'
import type { Alert } from '#domain/alerts/alert.ts'
import { daysBefore } from '#scripts/_sample-fleet.ts'
import type { Made } from '#scripts/_sample-made.ts'
import sample from '#scripts/sample/sample.json' with { type: 'json' }

type Past = { days: number; after: DeliveryState }

/** Names under `.example` do not resolve, so that nobody gets an alert of the sample. */
const TOPIC = 'https://ntfy.driveqr.example/deshpande-keys'
const HOOK = 'https://hooks.driveqr.example/driveqr'

/** Adds a topic that is not reachable, quiet hours, and the webhook of the workshop with its log. */
export async function addAlertChannels(made: Made): Promise<void> {
  const { db, people, now, secretKey: key } = made
  const target = { url: TOPIC, token: null }
  const topic = { kind: 'ntfy', name: nameOf(TOPIC), address: TOPIC, target } as const
  const { id } = await addChannel(db, key, people.demo.id, topic, daysBefore(now, 60))
  await setUnreachable(db, id, { since: toInstant(daysBefore(now, 2)), failures: 9 })
  await changeAlertSettings(db, people.demo.id, {
    choices: [{ event: 'police_view', kind: 'email', isOn: true }],
    quietHours: { from: '22:30', to: '06:30' },
  })
  await addWebhook(made, key)
}

async function addWebhook({ db, people, codes, now, config }: Made, key: Buffer): Promise<void> {
  const { workshop } = people
  // Standard Webhooks requires 24 bytes.
  const secret = `whsec_${Buffer.alloc(24, 'sample data').toString('base64')}`
  const target = { url: HOOK, secret }
  const hook = { kind: 'webhook', name: nameOf(HOOK), address: HOOK, target } as const
  const { id: channel_id } = await addChannel(db, key, workshop.id, hook, daysBefore(now, 40))
  const code = codes.find(({ owner_id }) => owner_id === workshop.id)
  const url = `${config.publicUrl}/dashboard`
  const about = { url, isUrgent: false, qr_id: code?.qr_id ?? null }
  const alerts = sample.webhookAlerts as (Pick<Alert, 'event' | 'title' | 'body'> & Past)[]
  await inTransaction(db, async (trx) => {
    for (const { days, after, ...texts } of alerts) {
      const alert: Alert = { ...about, ...texts }
      const id = randomId()
      const at = toInstant(secondsAfter(daysBefore(now, days), 11))
      const content = seal(key, id, JSON.stringify({ at, alert }))
      const { event, qr_id } = alert
      await noteDelivery(trx, { id, channel_id, qr_id, event, created_at: at, content }, after)
    }
  })
}

function nameOf(url: string): string {
  return url.replace(/^https:\/\//, '')
}

import { createHmac } from 'node:crypto'
import type { AlertEvent } from '#domain/alerts/alert.ts'
import type { Channel, Delivery, WebhookTarget } from '#mail/channels/channel.ts'
import type { Guard } from '#mail/guarded-request.ts'

/**
 * Posts to a URL, signed as Standard Webhooks say: https://www.standardwebhooks.com. The receiver knows
 * a delivery that comes again by its id, and a try that somebody replays by its time.
 */
export function createWebhook(guard: Guard, clock: () => Date): Channel<WebhookTarget> {
  return {
    kind: 'webhook',
    isAvailable: true,
    send(delivery, { url, secret }, signal) {
      const timestamp = String(Math.floor(clock().getTime() / 1000))
      const body = JSON.stringify(webhookCall(delivery))
      const headers = {
        'Content-Type': 'application/json',
        'webhook-id': delivery.id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${sign(secret, `${delivery.id}.${timestamp}.${body}`)}`,
      }
      return guard.post(url, { headers, body, signal })
    },
  }
}

/** The payload of a call. The API's description has its schema. */
export type WebhookCall = {
  type: AlertEvent
  timestamp: string
  data: {
    title: string
    body: string
    url: string
    urgent: boolean
    qr_id: string | null
    test?: true | undefined
  }
}

/** Makes the payload of a delivery. */
export function webhookCall({ at, alert }: Delivery): WebhookCall {
  const { event, title, body, url, isUrgent, qr_id, isTest } = alert
  const data = { title, body, url, urgent: isUrgent, qr_id, ...(isTest && { test: isTest }) }
  return { type: event, timestamp: at, data }
}

function sign(secret: string, content: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return createHmac('sha256', key).update(content).digest('base64')
}

import { type OpenAPIHono, z } from '@hono/zod-openapi'
import { EVENT_WORDS, type OfferedEvent, offeredEvents } from '#components/alerts/alert-words.ts'
import { type WebhookCall, webhookCall } from '#mail/channels/webhook.ts'
import type { AppEnv } from '#routes/_http/context.ts'

const data = z
  .object({
    title: z.string(),
    body: z.string().openapi({ description: 'plain text, of one or more lines' }),
    url: z.url().openapi({ description: 'where to look; it signs nobody in' }),
    urgent: z.boolean().openapi({ description: 'an accident or a lost code' }),
    qr_id: z.string().nullable().openapi({ description: 'the code that it is about' }),
    test: z.literal(true).optional().openapi({ description: 'only in tests' }),
  })
  .openapi('WebhookData') satisfies z.ZodType<WebhookCall['data']>

const headers = z.object({
  'webhook-id': z.string().openapi({ description: 'the same when a delivery comes again' }),
  'webhook-timestamp': z.string().regex(/^\d+$/).openapi({ description: 'seconds since 1970' }),
  'webhook-signature': z.string().openapi({ description: 'v1, and an HMAC-SHA256 in Base64' }),
})

/** Describes the calls to the webhooks of owners, one for each event. */
export function describeWebhooks(app: OpenAPIHono<AppEnv>, publicUrl: string): void {
  for (const event of offeredEvents()) {
    const { label, hint } = EVENT_WORDS[event]
    const content = {
      'application/json': { schema: callOf(event), example: exampleOf(event, publicUrl) },
    }
    app.openAPIRegistry.registerWebhook({
      method: 'post',
      path: event,
      operationId: `on_${event}`,
      summary: label,
      description: hint,
      tags: ['Alerts'],
      security: [],
      request: { headers, body: { required: true, content } },
      responses: { '2XX': { description: 'Delivered. Any other answer is tried again' } },
    })
  }
}

function callOf(event: OfferedEvent) {
  const timestamp = z.iso.datetime().openapi({ description: 'when it happened' })
  return z.object({ type: z.literal(event), timestamp, data }) satisfies z.ZodType<WebhookCall>
}

/** Returns an example, made as calls are made. */
function exampleOf(event: OfferedEvent, publicUrl: string): WebhookCall {
  const { label: title } = EVENT_WORDS[event]
  const words = { title, body: 'MH 12 AB 1234', url: `${publicUrl}/dashboard` }
  const alert = { event, ...words, isUrgent: false, qr_id: '7K3MQ9WD4XTP' }
  return webhookCall({ id: 'example', at: '2026-11-20T09:59:00.000Z', alert })
}

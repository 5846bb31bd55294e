import { z } from '@hono/zod-openapi'
import {
  ALERT_EVENTS,
  CHANNEL_KINDS,
  LISTED_DELIVERIES,
  MOST_CHANNELS,
} from '#domain/alerts/alert.ts'
import { newChannel } from '#routes/_http/alerts/channels.ts'
import { sessionCalls } from '#routes/api/_call.ts'
import { answer, jsonBody } from '#routes/api/_payloads.ts'

const call = sessionCalls('Alerts')
const instant = z.iso.datetime()

const channel = z
  .object({
    id: z.string().openapi({ description: '`email` for the address of the account' }),
    type: z.enum(CHANNEL_KINDS),
    name: z.string().nullable().openapi({
      description: 'where it leads, as the settings show it; null if it cannot be read any more',
    }),
    is_verified: z
      .boolean()
      .openapi({ description: 'nothing is sent to an address that is not verified' }),
    created_at: instant,
    delivered_at: instant.nullable().openapi({ description: 'when it last took an alert' }),
    unreachable_since: instant.nullable(),
  })
  .openapi('AlertChannel')

const connected = channel
  .extend({
    secret: z
      .string()
      .optional()
      .openapi({ description: 'of a webhook without a secret of its own; in this answer alone' }),
  })
  .openapi('NewAlertChannel')

const invitation = z
  .object({
    type: z.literal('telegram'),
    connect_url: z.string().openapi({ description: 'connects the chat that opens it, once' }),
    expires_at: instant,
  })
  .openapi('TelegramInvitation')

export const list = call('listAlertChannels', 'List where alerts go', {
  get: '/channels',
  200: answer(
    'The e-mail address first, then the others as they came',
    z.object({ channels: z.array(channel) }),
  ),
})

export const connect = call(
  'connectAlertChannel',
  'Connect a channel, or begin to connect Telegram',
  {
    post: '/channels',
    makes: true,
    secrets: ['secret', 'connect_url'],
    body: jsonBody(newChannel, { type: 'ntfy', url: 'https://ntfy.sh/my-keys-7d1f', token: null }),
    201: answer(
      `The channel, or the link that connects a chat; an account has at most ${MOST_CHANNELS}`,
      z.union([connected, invitation]),
    ),
    problems: [409],
  },
)

export const remove = call('removeAlertChannel', 'Disconnect a channel', {
  delete: '/channels/{id}',
  200: 'Nothing goes there any more',
})

export const test = call('testAlertChannel', 'Send a test to a channel', {
  post: '/channels/{id}/test',
  200: 'It arrived. Otherwise the answer is 503, and says why',
  problems: [409],
})

const delivery = z
  .object({
    id: z.string().openapi({ description: 'the `webhook-id` of all its tries' }),
    type: z.enum(ALERT_EVENTS),
    created_at: instant,
    attempts: z.int(),
    status: z.enum(['waiting', 'delivered', 'failed']),
    answer: z
      .string()
      .nullable()
      .openapi({ description: 'what came back last: a status, or why there was none' }),
    next_try_at: instant.nullable(),
  })
  .openapi('WebhookDelivery')

export const deliveries = call('listWebhookDeliveries', 'List the last deliveries of a webhook', {
  get: '/channels/{id}/deliveries',
  200: answer(
    `The last ${LISTED_DELIVERIES}, newest first`,
    z.object({ deliveries: z.array(delivery) }),
  ),
})

export const again = call('sendWebhookDeliveryAgain', 'Send a delivery of a webhook again', {
  post: '/channels/{id}/deliveries/{delivery_id}/again',
  200: 'It is sent again, under the same id',
})

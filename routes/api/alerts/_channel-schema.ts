import { z } from '@hono/zod-openapi'
import {
  ALERT_EVENTS,
  CHANNEL_KINDS,
  LISTED_DELIVERIES,
  MOST_CHANNELS,
} from '#domain/alerts/alert.ts'
import { newChannel } from '#routes/_http/alerts/forms.ts'
import { signedIn } from '#routes/_http/guards.ts'
import { answer, jsonBody, message, problems, sessionSecurity } from '#routes/_http/schema.ts'
import { apiCall, idParams } from '#routes/api/_call.ts'

const asOwner = { subject: 'Alerts', middleware: signedIn, security: sessionSecurity } as const
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

export const list = apiCall({
  ...asOwner,
  operationId: 'listAlertChannels',
  summary: 'List where alerts go',
  method: 'get',
  path: '/channels',
  responses: {
    200: answer(
      'The e-mail address first, then the others as they came',
      z.object({ channels: z.array(channel) }),
    ),
  },
})

export const connect = apiCall({
  ...asOwner,
  operationId: 'connectAlertChannel',
  summary: 'Connect a channel, or begin to connect Telegram',
  method: 'post',
  path: '/channels',
  request: {
    body: jsonBody(newChannel, { type: 'ntfy', url: 'https://ntfy.sh/my-keys-7d1f', token: null }),
  },
  responses: {
    201: answer(
      `The channel, or the link that connects a chat; an account has at most ${MOST_CHANNELS}`,
      z.union([connected, invitation]),
    ),
    ...problems(409),
  },
})

export const remove = apiCall({
  ...asOwner,
  operationId: 'removeAlertChannel',
  summary: 'Disconnect a channel',
  method: 'delete',
  path: '/channels/{id}',
  request: { params: idParams },
  responses: { 200: answer('Nothing goes there any more', message), ...problems(404) },
})

export const test = apiCall({
  ...asOwner,
  operationId: 'testAlertChannel',
  summary: 'Send a test to a channel',
  method: 'post',
  path: '/channels/{id}/test',
  request: { params: idParams },
  responses: {
    200: answer('It arrived. Otherwise the answer is 503, and says why', message),
    ...problems(404, 409),
  },
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

export const deliveries = apiCall({
  ...asOwner,
  operationId: 'listWebhookDeliveries',
  summary: 'List the last deliveries of a webhook',
  method: 'get',
  path: '/channels/{id}/deliveries',
  request: { params: idParams },
  responses: {
    200: answer(
      `The last ${LISTED_DELIVERIES}, newest first`,
      z.object({ deliveries: z.array(delivery) }),
    ),
    ...problems(404),
  },
})

export const again = apiCall({
  ...asOwner,
  operationId: 'sendWebhookDeliveryAgain',
  summary: 'Send a delivery of a webhook again',
  method: 'post',
  path: '/channels/{id}/deliveries/{delivery_id}/again',
  request: { params: z.object({ id: z.string(), delivery_id: z.string() }) },
  responses: { 200: answer('It is sent again, under the same id', message), ...problems(404) },
})

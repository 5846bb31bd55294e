import { z } from '@hono/zod-openapi'
import { testChannel } from '#actions/alerts/channels.ts'
import {
  type Connected,
  connectChannel,
  type Invitation,
  inviteTelegram,
} from '#actions/alerts/connecting.ts'
import { getTarget } from '#db/alerts/channels.ts'
import { sendAgain } from '#db/alerts/deliveries.ts'
import { CONNECTED_KINDS } from '#domain/alerts/alert.ts'
import { assertWebhooks } from '#domain/alerts/connecting.ts'
import { type AppContext, loggedDeps } from '#routes/_http/context.ts'
import { requireAccount, requireCaller } from '#routes/_http/guards.ts'
import { limit } from '#routes/_http/rate-limits.ts'
import { mustBe, payload, text } from '#routes/_http/schema.ts'

/**
 * Connects a channel. For Telegram, returns the link that connects a chat. Throws too_many, and the errors of
 * `connectChannel` and `inviteTelegram`.
 */
export async function connect(
  c: AppContext,
  { type, ...wanted }: z.output<typeof newChannel>,
): Promise<Connected | Invitation> {
  limit(c, 'alert-connect')
  const caller = requireCaller(c)
  if (type === 'telegram') return inviteTelegram(c.var.deps, caller)
  const owner = { ...requireAccount(c), ...caller }
  const userAgent = c.req.header('User-Agent')
  return connectChannel(loggedDeps(c), owner, { ...wanted, type, userAgent })
}

/** Sends a test to a channel of the account. Throws too_many, and the errors of `testChannel`. */
export async function sendTest(c: AppContext, channelId: string): Promise<void> {
  limit(c, 'alert-test')
  await testChannel(loggedDeps(c), requireAccount(c), channelId)
}

/** Sends a delivery of a webhook again. Throws too_many, not_found, and forbidden for other plans. */
export async function sendDeliveryAgain(
  c: AppContext,
  delivery: { channelId: string; deliveryId: string },
): Promise<void> {
  limit(c, 'alert-test')
  const { db, secretKey, clock, outbox } = c.var.deps
  const account = requireAccount(c)
  await getTarget(db, secretKey, account.id, delivery.channelId)
  assertWebhooks(account)
  await sendAgain(db, account.id, delivery, clock())
  outbox.wake()
}

/** The longest address that is taken. */
const LONGEST_URL = 2_000

const required = (name: string, longest?: number) =>
  text(name, longest).transform((value) => value ?? '')

const subscription = payload({
  endpoint: required('endpoint', LONGEST_URL),
  keys: payload({ p256dh: required('p256dh'), auth: required('auth') }),
})
  .nullish()
  .openapi({ description: 'of push: as `PushSubscription.toJSON()` makes it' })

/** A new channel, as the forms and the API call send it. */
export const newChannel = payload({
  type: z.enum(CONNECTED_KINDS, mustBe('Type', `one of ${CONNECTED_KINDS.join(', ')}`)),
  url: text('URL', LONGEST_URL).openapi({ description: 'of ntfy: its topic; of a webhook' }),
  token: text('Token').openapi({ description: 'of ntfy, if the topic is protected' }),
  secret: text('Secret').openapi({
    description: 'of a webhook: `whsec_` and base64; without one it is made',
  }),
  subscription,
})

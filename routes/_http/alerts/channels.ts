import type { z } from '@hono/zod-openapi'
import { testChannel } from '#actions/alerts/channels.ts'
import {
  type Connected,
  connectChannel,
  type Invitation,
  inviteTelegram,
} from '#actions/alerts/connecting.ts'
import { getTarget } from '#db/alerts/channels.ts'
import { sendAgain } from '#db/alerts/deliveries.ts'
import { assertWebhooks } from '#domain/alerts/connecting.ts'
import type { newChannel } from '#routes/_http/alerts/forms.ts'
import { type AppContext, loggedDeps } from '#routes/_http/context.ts'
import { requireAccount, requireCaller } from '#routes/_http/guards.ts'
import { limit } from '#routes/_http/rate-limits.ts'

/**
 * Connects a channel; of Telegram it is the link that connects a chat. Throws too_many, and as
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

/** Sends a test to a channel of the account. Throws too_many, and as `testChannel`. */
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

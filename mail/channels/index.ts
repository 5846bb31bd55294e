import type { Config } from '#config.ts'
import type { Channels } from '#mail/channels/channel.ts'
import { createNtfy } from '#mail/channels/ntfy.ts'
import { createPush } from '#mail/channels/push.ts'
import { createTelegram } from '#mail/channels/telegram.ts'
import { vapidKeys } from '#mail/channels/vapid-keys.ts'
import { createWebhook } from '#mail/channels/webhook.ts'
import { createGuard } from '#mail/guarded-request.ts'
import type { Telegram } from '#mail/telegram/api.ts'

type ChannelOptions = {
  config: Config
  /** what the keys of channels are derived from */
  secretKey: Buffer
  clock: () => Date
  /** undefined without a bot */
  telegram: Telegram | undefined
}

/** Creates the channels of this installation. */
export function createChannels({ config, secretKey, clock, telegram }: ChannelOptions): Channels {
  const guard = createGuard(config)
  return {
    push: createPush(guard, config, vapidKeys(secretKey)),
    telegram: createTelegram(telegram),
    ntfy: createNtfy(guard),
    webhook: createWebhook(guard, clock),
  }
}

import type { Config } from '#config.ts'
import type { Channels } from '#mail/channels/channel.ts'

/** `secretKey` is what the keys of channels are derived from. */
export type ChannelOptions = { config: Config; secretKey: Buffer }

/** The channels of this installation, a line each. */
export function createChannels(_options: ChannelOptions): Partial<Channels> {
  return {}
}

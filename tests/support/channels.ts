import { type AlertEvent, CHANNEL_KINDS, type ConnectedKind } from '#domain/alerts/alert.ts'
import type { Channels, Delivery, Outcome } from '#mail/channels/channel.ts'

/** A delivery that arrived somewhere, or was tried. */
export type Tried = Delivery & { kind: ConnectedKind; target: object; event: AlertEvent }
type Behave = (tried: Tried) => Outcome | Promise<Outcome>

export const delivered: Outcome = { result: 'delivered', status: 200 }
export const dead: Outcome = { result: 'failed', why: 'no answer in 5 s' }

/** Creates channels that note their deliveries, and answer on demand. */
export function recordingChannels() {
  const tried: Tried[] = []
  let behave: Behave = () => delivered
  const channels = Object.fromEntries(
    CHANNEL_KINDS.map((kind) => [
      kind,
      {
        kind,
        isAvailable: true,
        async send(delivery: Delivery, target: object) {
          const each = { ...delivery, kind, target, event: delivery.alert.event } as Tried
          tried.push(each)
          return behave(each)
        },
      },
    ]),
  ) as unknown as Channels
  return {
    channels,
    tried,
    behave(as: Behave) {
      behave = as
    },
  }
}

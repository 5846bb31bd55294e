import type { Alert, ChannelKind, ConnectedKind } from '#domain/alerts/alert.ts'

export type Delivery = {
  /** of its row in the outbox: the same at each try */
  id: string
  /** the instant of the event */
  at: string
  alert: Alert
}

/** `why` is for the owner and the log: plain text without an address or a secret. */
export type Outcome =
  | { result: 'delivered' /** of the answer */; status?: number }
  /** This target never works again. */
  | { result: 'gone'; why: string }
  | { result: 'failed'; why: string; status?: number /** in seconds */; retryAfter?: number }

/** Returns the answer of a channel, for the owner. */
export function answerOf(outcome: Outcome): string {
  return outcome.result === 'delivered' ? String(outcome.status ?? 'delivered') : outcome.why
}

/** A way in which an alert reaches somebody. A further one is one file and a line in `index.ts`. */
export type Channel<Target> = {
  kind: ChannelKind
  /** whether this installation can use it */
  isAvailable: boolean
  /** for the operator, if it cannot */
  whyNot?: string
  /** Never rejects because of the target. The signal aborts a try that takes too long. */
  send(delivery: Delivery, target: Target, signal: AbortSignal): Promise<Outcome>
}

/** The target of each kind of channel. It is stored sealed. */
export type PushTarget = { endpoint: string; p256dh: string; auth: string }
export type TelegramTarget = {
  chat_id: number
  /** of the code that connected it */
  code_hash?: string
}
export type NtfyTarget = { url: string; token: string | null }
export type WebhookTarget = { url: string; secret: string }
type Targets = {
  push: PushTarget
  telegram: TelegramTarget
  ntfy: NtfyTarget
  webhook: WebhookTarget
}

/** The channels that accounts connect. */
export type Channels = { [Kind in ConnectedKind]: Channel<Targets[Kind]> }

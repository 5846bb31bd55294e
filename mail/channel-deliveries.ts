import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Alert, ConnectedKind } from '#domain/alerts/alert.ts'
import { answerOf, type Channel, type Channels, type Outcome } from '#mail/channels/channel.ts'

type DueDelivery = {
  id: string
  attempts: number
  isLate: boolean
  /** Opens the delivery; undefined when it was sealed with another key. */
  read(): { at: string; alert: Alert } | undefined
}

export type DueChannel = {
  id: string
  kind: ConnectedKind
  /** in a row, until now */
  failures: number
  target: object | undefined
  deliveries: DueDelivery[]
}

type FailedTry = { id: string; why: string; retryAfter: number }

/** The outcomes of the deliveries of a claimed channel. `untried` were not sent, because another failed. */
export type Settled<Claimed> = {
  channel: Claimed
  delivered: { id: string; answer: string }[]
  failed: FailedTry[]
  late: string[]
  untried: string[]
  /** why the channel is never used again */
  gone?: string
}

/** Deliveries of one channel on their way at the same time, while it does not fail. */
const DELIVERIES_AT_ONCE = 4
const SEND_LIMIT_MS = 10_000
/** At most two deliveries begin in 2 ms. That is more than 500 a second, and leaves most of a core to others. */
const BEGUN_IN_TURN = 2
const TURN_MS = 2
type Delivering = {
  channels: Channels
  log: Logger
  isStopped: () => boolean
  /** resolves when the next delivery may begin */
  takeTurn: () => Promise<unknown>
}

/** Makes the due deliveries of a claimed channel, until one fails. */
export async function deliverAll<Claimed extends DueChannel>(
  channel: Claimed,
  { channels, log, isStopped, takeTurn }: Delivering,
): Promise<Settled<Claimed>> {
  const { id, kind, failures, deliveries } = channel
  const late = deliveries.filter(({ isLate }) => isLate)
  for (const each of late) {
    log.error({ channel: id, kind, delivery: each.id, attempts: each.attempts }, 'alert given up')
  }
  const waiting = deliveries.filter(({ isLate }) => !isLate)
  const settled: Settled<Claimed> = {
    channel,
    delivered: [],
    failed: [],
    late: late.map((each) => each.id),
    untried: [],
  }
  async function deliverInTurn(): Promise<void> {
    for (;;) {
      const isOver = isStopped() || settled.failed.length > 0 || settled.gone !== undefined
      const next = isOver ? undefined : waiting.shift()
      if (!next) return
      await takeTurn()
      note(settled, next, await deliver(channel, next, channels, log), log)
    }
  }
  const atOnce = failures > 0 ? 1 : DELIVERIES_AT_ONCE
  await Promise.all(Array.from({ length: atOnce }, deliverInTurn))
  settled.untried = waiting.map((each) => each.id)
  return settled
}

/** Paces deliveries: few begin at a time, so that requests are answered in between. */
export function createPace(): () => Promise<unknown> {
  let lastTurn: Promise<unknown> = Promise.resolve()
  let begun = 0
  return () => {
    begun++
    if (begun % BEGUN_IN_TURN === 0) lastTurn = lastTurn.then(() => sleep(TURN_MS))
    return lastTurn
  }
}

function note(
  settled: Settled<DueChannel>,
  { id, attempts }: DueDelivery,
  outcome: Outcome,
  log: Logger,
): void {
  if (outcome.result === 'delivered') {
    settled.delivered.push({ id, answer: answerOf(outcome) })
    return
  }
  const { id: channel, kind } = settled.channel
  const facts = { channel, kind, delivery: id, attempts, why: outcome.why }
  if (outcome.result === 'gone') {
    settled.gone = outcome.why
    log.warn(facts, 'channel removed: it is gone')
    return
  }
  const { why, retryAfter = 0, status } = outcome
  settled.failed.push({ id, why, retryAfter })
  log.warn({ ...facts, status }, 'alert failed')
}

async function deliver(
  { kind, target }: DueChannel,
  { id, read }: DueDelivery,
  channels: Channels,
  log: Logger,
): Promise<Outcome> {
  const channel = channels[kind] as Channel<object>
  if (!channel.isAvailable) return failed(channel.whyNot ?? '')
  const content = read()
  if (!target || !content) return failed('it was encrypted with another secret.key')
  try {
    return await channel.send({ id, ...content }, target, AbortSignal.timeout(SEND_LIMIT_MS))
  } catch (error) {
    log.error({ err: error, kind, delivery: id }, 'the alert could not be sent')
    return failed('internal error')
  }
}

function failed(why: string): Outcome {
  return { result: 'failed', why }
}

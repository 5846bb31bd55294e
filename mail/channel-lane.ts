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
type Settled<Claimed> = {
  channel: Claimed
  delivered: { id: string; answer: string }[]
  failed: FailedTry[]
  late: string[]
  untried: string[]
  /** why the channel is never used again */
  gone?: string
}

/** The deliveries to channels in the outbox. */
export type ChannelQueue<Claimed extends DueChannel> = {
  /** whether something is due for at least so many channels */
  isDueForMany(many: number): Promise<boolean>
  claimChannels(options: { most: number; withFailing: boolean }): Promise<Claimed[]>
  settleChannels(settled: Settled<Claimed>[]): Promise<void>
}

/** Channels that are sent to at the same time. */
const CHANNELS_AT_ONCE = 64
/** The most channels at once whose last delivery failed: they may take long, and must not hold up the others. */
const FAILING_AT_ONCE = 16
/** One transaction claims or settles this many, so that it does not hold up requests. */
const CLAIMED_AT_ONCE = 8
/** Deliveries of one channel on their way at the same time, while it does not fail. */
const DELIVERIES_AT_ONCE = 4
const SEND_LIMIT_MS = 10_000
/** So many deliveries begin in so many milliseconds: more than 500 a second, which leave most of a core. */
const BEGUN_IN_TURN = 2
const TURN_MS = 2
/** The outcomes of this time are written in one transaction. */
const GATHER_MS = 8

/**
 * Delivers queued alerts, to many channels at the same time. A delivery is removed after the channel
 * accepted it, so a crash in between delivers it twice, under the same id, rather than never.
 */
export function openChannelLane<Claimed extends DueChannel>({
  outbox,
  channels,
  log,
  deliverBeside,
}: {
  outbox: ChannelQueue<Claimed>
  channels: Channels
  log: Logger
  /** Delivers all that is due in another thread, when there is much. */
  deliverBeside?: (() => Promise<void>) | undefined
}) {
  let isStopped = false
  let isPending = false
  let running: Promise<void> | undefined
  let done: Settled<Claimed>[] = []
  let lastTurn: Promise<unknown> = Promise.resolve()
  let begun = 0
  let beside: Promise<void> | undefined
  /** Whether the other thread has, since something was claimed here. */
  let hasEnded = false
  const working = new Map<string, { isFailing: boolean; work: Promise<void> }>()

  function look(): void {
    isPending = true
    running ??= run()
  }

  async function run(): Promise<void> {
    try {
      while (isPending) {
        isPending = false
        if (done.length > 0) await sleep(GATHER_MS)
        await settleDone()
        // Not after the first delivery, which takes as long as many, because its code is compiled. But a
        // thread that dies is not begun over and over: in between some are claimed here.
        const mayBegin = !hasEnded
        hasEnded = false
        if (mayBegin) await deliverManyBeside()
        while (await claimMore()) await deliverManyBeside()
      }
    } catch (error) {
      log.error({ err: error }, 'the outbox could not be used')
    } finally {
      running = undefined
    }
  }

  async function settleDone(): Promise<void> {
    const settled = done.slice(0, CLAIMED_AT_ONCE)
    if (settled.length === 0) return
    await outbox.settleChannels(settled)
    done = done.slice(settled.length)
    if (done.length > 0) isPending = true
  }

  /** Meanwhile nothing is claimed here. */
  async function deliverManyBeside(): Promise<void> {
    if (!deliverBeside || beside || isStopped) return
    if (!(await outbox.isDueForMany(CLAIMED_AT_ONCE))) return
    beside = deliverBeside()
      .catch((err) => log.error({ err }, 'no thread could be begun to deliver alerts'))
      .finally(() => {
        beside = undefined
        hasEnded = true
        look()
      })
  }

  /** Whether there may be more to claim. */
  async function claimMore(): Promise<boolean> {
    const failing = [...working.values()].filter(({ isFailing }) => isFailing).length
    // Deliveries that are done but not settled count too, so that they are settled long before
    // their claim ends.
    const most = Math.min(CLAIMED_AT_ONCE, CHANNELS_AT_ONCE - working.size - done.length)
    if (isStopped || beside || most <= 0) return false
    const withFailing = failing < FAILING_AT_ONCE
    const claimed = await outbox.claimChannels({ most, withFailing })
    for (const channel of claimed) begin(channel)
    // Lets requests in between.
    if (claimed.length > 0) await sleep(0)
    return claimed.length === most
  }

  function begin(channel: Claimed): void {
    const work = deliverAll(channel).then((settled) => {
      done.push(settled)
      working.delete(channel.id)
      look()
    })
    working.set(channel.id, { isFailing: channel.failures > 0, work })
  }

  async function deliverAll(channel: Claimed): Promise<Settled<Claimed>> {
    const { id, kind, failures, deliveries } = channel
    const settled: Settled<Claimed> = { channel, delivered: [], failed: [], late: [], untried: [] }
    const waiting: DueDelivery[] = []
    for (const each of deliveries) {
      if (!each.isLate) waiting.push(each)
      else {
        settled.late.push(each.id)
        log.error(
          { channel: id, kind, delivery: each.id, attempts: each.attempts },
          'alert given up',
        )
      }
    }
    async function deliverInTurn(): Promise<void> {
      for (;;) {
        const isOver = isStopped || settled.failed.length > 0 || settled.gone !== undefined
        const next = isOver ? undefined : waiting.shift()
        if (!next) return
        await takeTurn()
        note(channel, settled, next, await deliver(channel, next))
      }
    }
    const atOnce = failures > 0 ? 1 : DELIVERIES_AT_ONCE
    await Promise.all(Array.from({ length: atOnce }, deliverInTurn))
    settled.untried.push(...waiting.map((each) => each.id))
    return settled
  }

  /** Few deliveries begin at a time, so that requests are answered in between. */
  function takeTurn(): Promise<unknown> {
    begun++
    if (begun % BEGUN_IN_TURN === 0) lastTurn = lastTurn.then(() => sleep(TURN_MS))
    return lastTurn
  }

  function note(
    { id: channel, kind }: Claimed,
    settled: Settled<Claimed>,
    { id, attempts }: DueDelivery,
    outcome: Outcome,
  ): void {
    if (outcome.result === 'delivered') {
      settled.delivered.push({ id, answer: answerOf(outcome) })
      return
    }
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

  async function deliver({ kind, target }: Claimed, { id, read }: DueDelivery): Promise<Outcome> {
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

  /** Resolves when nothing is on its way, and the database knows it. */
  async function settled(): Promise<void> {
    while (running || beside || working.size > 0) {
      await running
      await beside
      await Promise.all([...working.values()].map(({ work }) => work))
    }
  }

  return {
    look,
    settled,
    /** Begins no further delivery; the answer waits for those on their way. */
    async stop() {
      isStopped = true
      await settled()
    },
  }
}

function failed(why: string): Outcome {
  return { result: 'failed', why }
}

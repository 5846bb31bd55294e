import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createPace, type DueChannel, deliverAll, type Settled } from '#mail/channel-deliveries.ts'
import type { Channels } from '#mail/channels/channel.ts'

/** The deliveries to channels in the outbox. */
export type ChannelQueue<Claimed extends DueChannel> = {
  /** whether deliveries are due for at least `many` channels */
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
/** The outcomes of this time are written in one transaction. */
const GATHER_MS = 8

type ChannelLaneDeps<Claimed extends DueChannel> = {
  outbox: ChannelQueue<Claimed>
  channels: Channels
  log: Logger
  /** Delivers all that is due in another thread, when there is much. */
  deliverBeside?: (() => Promise<void>) | undefined
}

/**
 * Delivers queued alerts, to many channels at the same time. A delivery is removed after the channel
 * accepted it, so a crash in between delivers it twice, under the same id, rather than never.
 */
export function openChannelLane<Claimed extends DueChannel>(deps: ChannelLaneDeps<Claimed>) {
  const { outbox, channels, log } = deps
  let isStopped = false
  let isPending = false
  let running: Promise<void> | undefined
  const done = createDone(outbox)
  const beside = createBeside(deps, () => isStopped, look)
  const delivering = { channels, log, isStopped: () => isStopped, takeTurn: createPace() }
  const working = new Map<string, { isFailing: boolean; work: Promise<void> }>()

  function look(): void {
    isPending = true
    running ??= run()
  }

  async function run(): Promise<void> {
    try {
      while (isPending) {
        isPending = false
        if (done.count() > 0) await sleep(GATHER_MS)
        if (await done.settleSome()) isPending = true
        // Not after the first delivery, which takes as long as many, because its code is compiled. But a
        // thread that dies is not begun over and over: in between some are claimed here.
        if (!beside.takeEnd()) await beside.beginIfMany()
        while (await claimMore()) await beside.beginIfMany()
      }
    } catch (error) {
      log.error({ err: error }, 'the outbox could not be used')
    } finally {
      running = undefined
    }
  }

  /** Whether there may be more to claim. */
  async function claimMore(): Promise<boolean> {
    const failing = [...working.values()].filter(({ isFailing }) => isFailing).length
    // Deliveries that are done but not settled count too, so that they are settled long before
    // their claim ends.
    const most = Math.min(CLAIMED_AT_ONCE, CHANNELS_AT_ONCE - working.size - done.count())
    if (isStopped || beside.work() || most <= 0) return false
    const withFailing = failing < FAILING_AT_ONCE
    const claimed = await outbox.claimChannels({ most, withFailing })
    for (const channel of claimed) begin(channel)
    // Lets requests in between.
    if (claimed.length > 0) await sleep(0)
    return claimed.length === most
  }

  function begin(channel: Claimed): void {
    const work = deliverAll(channel, delivering).then((settled) => {
      done.add(settled)
      working.delete(channel.id)
      look()
    })
    working.set(channel.id, { isFailing: channel.failures > 0, work })
  }

  /** Resolves when nothing is on its way, and the database knows it. */
  async function settled(): Promise<void> {
    while (running || beside.work() || working.size > 0) {
      await running
      await beside.work()
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

/** Keeps outcomes until they are settled, some in each transaction. */
function createDone<Claimed extends DueChannel>(outbox: ChannelQueue<Claimed>) {
  let done: Settled<Claimed>[] = []
  return {
    count: () => done.length,
    add: (settled: Settled<Claimed>) => done.push(settled),
    /** Returns whether more are left. */
    async settleSome(): Promise<boolean> {
      const settled = done.slice(0, CLAIMED_AT_ONCE)
      if (settled.length === 0) return false
      await outbox.settleChannels(settled)
      done = done.slice(settled.length)
      return done.length > 0
    },
  }
}

/** Has another thread deliver while much is due. This one claims nothing during that time. */
function createBeside<Claimed extends DueChannel>(
  { outbox, deliverBeside, log }: ChannelLaneDeps<Claimed>,
  isStopped: () => boolean,
  onEnd: () => void,
) {
  let work: Promise<void> | undefined
  let hasEnded = false
  return {
    work: () => work,
    async beginIfMany(): Promise<void> {
      if (!deliverBeside || work || isStopped()) return
      if (!(await outbox.isDueForMany(CLAIMED_AT_ONCE))) return
      work = deliverBeside()
        .catch((err) => log.error({ err }, 'no thread could be begun to deliver alerts'))
        .finally(() => {
          work = undefined
          hasEnded = true
          onEnd()
        })
    },
    /** Returns whether the thread has ended since the last call. */
    takeEnd(): boolean {
      const had = hasEnded
      hasEnded = false
      return had
    },
  }
}

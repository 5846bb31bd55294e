import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import type { DueChannel } from '#mail/channel-deliveries.ts'
import { type ChannelQueue, openChannelLane } from '#mail/channel-lane.ts'
import type { Channels, Outcome } from '#mail/channels/channel.ts'
import { ALERT } from '#tests/support/alerts.ts'

const log = pino({ enabled: false })

/** A lane with much that is due; counts how often it was claimed and a thread was begun. */
function openCountedLane(thread: () => Promise<void>) {
  const counts = { begun: 0, claims: 0 }
  const lane = openChannelLane({
    outbox: {
      isDueForMany: async () => true,
      claimChannels: async () => {
        counts.claims++
        return []
      },
      settleChannels: async () => {},
    },
    channels: {} as Channels,
    log,
    deliverBeside() {
      counts.begun++
      return thread()
    },
  })
  return { lane, counts }
}

test.each([
  ['dies at once', () => sleep(1)],
  ['cannot be begun', () => Promise.reject(new Error('no thread is left'))],
])('a thread that %s is not begun over and over', async (_, thread) => {
  const { lane, counts } = openCountedLane(thread)
  lane.look()
  await lane.settled()
  // In between it is looked what can be delivered here.
  expect(counts).toEqual({ begun: 1, claims: 1 })
  await lane.stop()
})

/** The channels that are due, whose targets answer when the test says so. */
function openLane(due: DueChannel[], deliverBeside?: () => Promise<void>) {
  const onTheirWay = new Map<string, (outcome: Outcome) => void>()
  const sent: string[] = []
  const settled: Parameters<ChannelQueue<DueChannel>['settleChannels']>[0] = []
  const webhook: Channels['webhook'] = {
    kind: 'webhook',
    isAvailable: true,
    send: ({ id }) => {
      sent.push(id)
      return new Promise((resolve) => onTheirWay.set(id, resolve))
    },
  }
  const outbox: ChannelQueue<DueChannel> = {
    isDueForMany: async (many) => due.length >= many,
    claimChannels: async ({ most, withFailing }) => {
      const claimed = due.filter(({ failures }) => withFailing || failures === 0).slice(0, most)
      due = due.filter((each) => !claimed.includes(each))
      return claimed
    },
    settleChannels: async (done) => void settled.push(...done),
  }
  const lane = openChannelLane({ outbox, channels: { webhook } as Channels, log, deliverBeside })
  const answer = (id: string, outcome: Outcome = { result: 'delivered', status: 200 }) => {
    onTheirWay.get(id)?.(outcome)
    onTheirWay.delete(id)
  }
  return {
    ...lane,
    webhook,
    sent,
    settled,
    answer,
    answerAll(): void {
      for (const id of [...onTheirWay.keys()]) answer(id)
    },
    /** Waits for so many tries on their way, and long enough for one too many. */
    async expectOnTheirWay(count: number) {
      await expect.poll(() => onTheirWay.size).toBe(count)
      await sleep(100)
      expect(onTheirWay.size).toBe(count)
    },
  }
}

function channelOf(id: string, deliveries = 1, failures = 0): DueChannel {
  const read = () => ({ at: '2026-11-20T09:59:00.000Z', alert: ALERT })
  const ids = Array.from({ length: deliveries }, (_, n) => `${id}-${n}`)
  return {
    id,
    kind: 'webhook',
    failures,
    target: {},
    deliveries: ids.map((each) => ({ id: each, attempts: 0, isLate: false, read })),
  }
}

const many = (count: number, failures = 0) =>
  Array.from({ length: count }, (_, n) =>
    channelOf(`${failures ? 'failing' : 'well'}${n}`, 1, failures),
  )

describe('alerts that wait', () => {
  test('go to 64 channels at once, of which 16 failed last', async () => {
    const lane = openLane([...many(30, 3), ...many(100)])
    lane.look()
    await lane.expectOnTheirWay(64)
    expect(lane.sent.filter((id) => id.startsWith('failing'))).toHaveLength(16)
    lane.answerAll()
    await expect
      .poll(() => {
        lane.answerAll()
        return lane.settled.length
      })
      .toBe(130)
    await lane.stop()
  })

  test('for one channel go four at a time, and one at a time where it failed last', async () => {
    const lane = openLane([channelOf('well', 9)])
    lane.look()
    await lane.expectOnTheirWay(4)
    await stopped(lane)
    const failing = openLane([channelOf('failing', 9, 2)])
    failing.look()
    await failing.expectOnTheirWay(1)
    await stopped(failing)
  })

  test('for one channel stay untried when it fails, is gone, or the server stops', async () => {
    for (const outcome of [
      { result: 'failed', why: 'Answered 500', status: 500 },
      { result: 'gone', why: 'The browser has ended it' },
      undefined,
    ] as const) {
      const lane = openLane([channelOf('one', 6)])
      lane.look()
      await lane.expectOnTheirWay(4)
      const stopping = outcome ? undefined : lane.stop()
      lane.answer('one-2', outcome)
      lane.answerAll()
      await expect.poll(() => lane.settled.length).toBe(1)
      const [{ untried, delivered } = { untried: [], delivered: [] }] = lane.settled
      expect(untried).toEqual(['one-4', 'one-5'])
      expect(delivered).toHaveLength(outcome ? 3 : 4)
      expect(lane.sent).toHaveLength(4)
      await stopping
      await lane.stop()
    }
  })

  test('are all settled when the last of many has arrived', async () => {
    const lane = openLane(many(20))
    lane.look()
    await lane.expectOnTheirWay(20)
    lane.answerAll()
    await expect.poll(() => lane.settled.length).toBe(20)
    await lane.stop()
  })

  test('for a kind of channel that this installation cannot use say so, and are not sent', async () => {
    const lane = openLane([channelOf('one')])
    Object.assign(lane.webhook, {
      isAvailable: false,
      whyNot: 'PUBLIC_URL does not begin with https',
    })
    lane.look()
    await expect.poll(() => lane.settled.length).toBe(1)
    expect(lane.settled[0]?.failed).toEqual([
      { id: 'one-0', why: 'PUBLIC_URL does not begin with https', retryAfter: 0 },
    ])
    expect(lane.sent).toEqual([])
    await lane.stop()
  })

  test('for many channels are left to another thread until it has ended', async () => {
    let begun = 0
    let end = () => {}
    const lane = openLane(many(20), () => {
      begun++
      return new Promise<void>((resolve) => {
        end = resolve
      })
    })
    lane.look()
    await expect.poll(() => begun).toBe(1)
    lane.look()
    await lane.expectOnTheirWay(0)
    expect(begun).toBe(1)
    end()
    await expect.poll(() => lane.sent.length).toBeGreaterThan(0)
    end()
    const stopping = lane.stop()
    end()
    await expect
      .poll(() => {
        lane.answerAll()
        return Promise.race([stopping.then(() => true), sleep(5, false)])
      })
      .toBe(true)
  })
})

async function stopped(lane: ReturnType<typeof openLane>): Promise<void> {
  const stopping = lane.stop()
  lane.answerAll()
  await stopping
}

import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { openChannelLane } from '#mail/channel-lane.ts'
import type { Channels } from '#mail/channels/channel.ts'

/** A lane with much that is due; counts how often it was claimed and a thread was begun. */
function openLane(thread: () => Promise<void>) {
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
    log: pino({ enabled: false }),
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
  const { lane, counts } = openLane(thread)
  lane.look()
  await lane.settled()
  // In between it is looked what can be delivered here.
  expect(counts).toEqual({ begun: 1, claims: 1 })
  await lane.stop()
})

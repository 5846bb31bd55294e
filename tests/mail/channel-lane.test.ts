import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { openChannelLane } from '#mail/channel-lane.ts'
import type { Channels } from '#mail/channels/channel.ts'

test('a thread that dies at once is not begun over and over', async () => {
  let begun = 0
  let claims = 0
  const lane = openChannelLane({
    outbox: {
      isDueForMany: async () => true,
      claimChannels: async () => {
        claims++
        return []
      },
      settleChannels: async () => {},
    },
    channels: {} as Channels,
    log: pino({ enabled: false }),
    async deliverBeside() {
      begun++
      await sleep(1)
    },
  })
  lane.look()
  await lane.settled()
  // In between it is looked what can be delivered here.
  expect([begun, claims]).toEqual([1, 1])
  await lane.stop()
})

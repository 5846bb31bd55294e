import type { Logger } from 'pino'
import type { DueChannel } from '#mail/channel-deliveries.ts'
import { type ChannelQueue, openChannelLane } from '#mail/channel-lane.ts'
import type { Channels } from '#mail/channels/channel.ts'
import { type DueMail, type MailQueue, openMailLane } from '#mail/mail-lane.ts'
import type { Mailer } from '#mail/mailer.ts'

/** The queues in the database. */
type Outbox<Mail extends DueMail, Claimed extends DueChannel> = MailQueue<Mail> &
  ChannelQueue<Claimed> & {
    /** calls back when something is queued */
    watch(onPut: () => void): void
  }

/** So soon does it find what another process has put in. */
const POLL_MS = 1_000
const LONGEST_STOP_MS = 5_000

/**
 * Sends the outbox, as soon as an entry is queued or due: mails one at a time, and alerts to many
 * channels at once, so that a slow one holds up no other.
 */
export function startSender<Mail extends DueMail, Claimed extends DueChannel>({
  outbox,
  mailer,
  channels,
  log,
  deliverBeside,
  secondMs = 1_000,
}: {
  outbox: Outbox<Mail, Claimed>
  mailer: Mailer
  channels: Channels
  log: Logger
  /** Delivers alerts that are due in another thread. */
  deliverBeside?: (() => Promise<void>) | undefined
  /** shortened in tests */
  secondMs?: number
}) {
  const lanes = [
    openMailLane({ outbox, mailer, log, secondMs }),
    openChannelLane({ outbox, channels, log, deliverBeside }),
  ]
  const look = () => {
    for (const lane of lanes) lane.look()
  }
  outbox.watch(look)
  const timer = setInterval(look, POLL_MS * (secondMs / 1_000)).unref()
  look()
  return {
    /** Resolves when all that is due has been sent or postponed. */
    settled: async () => {
      for (const lane of lanes) await lane.settled()
    },
    /** Starts nothing further, and waits up to 5 s for running deliveries. */
    async stop() {
      clearInterval(timer)
      const stopped = Promise.all(lanes.map((lane) => lane.stop()))
      const tooLong = new Promise((resolve) => setTimeout(resolve, LONGEST_STOP_MS).unref())
      await Promise.race([stopped, tooLong])
    },
  }
}

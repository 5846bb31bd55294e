import type { Logger } from 'pino'
import type { GoogleSignIn } from '#actions/accounts/google.ts'
import type { Config } from '#config.ts'
import type { Sessions } from '#db/accounts/sessions.ts'
import type { Db } from '#db/client.ts'
import type { Outbox } from '#db/outbox.ts'
import type { SecretKey } from '#db/secrets.ts'
import type { Channels } from '#mail/channels/channel.ts'
import type { DomainProof } from '#mail/domain-proof.ts'
import type { Telegram } from '#mail/telegram/api.ts'
import type { FileStore } from '#storage/files.ts'

/** The parts of the running service that actions need. */
export type ActionDeps = {
  config: Config
  clock: () => Date
  db: Db
  sessions: Sessions
  secretKey: SecretKey
  outbox: Outbox
  channels: Channels
  domainProof: DomainProof
  /** undefined without a bot */
  telegram: Telegram | undefined
  files: FileStore
  log: Logger
  /** undefined when Google sign-in is not configured */
  google: GoogleSignIn | undefined
}

/** Returns the time, and whether limits apply, for a message in a conversation or a ticket. */
export function writingRules({ clock, config }: Pick<ActionDeps, 'clock' | 'config'>) {
  return { now: clock(), isLimited: config.rateLimits }
}

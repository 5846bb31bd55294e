import { aboutUnreachable } from '#actions/alerts/channels.ts'
import { sweepAlerts } from '#actions/alerts/retention.ts'

export { startScanAlerts } from '#actions/alerts/scan-alerts.ts'
export { keepReminding } from '#actions/reminders.ts'

import { sweepConversations } from '#actions/conversations/retention.ts'
import { sweepDigests } from '#actions/papers/digests.ts'
import { forgetOldPrograms } from '#db/accounts/known-programs.ts'
import { createSessions } from '#db/accounts/sessions.ts'
import { KEY_FILE } from '#db/data-folder.ts'
import type { Engine } from '#db/engine.ts'
import { openOutbox } from '#db/outbox.ts'
import { isOwnKey, OTHER_KEY } from '#db/secret-key.ts'
import { listStoredNames } from '#db/stored-files.ts'
import { forgetExpiredTransfers } from '#db/transfers/transfers.ts'
import { createChannels } from '#mail/channels/index.ts'
import { createDomainProof } from '#mail/domain-proof.ts'
import { createGuard } from '#mail/guarded-request.ts'
import { openBot } from '#mail/telegram/api.ts'
import { watchConversations } from '#routes/_http/conversations/watch.ts'
import type { Deps, FinderDeps } from '#routes/_http/deps.ts'
import { collectLater } from '#server/collect.ts'

/**
 * Adds what only requests other than a stranger's scan need. A start does not wait for it. Warns when
 * the secret key does not belong to the database.
 */
export async function completeDeps(deps: FinderDeps, engine: Engine): Promise<Deps> {
  const { config, clock, log, mailer, secretKey } = deps
  const db = await engine.queries()
  if (!(await isOwnKey(db, secretKey))) log.warn(`${KEY_FILE} ${OTHER_KEY}`)
  const sessions = createSessions(db, clock, config.timezone)
  const outbox = openOutbox(db, secretKey, clock, mailer.configured, config.timezone)
  const telegram = openBot(config)
  const channels = createChannels({ config, secretKey, clock, telegram })
  const domainProof = createDomainProof(createGuard(config))
  const isLimited = config.rateLimits
  const collect = () => collectLater(0)
  const conversationWatch = watchConversations({ db, clock, log, isLimited, collect })
  const late = { db, sessions, outbox, channels, domainProof, telegram, conversationWatch }
  const rest = { ...late, google: undefined }
  const complete: Deps = Object.assign(deps, rest)
  outbox.onUnreachable(aboutUnreachable(complete))
  return complete
}

/** Removes files that a crash left, and logs which stored files are missing. */
export async function sweepFiles({ db, files, log }: Deps, startedAt: Date): Promise<void> {
  try {
    const { temporary, orphans, missing } = await files.sweep(() => listStoredNames(db), startedAt)
    if (temporary + orphans.length > 0) log.info({ temporary, orphans }, 'stray files removed')
    if (missing.length > 0) log.error({ missing }, 'stored files are missing')
  } catch (error) {
    log.error({ err: error }, 'the search for stray files failed')
  }
}

/** What is to go after so many days goes on that day. */
const SWEEP_EVERY_MS = 6 * 3_600_000

/** Sweeps what is old now and every six hours; the answer stops it after the current one. */
export function keepSweeping(deps: Deps): () => Promise<void> {
  let sweeping = Promise.resolve()
  const sweep = () => {
    sweeping = sweepAll(deps).catch((err) => {
      deps.log.error({ err }, 'what is old could not be swept')
    })
  }
  sweep()
  const timer = setInterval(sweep, SWEEP_EVERY_MS).unref()
  return () => {
    clearInterval(timer)
    return sweeping
  }
}

async function sweepAll(deps: Deps): Promise<void> {
  await sweepConversations(deps)
  await sweepAlerts(deps)
  await sweepDigests(deps)
  await forgetExpiredTransfers(deps.db, deps.clock())
  await forgetOldPrograms(deps.db, deps.clock())
}
